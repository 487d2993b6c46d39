#include "rings.h"

#include <string.h>

#include "wiring.h"

enum {
    SHORTEST_BIT = 5,                            /* cycles: 3.6 MHz, rounded up */
    SHORTEST_DESELECTED = 5,                     /* 270 ns, rounded up */
    LIGHT_SETTLES = 3 * CYCLES_PER_MICROSECOND,  /* the ground and the supply, after emitters were switched */
    FULL_SCALE = 1024,
};

/* What the light of a bank does to a reading: it lifts the sensors' ground, and lets the reference dip. */
static const double LIFTED_VOLT = 0.002;
static const double DIPPED_VOLT = 0.012;

static void settle_all(struct rings *rings, uint64_t cycle) {
    for (unsigned i = 0; i < SENSORS; i++) {
        sensor_settle(&rings->sensors[i], &rings->lamps, cycle);
    }
}

void rings_settle(struct rings *rings) { settle_all(rings, rings->machine->avr->cycle); }

static avr_cycle_count_t lit_too_long(avr_t *avr, avr_cycle_count_t when, void *model) {
    struct rings *rings = model;
    (void)avr;
    if (!rings->reported) {
        rings->reported = true;
        checks_add(&rings->machine->checks, when, "bank_left_lit", "banks 0x%02x, for more than %d us", rings->lit,
                   LONGEST_LIGHT / CYCLES_PER_MICROSECOND);
    }
    return 0;
}

/* The clock of "left lit" begins anew with each pattern. */
static void set_lit(struct rings *rings, uint8_t lit, uint64_t cycle) {
    uint8_t changed = lit ^ rings->lit;
    if (changed == 0) {
        return;
    }
    for (unsigned i = 0; i < SENSORS; i++) {
        if (changed >> (i % BANKS) & 1) {
            sensor_settle(&rings->sensors[i], &rings->lamps, cycle);
            rings->sensors[i].lit = (lit >> (i % BANKS) & 1) != 0;
        }
    }
    rings->lit = lit;
    rings->lit_since = cycle;
    rings->reported = false;
    avr_cycle_timer_cancel(rings->machine->avr, lit_too_long, rings);
    if (lit != 0) {
        machine_timer_at(rings->machine, cycle + LONGEST_LIGHT, lit_too_long, rings);
    }
    if ((lit & (lit - 1)) != 0) {
        checks_add(&rings->machine->checks, cycle, "banks_together", "banks 0x%02x", lit);
    }
}

static uint16_t sample(void *model, unsigned chip, unsigned input, uint64_t cycle) {
    struct rings *rings = model;
    struct sensor *sensor = &rings->sensors[MCP3008_INPUTS * chip + input];
    sensor_settle(sensor, &rings->lamps, cycle);
    if (cycle - rings->lit_since < LIGHT_SETTLES) {
        checks_add(&rings->machine->checks, cycle, "ring_unsettled", "converter %u samples %u cycles after the light", chip,
                   (unsigned)(cycle - rings->lit_since));
    }
    bool lit = rings->lit != 0;
    double volt = sensor_volt(sensor, *rings->supply) + (lit ? LIFTED_VOLT : 0);
    double reference = *rings->supply - (lit ? DIPPED_VOLT : 0);
    double counts = volt * FULL_SCALE / reference + noise_gauss(&rings->chance, rings->noise);
    return counts >= MCP3008_MOST ? MCP3008_MOST : counts <= 0 ? 0 : (uint16_t)counts;
}

static unsigned decoded(const struct rings *rings) {
    if (pins_level(rings->pins, WIRING_RING_SELECT) != LEVEL_LOW) { /* left alone it is pulled up: none */
        return NO_CHIP;
    }
    return rings->wired[rings->multiplexers->address % RING_CHIPS];
}

