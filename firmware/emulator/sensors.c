#include "sensors.h"

#include "decay.h"

static const double LOAD_OHM = 33e3;
static const double FULL_VOLT = 4.8;       /* 5 V less what the transistor keeps */
static const double RISE_SECONDS = 132e-6; /* 33 kohm times 4 nF, the transistor's Miller capacitance */
static const double FALL_SECONDS = 100e-6; /* gives the 179 us from full to 0.8 V of the simulation */
static const double ON_VOLT = 3.5;         /* the SN74HCS165's worst thresholds at 5 V */
static const double OFF_VOLT = 1.0;
static const double CYCLE_SECONDS = 62.5e-9;

void sensor_settle(struct sensor *sensor, uint64_t cycle) {
    if (cycle <= sensor->since) {
        return;
    }
    double seconds = (double)(cycle - sensor->since) * CYCLE_SECONDS;
    double current = sensor->ambient + (sensor->lit ? sensor->reflected : 0.0);
    double goal = current * 1e-6 * LOAD_OHM; /* beyond FULL_VOLT the transistor saturates */
    double slowness = goal > sensor->volt ? RISE_SECONDS : FALL_SECONDS;
    double volt = goal + (sensor->volt - goal) * decay(seconds / slowness);
    sensor->volt = volt > FULL_VOLT ? FULL_VOLT : volt;
    sensor->since = cycle;
    if (sensor->volt >= ON_VOLT) {
        sensor->seen = true;
    } else if (sensor->volt <= OFF_VOLT) {
        sensor->seen = false;
    }
}
