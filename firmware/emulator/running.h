/* The emulator's one loop: it runs the board in slices, as its pace says, and between them serves the control socket
 * and the pseudo-terminal. */
#ifndef EMULATOR_RUNNING_H
#define EMULATOR_RUNNING_H

#include "board.h"
#include "control.h"

/* Runs until the client (NULL: there is none) has gone or the emulator is asked to end. */
void running_serve(struct board *board, struct control *control);

/* Lets time pass until a cycle, on command, and gives the program at the pseudo-terminal what comes. It stops sooner
 * only when nobody waits for it any more. */
void running_run_to(struct board *board, uint64_t cycle);

/* Nanoseconds of CLOCK_MONOTONIC. */
int64_t running_clock(void);

#endif
