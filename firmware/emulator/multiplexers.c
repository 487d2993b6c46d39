#include "multiplexers.h"

#include <math.h>
#include <string.h>

#include "decay.h"
#include "wiring.h"

/* 3.7 us to half a step of 8 bits after a full swing (docs/design.md): 3.7 us / ln(512). */
static const double SETTLING_CYCLES = 3.7 * CYCLES_PER_MICROSECOND / 6.2383;

/* An open input's 1 nF, through the 1 megohm to ground that each input has. */
static const double LEAK_CYCLES = 0.001 * CYCLES_PER_SECOND;

static double input_volt(const struct multiplexers *multiplexers, unsigned mux, unsigned address, uint64_t cycle) {
    double volt = multiplexers->input[mux][address].volt;
    if (!multiplexers->input[mux][address].open) {
        return volt;
    }
    return volt * decay((double)(cycle - multiplexers->input[mux][address].since) / LEAK_CYCLES);
}

static void settle(struct multiplexers *multiplexers, uint64_t cycle) {
    if (cycle <= multiplexers->since) {
        return;
    }
    double rest = decay((double)(cycle - multiplexers->since) / SETTLING_CYCLES);
    for (unsigned mux = 0; mux < MULTIPLEXERS; mux++) {
        double goal = input_volt(multiplexers, mux, multiplexers->address, cycle);
        multiplexers->common[mux] = goal + (multiplexers->common[mux] - goal) * rest;
    }
    multiplexers->since = cycle;
}

static void pins_have_changed(void *model, uint64_t cycle) {
    static const pin selects[SELECT_LINES] = {WIRING_SELECT_0, WIRING_SELECT_1, WIRING_SELECT_2, WIRING_SELECT_3};
    struct multiplexers *multiplexers = model;
    unsigned address = 0;
    for (unsigned line = 0; line < SELECT_LINES; line++) { /* a line that nobody drives is taken as low */
        enum level stuck = multiplexers->stuck[line];
        enum level level = stuck == LEVEL_FLOATING ? pins_level(multiplexers->pins, selects[line]) : stuck;
        address |= (unsigned)(level == LEVEL_HIGH) << line;
    }
    if (address != multiplexers->address) {
        settle(multiplexers, cycle);
        multiplexers->address = address;
    }
}

void multiplexers_set(struct multiplexers *multiplexers, unsigned mux, unsigned address, double volt) {
    settle(multiplexers, multiplexers->machine->avr->cycle);
    multiplexers->input[mux][address].volt = volt;
    multiplexers->input[mux][address].open = false;
    if (address == multiplexers->address) {
        multiplexers->common[mux] = volt; /* a magnet moves slowly: only the select lines' settling is modelled */
    }
}

void multiplexers_set_open(struct multiplexers *multiplexers, unsigned mux, unsigned address) {
    uint64_t now = multiplexers->machine->avr->cycle;
    multiplexers->input[mux][address].volt = input_volt(multiplexers, mux, address, now);
    multiplexers->input[mux][address].open = true;
    multiplexers->input[mux][address].since = now;
}

void multiplexers_set_stuck(struct multiplexers *multiplexers, unsigned line, enum level level) {
    uint64_t now = multiplexers->machine->avr->cycle;
    multiplexers->stuck[line] = level;
    pins_have_changed(multiplexers, now);
    for (unsigned mux = 0; mux < MULTIPLEXERS; mux++) { /* the fault has been there for a while: nothing settles */
        multiplexers->common[mux] = input_volt(multiplexers, mux, multiplexers->address, now);
    }
    multiplexers->since = now;
}

double multiplexers_volt(struct multiplexers *multiplexers, unsigned mux, uint64_t cycle, double *unsettled) {
    settle(multiplexers, cycle);
    *unsettled = fabs(multiplexers->common[mux] - input_volt(multiplexers, mux, multiplexers->address, cycle));
    return multiplexers->common[mux];
}

void multiplexers_open(struct multiplexers *multiplexers, struct pins *pins, struct machine *machine) {
    memset(multiplexers, 0, sizeof *multiplexers);
    multiplexers->machine = machine;
    multiplexers->pins = pins;
    multiplexers->fitted = MULTIPLEXERS;
    for (unsigned line = 0; line < SELECT_LINES; line++) {
        multiplexers->stuck[line] = LEVEL_FLOATING;
    }
    pins_listen(pins, pins_have_changed, multiplexers);
}
