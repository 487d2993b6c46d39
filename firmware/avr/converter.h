/* The ADC behind the multiplexers: 8 bits against the supply, 26 microseconds a conversion. Nothing here waits. */
#ifndef TAMSK_CONVERTER_H
#define TAMSK_CONVERTER_H

#include <stdbool.h>
#include <stdint.h>

/* Begin; points at the first conversion of a scan. */
void converter_start(void);

/* Point at the first conversion of a scan. It may begin 5 microseconds later. */
void converter_rewind(void);

/* So many conversions more may be made. */
void converter_allow(uint8_t count);

/* Go on: take a result that is there into `analog`, point at the next channel once this one is sampled, and begin
   the next conversion when `begin` allows it. */
void converter_go_on(uint8_t *analog, bool begin);

/* Whether the input is being looked at just now, for 6 microseconds of a conversion: then nothing may be switched. */
bool converter_looks(void);

/* Whether all that was allowed is made. */
bool converter_done(void);

/* The supply, between scans: point at the board's 2.5 V reference; begin; the result, that is 256 * 2.5 V / supply, when
   `converter_supply_ready` says so. */
void converter_supply_point(void);
void converter_supply_begin(void);
bool converter_supply_ready(void);
uint8_t converter_supply(void);

#endif
