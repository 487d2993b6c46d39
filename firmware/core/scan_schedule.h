/* A scan as data: which conversions are made while which bank is lit. The tables come from the wiring map. */
#ifndef TAMSK_SCAN_SCHEDULE_H
#define TAMSK_SCAN_SCHEDULE_H

#include <stdint.h>

struct conversion {
    uint8_t address; /* on the multiplexers' select lines, 0 to 15 */
    uint8_t adc;     /* input of the ADC, 0 to 7 */
    uint8_t into;    /* place among the analog readings, 0 to ANALOG_COUNT - 1 */
};

/* The conversion at `place` (0 to ANALOG_COUNT - 1) in the order of a scan. */
struct conversion schedule_conversion(uint8_t place);

/* How many conversions the slot of a bank (0 to BANK_COUNT - 1) makes. */
uint8_t schedule_count(uint8_t bank);

#endif
