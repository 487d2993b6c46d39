#include "faults.h"

#include <string.h>

#include "words.h"

enum { MOST_MICROVOLT = 1000000, MOST_COUNTS = 1000000, MOST_DAMAGED = 1000000 };

static bool is(const char *word, const char *expected) { return word != NULL && strcmp(word, expected) == 0; }

static bool chip_number(const char *word, int64_t *chip, FILE *answer) {
    return number(word, 0, RING_CHIPS - 1, chip, answer);
}

void act_converter(struct board *board, char **words, FILE *answer) {
    struct rings *rings = &board->rings;
    int64_t chip, other;
    size_t count = 0;
    while (words[count] != NULL) {
        count++;
    }
    if (count == 1 && is(words[0], "ok")) {
        rings_fit(rings, rings->chips);
    } else if (count == 2 && (is(words[0], "missing") || is(words[0], "low"))) {
        if (!chip_number(words[1], &chip, answer)) {
            return;
        }
        rings->fitted[chip] = is(words[0], "low") ? CHIP_LOW : CHIP_MISSING;
    } else if (count == 3 && is(words[0], "swapped")) {
        if (!chip_number(words[1], &chip, answer) || !chip_number(words[2], &other, answer)) {
            return;
        }
        rings->wired[chip] = (unsigned)other;
        rings->wired[other] = (unsigned)chip;
    } else {
        fprintf(answer, "error converter takes ok, missing K, low K or swapped K L\n");
        return;
    }
    answer_time(board, answer);
}

void act_select(struct board *board, char **words, FILE *answer) {
    int64_t line;
    enum level level = LEVEL_FLOATING;
    if (!number(words[0], 0, SELECT_LINES - 1, &line, answer)) {
        return;
    }
    if (is(words[1], "low")) {
        level = LEVEL_LOW;
    } else if (is(words[1], "high")) {
        level = LEVEL_HIGH;
    } else if (!is(words[1], "ok")) {
        fprintf(answer, "error a select line is low, high or ok, not %.40s\n", words[1]);
        return;
    }
    multiplexers_set_stuck(&board->multiplexers, (unsigned)line, level);
    answer_time(board, answer);
}

void act_noise(struct board *board, char **words, FILE *answer) {
    int64_t deviation;
    if (is(words[0], "field")) {
        if (!number(words[1], 0, MOST_MICROVOLT, &deviation, answer)) {
            return;
        }
        board->adc.noise = (double)deviation / 1000000;
    } else if (is(words[0], "ring")) {
        if (!number(words[1], 0, MOST_COUNTS, &deviation, answer)) {
            return;
        }
        board->rings.noise = (double)deviation / 1000;
    } else if (is(words[0], "holder")) {
        if (!number(words[1], 0, MOST_COUNTS, &deviation, answer)) {
            return;
        }
        for (unsigned holder = 0; holder < HOLDERS; holder++) {
            board->holders[holder].noise = (int32_t)deviation;
        }
    } else {
        fprintf(answer, "error noise is that of field, ring or holder, not %.40s\n", words[0]);
        return;
    }
    answer_time(board, answer);
}

void act_seed(struct board *board, char **words, FILE *answer) {
    int64_t seed;
    if (number(words[0], 0, INT64_MAX, &seed, answer)) {
        board_seed(board, (uint64_t)seed);
        answer_time(board, answer);
    }
}

void act_hang(struct board *board, char **words, FILE *answer) {
    if (words[0] == NULL) {
        machine_hang(&board->machine);
    } else if (words[1] == NULL && is(words[0], "running")) {
        machine_hang_running(&board->machine);
    } else {
        fprintf(answer, "error hang takes nothing or running\n");
        return;
    }
    answer_time(board, answer);
}

void act_power(struct board *board, char **words, FILE *answer) {
    (void)words;
    board_power_cycle(board);
    answer_time(board, answer);
}

void act_brownout(struct board *board, char **words, FILE *answer) {
    (void)words;
    machine_brown_out(&board->machine);
    answer_time(board, answer);
}

void act_eeprom_worn(struct board *board, char **words, FILE *answer) {
    int64_t place;
    if (is(words[0], "ok")) {
        eeprom_mend(&board->eeprom);
    } else if (number(words[0], 0, EEPROM_BYTES - 1, &place, answer)) {
        eeprom_wear_out(&board->eeprom, (unsigned)place);
    } else {
        return;
    }
    answer_time(board, answer);
}

void act_receive_damage(struct board *board, char **words, FILE *answer) {
    int64_t bytes;
    if (number(words[0], 0, MOST_DAMAGED, &bytes, answer)) {
        uart_damage(&board->uart, (uint64_t)bytes);
        answer_time(board, answer);
    }
}

void act_receive_break(struct board *board, char **words, FILE *answer) {
    int64_t cycles;
    if (!number(words[0], 1, INT64_C(1) << 40, &cycles, answer)) {
        return;
    }
    if (uart_break(&board->uart, (uint64_t)cycles)) {
        answer_time(board, answer);
    } else {
        fprintf(answer, "error the line's last break is not over yet\n");
    }
}
