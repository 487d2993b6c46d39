#include "lamp_commands.h"

#include <string.h>

#include "words.h"

enum { MOST_MICROAMPERE = 10000, MOST_MILLIHERTZ = 100000000, MOST_SHARE = 10000, WHOLE = 1000 };

void act_lamp(struct board *board, char **words, FILE *answer) {
    int64_t lamp, microampere = 0, millihertz = 0, duty = WHOLE;
    enum lamp_kind kind = LAMP_OFF;
    size_t count = 0;
    while (words[count] != NULL) {
        count++;
    }
    if (count == 4 && strcmp(words[1], "sine") == 0) {
        kind = LAMP_SINE;
    } else if (count == 5 && strcmp(words[1], "pwm") == 0) {
        kind = LAMP_PWM;
    } else if (count != 2 || strcmp(words[1], "off") != 0) {
        fprintf(answer, "error lamp takes L off, L sine U H or L pwm U H D\n");
        return;
    }
    if (!number(words[0], 0, LAMPS - 1, &lamp, answer) ||
        (kind != LAMP_OFF && (!number(words[2], 0, MOST_MICROAMPERE, &microampere, answer) ||
                              !number(words[3], 1, MOST_MILLIHERTZ, &millihertz, answer))) ||
        (kind == LAMP_PWM && !number(words[4], 0, WHOLE, &duty, answer))) {
        return;
    }
    rings_settle(&board->rings);
    lamp_set(&board->rings.lamps.lamp[lamp], kind, (double)microampere, (double)millihertz / 1000, (double)duty / WHOLE,
             board->machine.avr->cycle);
    answer_time(board, answer);
}

void act_share(struct board *board, char **words, FILE *answer) {
    int64_t lamp, first = 0, share;
    bool all = strcmp(words[1], "all") == 0;
    if (!number(words[0], 0, LAMPS - 1, &lamp, answer) ||
        (!all && !number(words[1], 0, SENSORS - 1, &first, answer)) ||
        !number(words[2], 0, MOST_SHARE, &share, answer)) {
        return;
    }
    rings_settle(&board->rings);
    for (int64_t sensor = first; sensor <= (all ? SENSORS - 1 : first); sensor++) {
        board->rings.sensors[sensor].share[lamp] = (double)share / WHOLE;
    }
    answer_time(board, answer);
}
