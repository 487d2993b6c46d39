#include "running_commands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "running.h"
#include "words.h"

static const double LEAST_SPEED = 0.01, MOST_SPEED = 100;

/* ---- the pseudo-terminal ---- */

void act_pty(struct board *board, char **words, FILE *answer) {
    char problem[PTY_PROBLEM];
    bool reset = words[0] != NULL && words[1] != NULL;
    if (words[0] == NULL || (reset && (strcmp(words[1], "reset") != 0 || words[2] != NULL))) {
        fprintf(answer, "error pty takes PATH or PATH reset\n");
    } else if (pty_there(&board->pty)) {
        fprintf(answer, "error the line ends at a port already: %.150s\n", board->pty.path);
    } else if (!pty_make(&board->pty, words[0], reset, problem)) {
        fprintf(answer, "error %s\n", problem);
    } else {
        answer_time(board, answer);
    }
}

static bool there(struct board *board, FILE *answer) {
    if (!pty_there(&board->pty)) {
        fprintf(answer, "error there is no port: make one with pty PATH\n");
    }
    return pty_there(&board->pty);
}

void act_unplug(struct board *board, char **words, FILE *answer) {
    (void)words;
    if (there(board, answer)) {
        pty_unplug(&board->pty);
        answer_time(board, answer);
    }
}

void act_replug(struct board *board, char **words, FILE *answer) {
    (void)words;
    char problem[PTY_PROBLEM];
    if (!there(board, answer)) {
        return;
    }
    if (pty_replug(&board->pty, problem)) {
        answer_time(board, answer);
    } else {
        fprintf(answer, "error %s\n", problem);
    }
}

void act_port(struct board *board, char **words, FILE *answer) {
    (void)words;
    fprintf(answer, "ok %s %" PRIu64 "\n", pty_state(&board->pty), board->pty.lost);
}

/* ---- how time moves ---- */

void act_stepped(struct board *board, char **words, FILE *answer) {
    (void)words;
    pace_step(&board->pace);
    answer_time(board, answer);
}

/* Digits and a point: no sign, no exponent, no "nan". */
static bool parse_speed(const char *word, double *speed) {
    char *end;
    *speed = strtod(word, &end);
    return *end == '\0' && strspn(word, "0123456789.") == strlen(word) && *speed >= LEAST_SPEED &&
           *speed <= MOST_SPEED;
}

void act_realtime(struct board *board, char **words, FILE *answer) {
    double speed = 1;
    if (words[0] != NULL && (words[1] != NULL || !parse_speed(words[0], &speed))) {
        fprintf(answer, "error realtime takes nothing, or a speed from %g to %g times real time\n", LEAST_SPEED,
                MOST_SPEED);
        return;
    }
    pace_follow(&board->pace, board->machine.avr->cycle, running_clock(), speed);
    answer_time(board, answer);
}

void act_free(struct board *board, char **words, FILE *answer) {
    (void)words;
    pace_free(&board->pace);
    answer_time(board, answer);
}

void act_until(struct board *board, uint64_t cycle, FILE *answer) {
    if (board->pace.mode != PACE_STEPPED) {
        fprintf(answer, "error time moves by itself, in mode %s: stop it with stepped\n", pace_name(&board->pace));
        return;
    }
    running_run_to(board, cycle);
    answer_time(board, answer);
}
