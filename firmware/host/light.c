#include "light.h"

#include <math.h>

#define TURN 6.283185307179586

/* Volts of the supply, and ohms of a sensor's load; counts of a converter, and the most that it reads. */
#define SUPPLY_VOLT 5.0
#define LOAD_OHM 680.0
#define FULL_SCALE 1024.0
#define MOST_COUNTS 1023.0

/* Volts that a saturated transistor keeps; by which a lit bank lifts the ground, and lowers the reference. */
#define SATURATED_VOLT 0.4
#define LIFTED_VOLT 0.002
#define DIPPED_VOLT 0.012

/* Charge of the base and capacitance to the collector, both times the gain; the least current of a transistor. */
#define BASE_COULOMB 3.38e-10
#define MILLER_FARAD 5e-9
#define LEAST_AMPERE 1e-9

/* From so many microamperes of other light on the gain grows, by this exponent of it. */
#define GROWS_FROM 100.0
#define GROWS_BY 0.094

/* Seconds before a reading that have an effect on it: so many times those in which the transistor follows, and these at
   most; and those of a step in which no lamp changes much. */
#define MEMORY 30.0
#define MEMORY_MOST 400e-6
#define STEP 10e-6

/* In one step the current changes by so much of itself at most, except in the end. */
#define STEP_SHARE 0.2

/* Seconds for which a picture of a television stays. */
#define PICTURE 0.04

/* In so many microamperes of light, or more, a transistor that was in the dark has followed within 0.1 s. */
#define SOON 1.0

#define READINGS 3

static uint64_t mixed(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return bits ^ (bits >> 31);
}

static double share_of(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

/* A number of a normal distribution. */
static double normal(struct chance *chance)
{
    double length;

    chance->state += 0x9E3779B97F4A7C15u;
    length = sqrt(-2.0 * log(1.0 - share_of(mixed(chance->state))));
    return length * cos(TURN * share_of(mixed(chance->state ^ 0xD1B54A32D192ED03u)));
}

static bool is_on(double seconds, double hertz, double duty, double phase)
{
    double turns = hertz * seconds + phase;

    return turns - floor(turns) < duty;
}

static double television(const struct light *light, double seconds)
{
    uint64_t picture = (uint64_t)(seconds / PICTURE) ^ (uint64_t)light->seed << 32;

    return is_on(seconds, light->values[1], 0.2 + 0.8 * share_of(mixed(picture)), 0.0) ? light->values[0] : 0.0;
}

static double slope(const double *values, double seconds)
{
    double changes = floor(seconds / values[3]);
    double risen = fmin(1.0, (seconds - changes * values[3]) / values[2]);

    return values[0] + (values[1] - values[0]) * (fmod(changes, 2.0) != 0.0 ? 1.0 - risen : risen);
}

static double patch(const double *values, double seconds, double place)
{
    double away = fmod(place - values[3] * seconds, LIGHT_PLACES);
    double edge;

    away = away < 0.0 ? away + LIGHT_PLACES : away;
    edge = fmin(away, LIGHT_PLACES - away) - values[2] / 2;
    /* The edge is an eighth of a place wide. */
    return values[1] + (values[0] - values[1]) * fmin(1.0, fmax(0.0, 0.5 - 8.0 * edge));
}

double light_at(const struct light *light, double seconds, double place)
{
    const double *values = light->values;

    if (light->switched > 0.0 && fmod(floor(seconds / light->switched), 2.0) == 0.0) {
        return 0.0;
    }
    switch ((enum light_kind)light->kind) {
    case LIGHT_STEADY:
        return values[0];
    case LIGHT_SINE:
        return values[0] * (1.0 - values[2] * cos(TURN * (values[1] * seconds + values[3])));
    case LIGHT_PWM:
        return is_on(seconds, values[1], values[2], values[3]) ? values[0] : 0.0;
    case LIGHT_TELEVISION:
        return television(light, seconds);
    case LIGHT_SLOPE:
        return slope(values, seconds);
    case LIGHT_PATCH:
        return patch(values, seconds, place);
    }
    return 0.0;
}

static double outside(const struct lit_sensor *sensor, double seconds)
{
    double sum = 0.0;
    uint8_t light;

    for (light = 0; light < sensor->count; light++) {
        sum += light_at(&sensor->lights[light], seconds, sensor->place);
    }
    return sum * sensor->share;
}

/* Seconds in which a transistor follows light. */
static double slowness_of(double ampere)
{
    return BASE_COULOMB / ampere + MILLER_FARAD * LOAD_OHM;
}

/* The current of a transistor after so much light (microamperes) for so long. */
static double follow(double ampere, double microampere, double seconds)
{
    double wanted = fmax(LEAST_AMPERE, microampere * 1e-6);

    while (seconds > 0.0 && ampere != wanted) {
        double slowness = slowness_of(ampere);
        double away = fabs(wanted - ampere);
        double step = seconds;

        if (away > STEP_SHARE * ampere) {
            step = fmin(step, STEP_SHARE * slowness * ampere / away);
        } else if (away < 1e-6 * wanted) {
            return wanted;
        }
        ampere = wanted + (ampere - wanted) * exp(-step / slowness);
        seconds -= step;
    }
    return ampere;
}

/* Let time go by, up to `until`. */
static double pass(const struct lit_sensor *sensor, double ampere, double at, double until, bool lit)
{
    double before = GROWS_FROM;
    double gain = 1.0;

    while (at < until) {
        double step = fmin(STEP, until - at);
        double light = outside(sensor, at);

        if (lit && light != before) { /* most lights stay for many steps */
            gain = light > GROWS_FROM ? pow(light / GROWS_FROM, GROWS_BY) : 1.0;
            before = light;
        }
        ampere = follow(ampere, lit ? light + sensor->reflected * gain : light, step);
        at += STEP;
    }
    return ampere;
}

static uint16_t converted(double ampere, bool lit, double noise, struct chance *chance)
{
    double volt = fmin(ampere * LOAD_OHM, SUPPLY_VOLT - SATURATED_VOLT) + (lit ? LIFTED_VOLT : 0.0);
    double counts = volt * FULL_SCALE / (SUPPLY_VOLT - (lit ? DIPPED_VOLT : 0.0)) + noise * normal(chance);

    return (uint16_t)fmin(MOST_COUNTS, fmax(0.0, counts));
}

void light_read(const struct lit_sensor *sensor, const double *times, bool inverted, double settles, double noise,
                struct chance *chance, uint16_t *readings)
{
    double at = times[0] - MEMORY_MOST;
    double light = outside(sensor, at);
    double ampere = light < SOON ? follow(LEAST_AMPERE, light, 0.1) : light * 1e-6;
    uint8_t reading;

    at = fmax(at, times[0] - MEMORY * slowness_of(ampere));
    for (reading = 0; reading < READINGS; reading++) {
        bool lit = inverted != (reading == 1);
        double switched = times[reading] - settles;

        ampere = pass(sensor, ampere, at, switched, reading != 0 && !lit);
        ampere = pass(sensor, ampere, fmax(at, switched), times[reading], lit);
        readings[reading] = converted(ampere, lit, noise, chance);
        at = times[reading];
    }
}
