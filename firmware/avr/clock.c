#include "clock.h"

static uint32_t microseconds;
static uint16_t counted; /* ticks that `microseconds` holds already, modulo 2^16; always even */

void clock_start(void)
{
    TCCR1A = 0;
    TCCR1B = _BV(CS11); /* 16 MHz / 8 */
    TCNT1 = 0;
}

uint32_t clock_now(void)
{
    uint16_t passed = (uint16_t)((uint16_t)(clock_ticks() - counted) & (uint16_t)~1u);

    counted = (uint16_t)(counted + passed);
    microseconds += passed / TICKS_PER_MICROSECOND;
    return microseconds;
}
