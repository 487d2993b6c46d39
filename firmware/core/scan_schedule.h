/* Which field is converted while which ring sensor is read. The converters of the ring sensors and the multiplexers of
   the fields have the lower select lines in common, so whatever converter is read, the fields of that address and of
   the one with the highest line set are at hand. A scan reads all eight converters six times: in the first two rounds
   it converts the fields of the first multiplexer, in the first of them those with the highest line low, and so on.
   The tables come from the wiring map. */
#ifndef TAMSK_SCAN_SCHEDULE_H
#define TAMSK_SCAN_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

#define SCAN_ROUNDS 6
#define SCAN_ADDRESSES 8

/* In place of a reading: none has this input. */
#define SCHEDULE_NOTHING UINT8_MAX

struct schedule {
    uint8_t into[SCAN_ROUNDS][SCAN_ADDRESSES]; /* place among the analog readings, by round and lower select lines */
};

/* Make it from the tables. */
void schedule_start(struct schedule *schedule);

/* The ADC input of a round's multiplexer; any where a round has no multiplexer, and so no readings. */
uint8_t schedule_adc(uint8_t round);

/* Whether the highest select line is high in a round. */
bool schedule_high(uint8_t round);

#endif
