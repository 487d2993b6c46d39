/* What the commands share: a word that must be a number, the answer that tells the time. */
#ifndef EMULATOR_WORDS_H
#define EMULATOR_WORDS_H

#include <stdio.h>

#include "board.h"

/* A whole number from `least` to `most`; else false, with an answer that says what is wrong. */
bool number(const char *word, int64_t least, int64_t most, int64_t *value, FILE *answer);

/* "ok" and the cycle that it is. */
void answer_time(struct board *board, FILE *answer);

#endif
