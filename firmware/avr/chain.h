/* The ring sensors: eight 74HC165 and the TPIC6B595 of their emitters on one SPI clock. */
#ifndef TAMSK_CHAIN_H
#define TAMSK_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

/* Pins and SPI; all banks dark. */
void chain_start(void);

/* Show what was shifted to the TPIC6B595 last: from one bank to the next at once. */
void chain_light(void);

/* Latch all 64 inputs as they are now. */
void chain_latch(void);

/* All banks dark, at once. */
void chain_darken(void);

/* Begin to read the latched inputs, and to shift the pattern of the banks to light next to the TPIC6B595, which does
   not show it yet: 8 bytes of 2 microseconds on the SPI. */
void chain_shift(uint8_t banks);

/* Go on with it, without waiting: take a byte that is there. Its bits of `mask` go into `inputs`, a byte per chip; the
   other bits there stay. Whether all bytes are taken. */
bool chain_shifted(uint8_t mask, uint8_t *inputs);

#endif
