#include "multiplexers.h"

#include <math.h>
#include <string.h>

#include "wiring.h"

/* 3.7 us to half a step of 8 bits after a full swing (HARDWARE section 3): 3.7 us / ln(512). */
static const double SETTLING_CYCLES = 3.7 * CYCLES_PER_MICROSECOND / 6.2383;

static void settle(struct multiplexers *multiplexers, uint64_t cycle) {
    if (cycle <= multiplexers->since) {
        return;
    }
    double rest = exp(-(double)(cycle - multiplexers->since) / SETTLING_CYCLES);
    for (unsigned mux = 0; mux < MULTIPLEXERS; mux++) {
        double goal = multiplexers->input[mux][multiplexers->address];
        multiplexers->common[mux] = goal + (multiplexers->common[mux] - goal) * rest;
    }
    multiplexers->since = cycle;
}

static void pins_have_changed(void *model, uint64_t cycle) {
    static const pin selects[] = {WIRING_SELECT_0, WIRING_SELECT_1, WIRING_SELECT_2, WIRING_SELECT_3};
    struct multiplexers *multiplexers = model;
    unsigned address = 0;
    for (unsigned line = 0; line < 4; line++) { /* a line that nobody drives is taken as low */
        address |= (unsigned)(pins_level(multiplexers->pins, selects[line]) == LEVEL_HIGH) << line;
    }
    if (address != multiplexers->address) {
        settle(multiplexers, cycle);
        multiplexers->address = address;
    }
}

void multiplexers_set(struct multiplexers *multiplexers, unsigned mux, unsigned address, double volt) {
    settle(multiplexers, multiplexers->machine->avr->cycle);
    multiplexers->input[mux][address] = volt;
    if (address == multiplexers->address) {
        multiplexers->common[mux] = volt; /* a magnet moves slowly: only the select lines' settling is modelled */
    }
}

double multiplexers_volt(struct multiplexers *multiplexers, unsigned mux, uint64_t cycle, double *unsettled) {
    settle(multiplexers, cycle);
    *unsettled = fabs(multiplexers->common[mux] - multiplexers->input[mux][multiplexers->address]);
    return multiplexers->common[mux];
}

void multiplexers_open(struct multiplexers *multiplexers, struct pins *pins, struct machine *machine) {
    memset(multiplexers, 0, sizeof *multiplexers);
    multiplexers->machine = machine;
    multiplexers->pins = pins;
    pins_listen(pins, pins_have_changed, multiplexers);
}
