/* The three 74HC4067 with shared select lines, and the fields on their inputs. */
#ifndef EMULATOR_MULTIPLEXERS_H
#define EMULATOR_MULTIPLEXERS_H

#include "pins.h"

enum { MULTIPLEXERS = 3, ADDRESSES = 16 };

struct multiplexers {
    struct machine *machine;
    const struct pins *pins;
    double input[MULTIPLEXERS][ADDRESSES]; /* volts */
    unsigned address;
    double common[MULTIPLEXERS]; /* volts at the common outputs at `since` */
    uint64_t since;              /* cycle */
};

void multiplexers_open(struct multiplexers *multiplexers, struct pins *pins, struct machine *machine);

/* 0 to 5.5 V. */
void multiplexers_set(struct multiplexers *multiplexers, unsigned mux, unsigned address, double volt);

/* The voltage at a common output, and how far it still is from the input's: both in volts. */
double multiplexers_volt(struct multiplexers *multiplexers, unsigned mux, uint64_t cycle, double *unsettled);

#endif
