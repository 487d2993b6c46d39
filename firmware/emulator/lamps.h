/* Lamps in the room: light that comes and goes, by the cycle. */
#ifndef EMULATOR_LAMPS_H
#define EMULATOR_LAMPS_H

#include <stdbool.h>
#include <stdint.h>

enum { LAMPS = 4 };

enum lamp_kind { LAMP_OFF, LAMP_SINE, LAMP_PWM };

struct lamp {
    enum lamp_kind kind;
    double microampere; /* photo-current that it gives a bare sensor: of a sine the mean, else while it is on */
    double turns;       /* in a cycle */
    double duty;        /* share of a turn for which a PWM lamp is on */
    uint64_t since;     /* cycle in which it began a turn */
};

struct lamps {
    struct lamp lamp[LAMPS];
};

/* A lamp that shines from this cycle on; a sine begins in the dark, a PWM lamp on. */
void lamp_set(struct lamp *lamp, enum lamp_kind kind, double microampere, double hertz, double duty, uint64_t cycle);

/* Its light in a cycle, in microamperes. */
double lamp_light(const struct lamp *lamp, uint64_t cycle);

bool lamps_any(const struct lamps *lamps);

#endif
