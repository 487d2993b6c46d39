#include "chain.h"

#include <string.h>

#include "wiring.h"

enum {
    PULLED_UP = 0xFF,      /* a byte that no chip drives */
    NOT_CUT = CHAIN_CHIPS, /* a place beyond the last chip */
};

static void settle_all(struct chain *chain, uint64_t cycle) {
    for (unsigned i = 0; i < SENSORS; i++) {
        sensor_settle(&chain->sensors[i], cycle);
    }
}

static avr_cycle_count_t lit_too_long(avr_t *avr, avr_cycle_count_t when, void *model) {
    struct chain *chain = model;
    (void)avr;
    if (!chain->reported) {
        chain->reported = true;
        checks_add(&chain->machine->checks, when, "bank_left_lit", "banks 0x%02x, for more than %d us", chain->lit,
                   LONGEST_LIGHT / CYCLES_PER_MICROSECOND);
    }
    return 0;
}

/* The clock of "left lit" begins anew with each pattern: banks follow each other without a dark moment. */
static void set_lit(struct chain *chain, uint8_t lit, uint64_t cycle) {
    if (lit == chain->lit) {
        return;
    }
    settle_all(chain, cycle);
    chain->lit = lit;
    for (unsigned i = 0; i < SENSORS; i++) {
        chain->sensors[i].lit = (lit >> (i % BANKS) & 1) != 0;
    }
    chain->reported = false;
    avr_cycle_timer_cancel(chain->machine->avr, lit_too_long, chain);
    if (lit != 0) {
        machine_timer_at(chain->machine, cycle + LONGEST_LIGHT, lit_too_long, chain);
    }
    if ((lit & (lit - 1)) != 0) {
        checks_add(&chain->machine->checks, cycle, "banks_together", "banks 0x%02x", lit);
    }
}

/* The inputs at this cycle; SH/LD passes them on as long as it is low. */
static void load(struct chain *chain, uint64_t cycle) {
    settle_all(chain, cycle);
    for (unsigned place = 0; place < chain->length; place++) {
        unsigned chip = chain->order[place];
        uint8_t bits = 0;
        for (unsigned input = 0; input < BANKS; input++) {
            bits |= (uint8_t)(chain->sensors[BANKS * chip + input].seen << input);
        }
        chain->shift[chip] = bits;
    }
}

static void pins_have_changed(void *model, uint64_t cycle) {
    struct chain *chain = model;
    bool loading = pins_level(chain->pins, WIRING_CHAIN_LOAD) == LEVEL_LOW;
    bool latch_high = pins_level(chain->pins, WIRING_LATCH) == LEVEL_HIGH;
    bool enabled = pins_level(chain->pins, WIRING_EMITTER_ENABLE) == LEVEL_LOW; /* left alone it is pulled up: dark */
    if (chain->spi->busy && (loading != chain->loading || (latch_high && !chain->latch_high))) {
        checks_add(&chain->machine->checks, cycle, "chain_disturbed", "load or latch moved while a byte was under way");
    }
    if (chain->loading && !loading) {
        load(chain, cycle);
    }
    chain->loading = loading;
    if (latch_high && !chain->latch_high) {
        chain->latched = chain->pattern;
    }
    chain->latch_high = latch_high;
    set_lit(chain, enabled ? chain->latched : 0, cycle);
}

uint8_t chain_exchange(void *model, uint64_t cycle, uint8_t out) {
    struct chain *chain = model;
    chain->pattern = out;
    if (chain->loading) { /* nothing shifts: the last input of the first chip stands at the output */
        load(chain, cycle);
        return chain->cut == 0 || (chain->shift[chain->order[0]] & 0x80) ? 0xFF : 0x00;
    }
    uint8_t in = PULLED_UP;
    for (unsigned place = chain->length; place-- > 0;) {
        uint8_t *chip = &chain->shift[chain->order[place]];
        uint8_t shifted_out = *chip;
        *chip = in;
        in = place == chain->cut ? PULLED_UP : shifted_out;
    }
    return in;
}

void chain_mend(struct chain *chain) {
    for (unsigned place = 0; place < CHAIN_CHIPS; place++) {
        chain->order[place] = place;
    }
    chain->length = chain->fitted;
    chain->cut = NOT_CUT;
}

void chain_fit(struct chain *chain, unsigned chips) {
    chain->fitted = chips;
    chain_mend(chain);
}

void chain_remove(struct chain *chain, unsigned chip) {
    chain_mend(chain);
    chain->length--;
    for (unsigned place = chip; place < chain->length; place++) {
        chain->order[place] = place + 1;
    }
}

void chain_cut(struct chain *chain, unsigned chip) {
    chain_mend(chain);
    chain->cut = chip;
}

void chain_swap(struct chain *chain, unsigned one, unsigned other) {
    chain_mend(chain);
    chain->order[one] = other;
    chain->order[other] = one;
}

void chain_power_up(struct chain *chain) {
    memset(chain->shift, 0xFF, sizeof chain->shift);
    chain->pattern = chain->latched = 0xFF;
    pins_have_changed(chain, chain->machine->avr->cycle);
}

void chain_set_reflected(struct chain *chain, unsigned sensor, double microampere) {
    sensor_settle(&chain->sensors[sensor], chain->machine->avr->cycle);
    chain->sensors[sensor].reflected = microampere;
}

void chain_set_ambient(struct chain *chain, unsigned sensor, double microampere) {
    sensor_settle(&chain->sensors[sensor], chain->machine->avr->cycle);
    chain->sensors[sensor].ambient = microampere;
}

void chain_open(struct chain *chain, struct pins *pins, const struct spi *spi, struct machine *machine) {
    memset(chain, 0, sizeof *chain);
    chain->machine = machine;
    chain->pins = pins;
    chain->spi = spi;
    chain_fit(chain, CHAIN_CHIPS);
    pins_listen(pins, pins_have_changed, chain);
}