static void pins_have_changed(void *model, uint64_t cycle) {
    struct rings *rings = model;
    bool latch_high = pins_level(rings->pins, WIRING_LATCH) == LEVEL_HIGH;
    bool enabled = pins_level(rings->pins, WIRING_EMITTER_ENABLE) == LEVEL_LOW; /* left alone it is pulled up: dark */
    unsigned selected = decoded(rings);
    struct checks *checks = &rings->machine->checks;
    bool driven = pins_level(rings->pins, WIRING_RING_SELECT) != LEVEL_FLOATING; /* else it was just reset */
    if (driven && rings->spi->busy && (selected != rings->selected || (latch_high && !rings->latch_high))) {
        checks_add(checks, cycle, "spi_disturbed", "select or latch moved while a byte was under way");
    }
    if (selected != rings->selected) {
        if (rings->selected != NO_CHIP && selected != NO_CHIP) {
            checks_add(checks, cycle, "ring_select", "from converter %u to %u at once", rings->selected, selected);
        } else if (selected != NO_CHIP && cycle - rings->deselected < SHORTEST_DESELECTED) {
            checks_add(checks, cycle, "ring_select", "after %u cycles", (unsigned)(cycle - rings->deselected));
        }
        if (selected != NO_CHIP) {
            mcp3008_select(&rings->converters[selected]);
        } else {
            rings->deselected = cycle;
        }
        rings->selected = selected;
    }
    if (latch_high && !rings->latch_high) {
        rings->latched = rings->pattern;
    }
    rings->latch_high = latch_high;
    set_lit(rings, enabled ? rings->latched : 0, cycle);
}

uint8_t rings_exchange(void *model, uint64_t cycle, uint64_t bit, uint8_t out) {
    struct rings *rings = model;
    rings->pattern = out;
    if (rings->selected == NO_CHIP || rings->fitted[rings->selected] == CHIP_MISSING) {
        return 0xFF; /* pulled up */
    }
    if (rings->fitted[rings->selected] == CHIP_LOW) {
        return 0x00;
    }
    if (bit < SHORTEST_BIT) {
        checks_add(&rings->machine->checks, cycle, "mcp3008_clock", "%u cycles a bit", (unsigned)bit);
    }
    uint8_t in = 0;
    for (unsigned place = 0; place < 8; place++) {
        uint64_t falling = cycle - (7 - place) * bit;
        bool given = mcp3008_clock(&rings->converters[rings->selected], (out >> (7 - place) & 1) != 0, falling);
        in = (uint8_t)(in << 1 | given);
    }
    return in;
}

void rings_fit(struct rings *rings, unsigned chips) {
    rings->chips = chips;
    for (unsigned chip = 0; chip < RING_CHIPS; chip++) {
        rings->fitted[chip] = chip < chips ? CHIP_FITTED : CHIP_MISSING;
        rings->wired[chip] = chip;
    }
}

void rings_power_up(struct rings *rings) {
    rings->pattern = rings->latched = 0xFF;
    pins_have_changed(rings, rings->machine->avr->cycle);
}

void rings_set_reflected(struct rings *rings, unsigned sensor, double microampere) {
    sensor_settle(&rings->sensors[sensor], &rings->lamps, rings->machine->avr->cycle);
    rings->sensors[sensor].reflected = microampere;
}

void rings_set_ambient(struct rings *rings, unsigned sensor, double microampere) {
    sensor_settle(&rings->sensors[sensor], &rings->lamps, rings->machine->avr->cycle);
    rings->sensors[sensor].ambient = microampere;
}

void rings_open(struct rings *rings, struct pins *pins, const struct spi *spi, const struct multiplexers *multiplexers,
                const double *supply, struct machine *machine) {
    memset(rings, 0, sizeof *rings);
    rings->machine = machine;
    rings->pins = pins;
    rings->spi = spi;
    rings->multiplexers = multiplexers;
    rings->supply = supply;
    rings->selected = NO_CHIP;
    for (unsigned chip = 0; chip < RING_CHIPS; chip++) {
        rings->converters[chip] = (struct mcp3008){.sample = sample, .board = rings, .number = chip};
    }
    for (unsigned sensor = 0; sensor < SENSORS; sensor++) {
        sensor_open(&rings->sensors[sensor]);
    }
    rings_fit(rings, RING_CHIPS);
    pins_listen(pins, pins_have_changed, rings);
}
