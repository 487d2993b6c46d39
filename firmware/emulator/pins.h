/* The controller's pins: what it drives, what the parts around it drive. */
#ifndef EMULATOR_PINS_H
#define EMULATOR_PINS_H

#include "machine.h"

enum { PIN_LISTENERS = 4, PORTS = 3 };

/* A pin, as wiring.h names it: 16 for PB0, 32 for PC0, 48 for PD0, plus its number. */
typedef uint8_t pin;

enum level { LEVEL_LOW, LEVEL_HIGH, LEVEL_FLOATING };

/* Called after every instruction that may have changed a pin, with the cycle from which it holds. */
typedef void (*pins_changed)(void *model, uint64_t cycle);

struct pins {
    struct machine *machine;
    struct {
        pins_changed function;
        void *model;
    } listeners[PIN_LISTENERS];
    size_t listener_count;
    uint8_t outside[PORTS]; /* levels that parts drive into inputs */
    uint8_t driven[PORTS];  /* which inputs a part drives */
};

/* No part drives a pin, and none listens. */
void pins_open(struct pins *pins, struct machine *machine);
void pins_listen(struct pins *pins, pins_changed function, void *model);

/* What the controller drives: LEVEL_FLOATING for an input, with or without its pull-up. */
enum level pins_level(const struct pins *pins, pin which);

/* A part drives an input. */
void pins_drive(struct pins *pins, pin which, bool high);

#endif
