/* The ADC behind the multiplexers: 8 bits against the supply, 13 microseconds a conversion. Nothing here waits for one
   that was begun in time. */
#ifndef TAMSK_CONVERTER_H
#define TAMSK_CONVERTER_H

#include <stdbool.h>
#include <stdint.h>

/* Begin; the first conversion, which takes twice as long, is made. */
void converter_start(void);

/* Begin to convert what is on an input, for this place of `analog`, where it comes with the next call; for a place of
   SCHEDULE_NOTHING nothing is converted. The select lines must have stood for 3.7 microseconds, and must go on to for
   3 more. */
void converter_next(uint8_t input, uint8_t place, uint8_t *analog);

/* The supply, between scans: point at the board's 2.5 V reference; 10 microseconds later begin; the result, that is
   256 * 2.5 V / supply, when `converter_supply_ready` says so. */
void converter_supply_point(void);
void converter_supply_begin(void);
bool converter_supply_ready(void);
uint8_t converter_supply(void);

#endif
