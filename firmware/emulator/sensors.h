/* The 64 photo-transistors: emitter followers on 680 ohm, each at an input of an MCP3008. Light from anywhere adds up; the
 * transistor has one state, its current, which needs time to charge the base: long in the dark, hardly any in light. */
#ifndef EMULATOR_SENSORS_H
#define EMULATOR_SENSORS_H

#include <stdbool.h>
#include <stdint.h>

#include "lamps.h"

enum { SENSORS = 64, BANKS = 8 };

struct sensor {
    double reflected; /* photo-current while its bank is lit, in microamperes, 0 to 10000 */
    double ambient;   /* photo-current from the room's light, always, in microamperes, 0 to 10000 */
    double share[LAMPS]; /* of each lamp's light that falls on it */
    bool lit;
    double ampere;  /* the transistor's current at `since` */
    uint64_t since; /* cycle */
};

/* A sensor in the dark, on which all lamps shine. */
void sensor_open(struct sensor *sensor);

/* Brings the current up to a cycle. Call it before anything about the sensor changes. */
void sensor_settle(struct sensor *sensor, const struct lamps *lamps, uint64_t cycle);

/* Volts across its load at `since`, at this supply. */
double sensor_volt(const struct sensor *sensor, double supply);

#endif
