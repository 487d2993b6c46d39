#include "sensors.h"

#include <math.h>
#include <string.h>

#include "decay.h"

static const double LOAD_OHM = 680;
static const double SATURATED_VOLT = 0.4;   /* what the transistor keeps */
static const double BASE_COULOMB = 3.38e-10; /* gain 500 times 26 pF of the base times 26 mV */
static const double MILLER_FARAD = 5e-9;    /* gain times the capacitance to the collector: a slow one */
static const double LEAST_AMPERE = 1e-9;
static const double CYCLE_SECONDS = 62.5e-9;

/* In light of more than 100 microamperes the transistor makes more of what its own emitter adds: by the exponent 0.094,
 * which is made of square roots, for these are exact. */
static const double GAIN_FROM = 100;

/* In one step the current changes by so much of itself at most, except in the end. */
static const double STEP_SHARE = 0.1;

/* Under a lamp no step is longer than this, and what lies farther back has no effect. */
enum { LAMP_STEP = 10 * 16, LAMP_MEMORY = 1000 * 16 };

void sensor_open(struct sensor *sensor) {
    memset(sensor, 0, sizeof *sensor);
    sensor->ampere = LEAST_AMPERE;
    for (unsigned lamp = 0; lamp < LAMPS; lamp++) {
        sensor->share[lamp] = 1;
    }
}

/* The current that the light of a cycle would give in the end. */
static double goal(const struct sensor *sensor, const struct lamps *lamps, uint64_t cycle) {
    double light = sensor->ambient, gain = 1;
    for (unsigned lamp = 0; lamp < LAMPS; lamp++) {
        light += sensor->share[lamp] * lamp_light(&lamps->lamp[lamp], cycle);
    }
    if (sensor->lit && light > GAIN_FROM) {
        double sixteenth = sqrt(sqrt(sqrt(sqrt(light / GAIN_FROM))));
        gain = sixteenth * sqrt(sixteenth);
    }
    light += sensor->lit ? gain * sensor->reflected : 0;
    double ampere = light * 1e-6;
    return ampere < LEAST_AMPERE ? LEAST_AMPERE : ampere;
}

void sensor_settle(struct sensor *sensor, const struct lamps *lamps, uint64_t cycle) {
    if (cycle <= sensor->since) {
        return;
    }
    bool lamps_lit = lamps_any(lamps);
    if (lamps_lit && cycle - sensor->since > LAMP_MEMORY) {
        sensor->since = cycle - LAMP_MEMORY;
    }
    double now = (double)sensor->since, end = (double)cycle;
    double wanted = goal(sensor, lamps, sensor->since);
    while (now < end) {
        double until = lamps_lit && end - now > LAMP_STEP ? now + LAMP_STEP : end;
        wanted = lamps_lit ? goal(sensor, lamps, (uint64_t)now) : wanted;
        double seconds = BASE_COULOMB / sensor->ampere + MILLER_FARAD * LOAD_OHM;
        double away = fabs(wanted - sensor->ampere);
        if (away > STEP_SHARE * sensor->ampere) {
            double step = STEP_SHARE * seconds * sensor->ampere / away / CYCLE_SECONDS;
            until = now + step < until ? now + step : until;
        }
        sensor->ampere = wanted + (sensor->ampere - wanted) * decay((until - now) * CYCLE_SECONDS / seconds);
        now = until;
    }
    sensor->since = cycle;
}

double sensor_volt(const struct sensor *sensor, double supply) {
    double volt = sensor->ampere * LOAD_OHM, most = supply - SATURATED_VOLT;
    return volt > most ? most : volt;
}
