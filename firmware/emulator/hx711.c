#include "hx711.h"

#include <string.h>

enum {
    SHORTEST_PULSE = 4,                              /* cycles: 0.2 us, rounded up */
    LONGEST_PULSE = 50 * CYCLES_PER_MICROSECOND,     /* high */
    POWER_DOWN_PULSE = 60 * CYCLES_PER_MICROSECOND,  /* high */
    BITS = 24,
    PULSES = 25, /* a reading's bits and one more: channel A, gain 128 */
};

static void drive(struct hx711 *hx711, bool high) { pins_drive(hx711->pins, hx711->data, high || hx711->silent); }

/* A reading of the cell, in the converter's 24 bits. */
static uint32_t reading(struct hx711 *hx711) {
    double noise = noise_gauss(&hx711->chance, hx711->noise);
    int32_t counts = hx711->counts + (int32_t)(noise < 0 ? noise - 0.5 : noise + 0.5);
    counts = counts < HX711_LEAST ? HX711_LEAST : counts > HX711_MOST ? HX711_MOST : counts;
    return (uint32_t)counts & 0xFFFFFF;
}

static avr_cycle_count_t reading_ended(avr_t *avr, avr_cycle_count_t when, void *model) {
    struct hx711 *hx711 = model;
    (void)avr;
    struct checks *checks = &hx711->machine->checks;
    hx711->next = when + hx711->period;
    hx711->output = reading(hx711);
    if (hx711->pulses > 0 && hx711->pulses < BITS) {
        /* bits of the old reading are followed by bits of the new one */
        checks_add(checks, when, "hx711_straddled", "%s: a new reading after %u pulses", hx711->name, hx711->pulses);
        return hx711->next;
    }
    if (hx711->pulses != 0 && hx711->pulses != PULSES) {
        checks_add(checks, when, "hx711_pulses", "%s: %u pulses, not %d", hx711->name, hx711->pulses, PULSES);
    }
    hx711->pulses = 0;
    hx711->ready = !hx711->silent;
    drive(hx711, false);
    return hx711->next;
}

static avr_cycle_count_t fall_asleep(avr_t *avr, avr_cycle_count_t when, void *model) {
    struct hx711 *hx711 = model;
    hx711->asleep = true;
    hx711->ready = false;
    hx711->pulses = 0;
    drive(hx711, true);
    avr_cycle_timer_cancel(avr, reading_ended, hx711);
    checks_add(&hx711->machine->checks, when, "hx711_asleep", "%s: clock high for 60 us", hx711->name);
    return 0;
}

static void wake(struct hx711 *hx711, uint64_t cycle) {
    hx711->asleep = false;
    hx711->next = cycle + HX711_SETTLING * hx711->period;
    machine_timer_at(hx711->machine, hx711->next, reading_ended, hx711);
}

static void clock_rises(struct hx711 *hx711, uint64_t cycle) {
    struct checks *checks = &hx711->machine->checks;
    if (hx711->pulses > 0 && cycle - hx711->edge < SHORTEST_PULSE) {
        checks_add(checks, cycle, "hx711_short", "%s: clock low for %u cycles", hx711->name,
                   (unsigned)(cycle - hx711->edge));
    }
    machine_timer_at(hx711->machine, cycle + POWER_DOWN_PULSE, fall_asleep, hx711);
    if (!hx711->ready) {
        checks_add(checks, cycle, "hx711_not_ready", "%s: clocked without a reading", hx711->name);
        return;
    }
    hx711->pulses++;
    if (hx711->pulses <= BITS) {
        drive(hx711, (hx711->output >> (BITS - hx711->pulses) & 1) != 0);
    } else {
        drive(hx711, true);
        hx711->ready = hx711->pulses < PULSES + 2; /* two more would choose another channel or gain */
    }
}

static void clock_falls(struct hx711 *hx711, uint64_t cycle) {
    struct checks *checks = &hx711->machine->checks;
    uint64_t length = cycle - hx711->edge;
    avr_cycle_timer_cancel(hx711->machine->avr, fall_asleep, hx711);
    if (!hx711->asleep && length >= POWER_DOWN_PULSE) {
        (void)fall_asleep(hx711->machine->avr, cycle, hx711);
    }
    if (hx711->asleep) {
        wake(hx711, cycle);
    } else if (length < SHORTEST_PULSE) {
        checks_add(checks, cycle, "hx711_short", "%s: clock high for %u cycles", hx711->name, (unsigned)length);
    } else if (length > LONGEST_PULSE) {
        checks_add(checks, cycle, "hx711_long", "%s: clock high for %u cycles", hx711->name, (unsigned)length);
    }
}

static void pins_have_changed(void *model, uint64_t cycle) {
    struct hx711 *hx711 = model;
    bool high = pins_level(hx711->pins, hx711->clock) == LEVEL_HIGH;
    if (high != hx711->clock_high) {
        hx711->clock_high = high;
        if (high) {
            clock_rises(hx711, cycle);
        } else {
            clock_falls(hx711, cycle);
        }
        hx711->edge = cycle;
    }
}

static void controller_was_reset(void *model) {
    struct hx711 *hx711 = model;
    if (!hx711->asleep) {
        machine_timer_at(hx711->machine, hx711->next, reading_ended, hx711);
    }
}

void hx711_open(struct hx711 *hx711, const char *name, pin clock, pin data, uint64_t period, struct pins *pins,
                struct machine *machine) {
    memset(hx711, 0, sizeof *hx711);
    hx711->machine = machine;
    hx711->pins = pins;
    hx711->name = name;
    hx711->clock = clock;
    hx711->data = data;
    hx711->period = period;
    drive(hx711, true);
    pins_listen(pins, pins_have_changed, hx711);
    machine_on_reset(machine, controller_was_reset, hx711);
    wake(hx711, machine->avr->cycle);
}

void hx711_set(struct hx711 *hx711, int32_t counts, bool silent) {
    hx711->counts = counts;
    hx711->silent = silent;
    if (silent) {
        hx711->ready = false;
        hx711->pulses = 0;
        drive(hx711, true);
    }
}

void hx711_power_up(struct hx711 *hx711) {
    hx711->ready = false;
    hx711->pulses = 0;
    drive(hx711, true);
    wake(hx711, hx711->machine->avr->cycle);
}
