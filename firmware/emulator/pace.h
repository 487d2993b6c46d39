/* How emulated time moves: on command, with the clock on the wall, or as fast as it goes. Nothing here reads a clock or
 * runs anything; clock readings are nanoseconds of CLOCK_MONOTONIC. */
#ifndef EMULATOR_PACE_H
#define EMULATOR_PACE_H

#include <stdint.h>

enum {
    PACE_SLICE = 16000,              /* cycles that run between two looks at the world: 1 ms */
    PACE_BEHIND_MOST = 100 * 1000 * 1000, /* nanoseconds of the clock that are made up for; what is beyond is let go */
};

enum pace_mode { PACE_STEPPED, PACE_REALTIME, PACE_FREE };

struct pace {
    enum pace_mode mode;
    double speed;         /* emulated seconds a second */
    uint64_t start_cycle; /* at start_time */
    int64_t start_time;
};

/* Stepped: time stands still but for commands. */
void pace_step(struct pace *pace);
/* From this cycle and clock reading on, emulated time follows the clock times a speed of 0.01 to 100. */
void pace_follow(struct pace *pace, uint64_t cycle, int64_t now, double speed);
/* As fast as it goes. */
void pace_free(struct pace *pace);

/* The mode's name, as its command is called. */
const char *pace_name(const struct pace *pace);

/* The cycle to run to now: one slice on, or the same cycle when no slice is due. A board that is behind by more than
 * PACE_BEHIND_MOST loses the rest of it here. */
uint64_t pace_until(struct pace *pace, uint64_t cycle, int64_t now);

/* Nanoseconds until a slice is due, rounded up; 0 when one is; -1 when none ever will be. */
int64_t pace_wait(const struct pace *pace, uint64_t cycle, int64_t now);

#endif
