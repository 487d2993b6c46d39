#include "pace.h"

static const double CYCLES_PER_NANOSECOND = 0.016;

void pace_step(struct pace *pace) { *pace = (struct pace){.mode = PACE_STEPPED}; }

void pace_follow(struct pace *pace, uint64_t cycle, int64_t now, double speed) {
    *pace = (struct pace){.mode = PACE_REALTIME, .speed = speed, .start_cycle = cycle, .start_time = now};
}

void pace_free(struct pace *pace) { *pace = (struct pace){.mode = PACE_FREE}; }

const char *pace_name(const struct pace *pace) {
    static const char *const names[] = {"stepped", "realtime", "free"};
    return names[pace->mode];
}

/* Cycles of a slice: 1 ms of the slower of emulated and real time, so that slow motion is smooth. */
static uint64_t slice(const struct pace *pace) {
    return pace->speed >= 1 ? PACE_SLICE : (uint64_t)(PACE_SLICE * pace->speed);
}

/* Nanoseconds that the clock must go on until the board should be at this cycle; negative when it has gone beyond. */
static double ahead(const struct pace *pace, uint64_t cycle, int64_t now) {
    double cycles = (double)(int64_t)(cycle - pace->start_cycle);
    return cycles / (CYCLES_PER_NANOSECOND * pace->speed) - (double)(now - pace->start_time);
}

uint64_t pace_until(struct pace *pace, uint64_t cycle, int64_t now) {
    switch (pace->mode) {
    case PACE_FREE:
        return cycle + PACE_SLICE;
    case PACE_REALTIME:
        if (ahead(pace, cycle, now) < -PACE_BEHIND_MOST) {
            pace->start_cycle = cycle;
            pace->start_time = now - PACE_BEHIND_MOST;
        }
        return pace_wait(pace, cycle, now) == 0 ? cycle + slice(pace) : cycle;
    case PACE_STEPPED:
    default:
        return cycle;
    }
}

int64_t pace_wait(const struct pace *pace, uint64_t cycle, int64_t now) {
    switch (pace->mode) {
    case PACE_FREE:
        return 0;
    case PACE_REALTIME: {
        double wait = ahead(pace, cycle + slice(pace), now);
        return wait > 0 ? (int64_t)wait + 1 : 0;
    }
    case PACE_STEPPED:
    default:
        return -1;
    }
}
