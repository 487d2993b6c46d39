/* The control socket's commands (README.md): one line in, one answer out. */
#ifndef EMULATOR_COMMANDS_H
#define EMULATOR_COMMANDS_H

#include <stdio.h>

#include "board.h"

/* Carries one line out, without its newline, and writes the answer. */
void commands_do(struct board *board, char *line, FILE *answer);

#endif
