/* The 64 photo-transistors: emitter followers on 33 kohm, each into a Schmitt input of a 74HC165. */
#ifndef EMULATOR_SENSORS_H
#define EMULATOR_SENSORS_H

#include <stdbool.h>
#include <stdint.h>

enum { SENSORS = 64, BANKS = 8 };

struct sensor {
    double reflected; /* photo-current while its bank is lit, in microamperes, 0 to 10000 */
    double ambient;   /* photo-current from the room's light, always, in microamperes, 0 to 10000 */
    bool lit;
    double volt;   /* across the resistor at `since` */
    uint64_t since; /* cycle */
    bool seen;     /* what the Schmitt input makes of it */
};

/* Brings the voltage and the input up to a cycle. Call it before anything about the sensor changes. */
void sensor_settle(struct sensor *sensor, uint64_t cycle);

#endif
