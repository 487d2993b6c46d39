/* The ring sensors: eight 74HC165 and the TPIC6B595 of their emitters on one SPI clock. */
#ifndef TAMSK_CHAIN_H
#define TAMSK_CHAIN_H

#include <stdint.h>

/* Pins and SPI; all banks dark. */
void chain_start(void);

/* Light what was shifted to the TPIC6B595 last. */
void chain_light(void);

/* Latch all 64 inputs as they are now. */
void chain_latch(void);

/* All banks dark, at once. */
void chain_darken(void);

/* Read the latched inputs (byte per chip, bit per input) and shift the pattern of the banks to light next to the
   TPIC6B595, which does not show it yet. Waits for the SPI, 8 bytes of 2 microseconds, about 25 in all. */
void chain_shift(uint8_t banks, uint8_t *inputs);

#endif
