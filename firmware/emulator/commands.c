#include "commands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "faults.h"
#include "lamp_commands.h"
#include "running_commands.h"
#include "words.h"

enum { MOST_WORDS = 5, ANY_WORDS = -1 };

struct command {
    const char *name;
    int words; /* that must follow; ANY_WORDS: it looks by itself */
    void (*act)(struct board *board, char **words, FILE *answer);
};

static void act_time(struct board *board, char **words, FILE *answer) {
    (void)words;
    answer_time(board, answer);
}

static void act_run(struct board *board, char **words, FILE *answer) {
    int64_t cycles;
    if (number(words[0], 0, INT64_C(1) << 40, &cycles, answer)) {
        act_until(board, board->machine.avr->cycle + (uint64_t)cycles, answer);
    }
}

static void act_run_to(struct board *board, char **words, FILE *answer) {
    int64_t cycle;
    if (number(words[0], 0, INT64_C(1) << 48, &cycle, answer)) {
        act_until(board, (uint64_t)cycle, answer);
    }
}

static void act_reset(struct board *board, char **words, FILE *answer) {
    (void)words;
    machine_reset(&board->machine);
    answer_time(board, answer);
}

/* A row of bytes in hexadecimal; -1, with an answer that says what is wrong. */
static int parse_bytes(const char *hex, uint8_t *bytes, size_t most, FILE *answer) {
    size_t digits = strlen(hex);
    if (digits % 2 != 0 || digits / 2 > most || strspn(hex, "0123456789abcdefABCDEF") != digits) {
        fprintf(answer, "error %.20s is no row of at most %zu bytes in hexadecimal\n", hex, most);
        return -1;
    }
    for (size_t i = 0; i < digits / 2; i++) {
        char pair[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
        bytes[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return (int)(digits / 2);
}

static void act_send(struct board *board, char **words, FILE *answer) {
    static uint8_t bytes[UART_QUEUE];
    int length = parse_bytes(words[0], bytes, sizeof bytes, answer);
    if (length < 0) {
        return;
    }
    if (uart_send(&board->uart, bytes, (size_t)length)) {
        answer_time(board, answer);
    } else {
        fprintf(answer, "error more bytes wait for the line than it holds\n");
    }
}

static void act_sent(struct board *board, char **words, FILE *answer) {
    (void)words;
    if (board->sent_lost > 0) {
        fprintf(answer, "error %" PRIu64 " bytes were lost: ask for them more often\n", board->sent_lost);
    } else {
        fprintf(answer, "ok %zu\n", board->sent_count);
        for (size_t i = 0; i < board->sent_count; i++) {
            fprintf(answer, "%" PRIu64 " %02x\n", board->sent[i].cycle, board->sent[i].byte);
        }
    }
    board->sent_count = 0;
    board->sent_lost = 0;
}

static void act_marks(struct board *board, char **words, FILE *answer) {
    (void)words;
    struct machine *machine = &board->machine;
    fprintf(answer, "ok %zu\n", machine->mark_count);
    for (size_t i = 0; i < machine->mark_count; i++) {
        fprintf(answer, "%" PRIu64 " %02x\n", machine->marks[i].cycle, machine->marks[i].value);
    }
    machine->mark_count = 0;
}

static void act_checks(struct board *board, char **words, FILE *answer) {
    (void)words;
    struct checks *checks = &board->machine.checks;
    fprintf(answer, "ok %zu\n", checks->count + (checks->beyond > 0 ? 1 : 0));
    for (size_t i = 0; i < checks->count; i++) {
        const struct check *check = &checks->kept[i];
        fprintf(answer, "%" PRIu64 " %s %s\n", check->cycle, check->name, check->detail);
    }
    if (checks->beyond > 0) {
        fprintf(answer, "%" PRIu64 " more %" PRIu64 " that are not shown\n", (uint64_t)board->machine.avr->cycle,
                checks->beyond);
    }
    checks_clear(checks);
}

/* ---- the world around the board ---- */

enum { MOST_MICROAMPERE = 10000, MOST_MILLIVOLT = 5500, LEAST_SUPPLY = 1800 };

/* "reflect 12 300" for one sensor, "reflect all 9" for every one. */
static void set_sensors(struct board *board, char **words, FILE *answer,
                        void (*set)(struct rings *rings, unsigned sensor, double microampere)) {
    int64_t first = 0, microampere;
    bool all = strcmp(words[0], "all") == 0;
    if ((!all && !number(words[0], 0, SENSORS - 1, &first, answer)) ||
        !number(words[1], 0, MOST_MICROAMPERE, &microampere, answer)) {
        return;
    }
    for (int64_t sensor = first; sensor <= (all ? SENSORS - 1 : first); sensor++) {
        set(&board->rings, (unsigned)sensor, (double)microampere);
    }
    answer_time(board, answer);
}

static void act_reflect(struct board *board, char **words, FILE *answer) {
    set_sensors(board, words, answer, rings_set_reflected);
}

static void act_ambient(struct board *board, char **words, FILE *answer) {
    set_sensors(board, words, answer, rings_set_ambient);
}

static void act_fitted(struct board *board, char **words, FILE *answer) {
    int64_t chips, multiplexers;
    if (number(words[0], 1, RING_CHIPS, &chips, answer) &&
        number(words[1], 1, MULTIPLEXERS, &multiplexers, answer)) {
        rings_fit(&board->rings, (unsigned)chips);
        board->multiplexers.fitted = (unsigned)multiplexers;
        answer_time(board, answer);
    }
}

static void act_field(struct board *board, char **words, FILE *answer) {
    int64_t mux, address, millivolt = 0;
    bool open = strcmp(words[2], "open") == 0;
    if (number(words[0], 0, board->multiplexers.fitted - 1, &mux, answer) &&
        number(words[1], 0, ADDRESSES - 1, &address, answer) &&
        (open || number(words[2], 0, MOST_MILLIVOLT, &millivolt, answer))) {
        if (open) {
            multiplexers_set_open(&board->multiplexers, (unsigned)mux, (unsigned)address);
        } else {
            multiplexers_set(&board->multiplexers, (unsigned)mux, (unsigned)address, (double)millivolt / 1000);
        }
        answer_time(board, answer);
    }
}

static void act_supply(struct board *board, char **words, FILE *answer) {
    int64_t millivolt;
    if (number(words[0], LEAST_SUPPLY, MOST_MILLIVOLT, &millivolt, answer)) {
        board->adc.supply = (double)millivolt / 1000;
        answer_time(board, answer);
    }
}

static void act_holder(struct board *board, char **words, FILE *answer) {
    int64_t holder, counts = 0;
    bool silent = strcmp(words[1], "silent") == 0;
    if (number(words[0], 0, HOLDERS - 1, &holder, answer) &&
        (silent || number(words[1], HX711_LEAST, HX711_MOST, &counts, answer))) {
        hx711_set(&board->holders[holder], (int32_t)counts, silent);
        answer_time(board, answer);
    }
}

static void act_eeprom_set(struct board *board, char **words, FILE *answer) {
    int64_t place;
    if (number(words[0], 0, EEPROM_BYTES - 1, &place, answer) &&
        parse_bytes(words[1], board->eeprom.bytes + place, (size_t)(EEPROM_BYTES - place), answer) >= 0) {
        answer_time(board, answer);
    }
}

static void act_eeprom_get(struct board *board, char **words, FILE *answer) {
    int64_t place, length;
    if (number(words[0], 0, EEPROM_BYTES - 1, &place, answer) &&
        number(words[1], 1, EEPROM_BYTES - place, &length, answer)) {
        fprintf(answer, "ok ");
        for (int64_t i = place; i < place + length; i++) {
            fprintf(answer, "%02x", board->eeprom.bytes[i]);
        }
        fprintf(answer, "\n");
    }
}

static const struct command commands[] = {
    {"time", 0, act_time},
    {"run", 1, act_run},
    {"run_to", 1, act_run_to},
    {"stepped", 0, act_stepped},
    {"realtime", ANY_WORDS, act_realtime},
    {"free", 0, act_free},
    {"pty", ANY_WORDS, act_pty},
    {"unplug", 0, act_unplug},
    {"replug", 0, act_replug},
    {"port", 0, act_port},
    {"reset", 0, act_reset},
    {"send", 1, act_send},
    {"sent", 0, act_sent},
    {"marks", 0, act_marks},
    {"checks", 0, act_checks},
    {"fitted", 2, act_fitted},
    {"reflect", 2, act_reflect},
    {"ambient", 2, act_ambient},
    {"field", 3, act_field},
    {"supply", 1, act_supply},
    {"holder", 2, act_holder},
    {"eeprom_set", 2, act_eeprom_set},
    {"eeprom_get", 2, act_eeprom_get},
    {"converter", ANY_WORDS, act_converter},
    {"lamp", ANY_WORDS, act_lamp},
    {"share", 3, act_share},
    {"select", 2, act_select},
    {"noise", 2, act_noise},
    {"seed", 1, act_seed},
    {"hang", ANY_WORDS, act_hang},
    {"power", 0, act_power},
    {"brownout", 0, act_brownout},
    {"eeprom_worn", 1, act_eeprom_worn},
    {"receive_damage", 1, act_receive_damage},
    {"receive_break", 1, act_receive_break},
};

void commands_do(struct board *board, char *line, FILE *answer) {
    char *words[MOST_WORDS + 2] = {NULL}; /* a null pointer behind the last */
    int count = 0;
    char *place = NULL;
    for (char *word = strtok_r(line, " \t\r", &place); word != NULL; word = strtok_r(NULL, " \t\r", &place)) {
        if (count > MOST_WORDS) {
            fprintf(answer, "error too many words\n");
            return;
        }
        words[count++] = word;
    }
    if (count == 0) {
        fprintf(answer, "error an empty line\n");
        return;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(commands[i].name, words[0]) == 0) {
            if (commands[i].words == count - 1 || commands[i].words == ANY_WORDS) {
                commands[i].act(board, words + 1, answer);
            } else {
                fprintf(answer, "error %s takes %d word%s, not %d\n", words[0], commands[i].words,
                        commands[i].words == 1 ? "" : "s", count - 1);
            }
            return;
        }
    }
    fprintf(answer, "error no command is named %.40s\n", words[0]);
}
