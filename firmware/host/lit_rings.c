/* The ring sensors of a board in light, as a library for Python (../../tests/disturbances/light.py): the core's plans
   and its filter, and between them the readings that light gives. */
#include <stdlib.h>

#include "light.h"
#include "ring_filter.h"
#include "scan_plan.h"

#define LIGHTS_MOST 8
#define READINGS 3

/* Seconds from a bank's beginning to its first light or reading; from light to the first converter; of a converter, and
   from its beginning to its sample: ../avr/scan.c, ../avr/ring_sensors.c. */
#define BEGINS 15e-6
#define SETTLES 54e-6
#define CONVERTER 15.5e-6
#define SAMPLED 6e-6

struct lit_rings {
    struct light lights[LIGHTS_MOST];
    struct lit_sensor sensors[RING_BITS];
    struct ring_filter filter;
    struct scan_plan plan;
    struct chance chance;
    double noise;
    bool in_fixed_order;
    uint64_t read; /* a bit for each sensor that is visited at all */
};

struct lit_rings *lit_rings_open(uint32_t seed, double noise, bool in_fixed_order, const double *places)
{
    struct lit_rings *rings = calloc(1, sizeof *rings);
    uint8_t sensor;

    if (rings == NULL) {
        return NULL;
    }
    ring_filter_start(&rings->filter);
    scan_plan_start(&rings->plan, (uint16_t)seed);
    rings->chance.state = seed;
    rings->noise = noise;
    rings->in_fixed_order = in_fixed_order;
    for (sensor = 0; sensor < RING_BITS; sensor++) {
        rings->sensors[sensor].lights = rings->lights;
        rings->sensors[sensor].place = places[sensor];
        rings->sensors[sensor].share = 1.0;
    }
    return rings;
}

void lit_rings_close(struct lit_rings *rings)
{
    free(rings);
}

/* The lights from now on, LIGHTS_MOST at most. */
void lit_rings_shine(struct lit_rings *rings, const struct light *lights, uint8_t count)
{
    uint8_t place;

    for (place = 0; place < count; place++) {
        rings->lights[place] = lights[place];
    }
    for (place = 0; place < RING_BITS; place++) {
        rings->sensors[place].count = count;
    }
}

/* What lies on the sensors from now on: their own light's currents in microamperes, and shares of outside light; `read`:
   those that are looked at, a bit each, the others saving time. */
void lit_rings_lay(struct lit_rings *rings, const double *reflected, const double *shares, uint64_t read)
{
    uint8_t sensor;

    rings->read = read;
    for (sensor = 0; sensor < RING_BITS; sensor++) {
        rings->sensors[sensor].reflected = reflected[sensor];
        rings->sensors[sensor].share = shares[sensor];
    }
}

void lit_rings_thresholds(struct lit_rings *rings, const uint8_t *thresholds)
{
    uint8_t sensor;

    for (sensor = 0; sensor < RING_BITS; sensor++) {
        rings->filter.sensor[sensor].threshold = thresholds[sensor];
    }
}

static void visit(struct lit_rings *rings, const struct bank_plan *plan, double settled, double settles, uint8_t place)
{
    uint8_t chip = (uint8_t)((plan->first_chip + plan->chip_step * place) % RING_CHIPS);
    uint8_t sensor = (uint8_t)(chip * RING_INPUTS + plan->bank);
    double after = place * CONVERTER + SAMPLED;
    double one = RING_CHIPS * CONVERTER + settles;
    double times[READINGS] = {settled + after, settled + after + one, settled + after + 2 * one};
    uint16_t readings[READINGS];

    if ((rings->read >> sensor & 1) == 0) {
        return;
    }
    light_read(&rings->sensors[sensor], times, plan->inverted, settles + after, rings->noise, &rings->chance, readings);
    ring_filter_visit(&rings->filter, chip, plan->bank, readings, plan->inverted);
}

/* The same order each time: dark, lit, dark. */
static struct bank_plan in_fixed_order(const struct scan_plan *plan, uint8_t place)
{
    struct bank_plan fixed = {.chip_step = 1};

    fixed.bank = (uint8_t)((plan->banks[0].bank & ~1u) + place);
    return fixed;
}

/* A scan that begins then (seconds). */
void lit_rings_scan(struct lit_rings *rings, double begin)
{
    double at = begin;
    uint8_t bank;
    uint8_t place;

    scan_plan_next(&rings->plan);
    for (bank = 0; bank < SCAN_BANKS; bank++) {
        struct bank_plan plan = rings->in_fixed_order ? in_fixed_order(&rings->plan, bank) : rings->plan.banks[bank];
        double settles = SETTLES + plan.settles * 1e-6;

        at += BEGINS + plan.wait * 1e-6 + (plan.inverted ? settles : 0.0);
        for (place = 0; place < RING_CHIPS; place++) {
            visit(rings, &plan, at, settles, place);
        }
        at += READINGS * RING_CHIPS * CONVERTER + 2 * settles;
    }
}

/* What is decided: ring bits, then unknown bits. */
void lit_rings_decided(const struct lit_rings *rings, uint64_t *bits)
{
    uint8_t chip;

    bits[0] = bits[1] = 0;
    for (chip = 0; chip < RING_CHIPS; chip++) {
        bits[0] |= (uint64_t)rings->filter.decided[chip].seen << (chip * RING_INPUTS);
        bits[1] |= (uint64_t)rings->filter.decided[chip].unknown << (chip * RING_INPUTS);
    }
}

/* A sensor's mean (in sixteenths), deviation (in eighths), and dark reading (in steps of 4 counts). */
void lit_rings_signal(const struct lit_rings *rings, uint8_t sensor, int16_t *signal)
{
    const struct ring_sensor *of = &rings->filter.sensor[sensor];

    signal[0] = of->mean;
    signal[1] = of->deviation;
    signal[2] = of->dark;
}
