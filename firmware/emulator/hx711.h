/* An HX711, the converter of one ring holder's load cell, at 80 readings a second. */
#ifndef EMULATOR_HX711_H
#define EMULATOR_HX711_H

#include "noise.h"
#include "pins.h"

enum {
    HX711_LEAST = -8388608, /* counts: signed 24 bits */
    HX711_MOST = 8388607,
    HX711_RED_PERIOD = 200000,   /* cycles between readings: 12.5 ms */
    HX711_BLACK_PERIOD = 201000, /* no two oscillators agree */
    HX711_SETTLING = 4,          /* periods from power up to the first reading */
};

struct hx711 {
    struct machine *machine;
    struct pins *pins;
    const char *name;
    pin clock, data;
    uint64_t period, next; /* cycles; the cycle of the next reading */
    int32_t counts;        /* what the cell gives now */
    int32_t noise;         /* counts, standard deviation of a reading */
    struct noise chance;
    bool silent;           /* a dead chip: data stays high */
    bool clock_high, asleep, ready;
    uint64_t edge;   /* cycle of the clock's last change */
    uint32_t output; /* the reading that is shifted out, 24 bits */
    unsigned pulses; /* since the reading became ready */
};

/* A chip with power on, at 0 counts; `name` for its checks, `period` in cycles. */
void hx711_open(struct hx711 *hx711, const char *name, pin clock, pin data, uint64_t period, struct pins *pins,
                struct machine *machine);

/* What the load cell gives from the next reading on; or a chip that no longer answers, whose data stays high. */
void hx711_set(struct hx711 *hx711, int32_t counts, bool silent);

/* The supply was off: it begins anew, asleep or not. */
void hx711_power_up(struct hx711 *hx711);

#endif
