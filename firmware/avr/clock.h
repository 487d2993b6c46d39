/* Controller time from timer 1, which counts half microseconds. */
#ifndef TAMSK_CLOCK_H
#define TAMSK_CLOCK_H

#include <avr/io.h>
#include <stdint.h>

#define TICKS_PER_MICROSECOND 2

/* Half microseconds, modulo 2^16 (32.8 ms). Interrupts read no 16-bit register, so a read needs no lock. */
static inline uint16_t clock_ticks(void)
{
    return TCNT1;
}

/* Begin to count, at 0. */
void clock_start(void);

/* Microseconds since the start, modulo 2^32. To be called at least every 32 ms, from the main loop only. */
uint32_t clock_now(void);

#endif
