/* The commands for the pseudo-terminal and for how time moves (README.md). */
#ifndef EMULATOR_RUNNING_COMMANDS_H
#define EMULATOR_RUNNING_COMMANDS_H

#include <stdio.h>

#include "board.h"

/* Each carries a command out and answers it; `words` follow its name and end with a null pointer. */
void act_pty(struct board *board, char **words, FILE *answer);
void act_unplug(struct board *board, char **words, FILE *answer);
void act_replug(struct board *board, char **words, FILE *answer);
void act_port(struct board *board, char **words, FILE *answer);
void act_stepped(struct board *board, char **words, FILE *answer);
void act_realtime(struct board *board, char **words, FILE *answer);
void act_free(struct board *board, char **words, FILE *answer);

/* Lets time pass until a cycle and answers with the cycle that it is then, or with an error when time moves by itself. */
void act_until(struct board *board, uint64_t cycle, FILE *answer);

#endif
