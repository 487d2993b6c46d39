#include "load_cells.h"

#include "tables.h"

#if WIRING_HOLDERS != 0

#include <util/atomic.h>
#include <util/delay_basic.h>

#include "pins.h"

/* 24 bits, and one clock more: channel A, gain 128 next time. */
#define READING_BITS 24

void load_cells_start(void)
{
    /* Low: a clock that is high for 60 microseconds switches the HX711 off. */
    PIN_LOW(PIN_HOLDER_RED_CLOCK);
    PIN_MAKE_OUTPUT(PIN_HOLDER_RED_CLOCK);
    PIN_LOW(PIN_HOLDER_BLACK_CLOCK);
    PIN_MAKE_OUTPUT(PIN_HOLDER_BLACK_CLOCK);
    /* Pulled up: one that is not there is never ready. */
    PIN_MAKE_INPUT(PIN_HOLDER_RED_DATA);
    PIN_HIGH(PIN_HOLDER_RED_DATA);
    PIN_MAKE_INPUT(PIN_HOLDER_BLACK_DATA);
    PIN_HIGH(PIN_HOLDER_BLACK_DATA);
}

static bool data(uint8_t holder)
{
    return holder == 0 ? PIN_IS_HIGH(PIN_HOLDER_RED_DATA) : PIN_IS_HIGH(PIN_HOLDER_BLACK_DATA);
}

/* One clock, half a microsecond or more high and low (at least 0.2 each); the bit that it brings. */
static bool clock_bit(uint8_t holder)
{
    bool bit;

    ATOMIC_BLOCK(ATOMIC_FORCEON)
    {
        if (holder == 0) {
            PIN_HIGH(PIN_HOLDER_RED_CLOCK);
        } else {
            PIN_HIGH(PIN_HOLDER_BLACK_CLOCK);
        }
        _delay_loop_1(3); /* 9 cycles */
        bit = data(holder);
        if (holder == 0) {
            PIN_LOW(PIN_HOLDER_RED_CLOCK);
        } else {
            PIN_LOW(PIN_HOLDER_BLACK_CLOCK);
        }
    }
    _delay_loop_1(3);
    return bit;
}

bool load_cell_take(uint8_t holder, int32_t *reading)
{
    uint32_t bits = 0;
    uint8_t count;

    if (data(holder)) {
        return false; /* high: no new reading yet */
    }
    for (count = 0; count < READING_BITS; count++) {
        bits = bits << 1 | clock_bit(holder);
    }
    clock_bit(holder);
    if ((bits & UINT32_C(0x800000)) != 0) {
        bits |= UINT32_C(0xFF000000);
    }
    *reading = (int32_t)bits;
    return true;
}

#else

void load_cells_start(void)
{
}

bool load_cell_take(uint8_t holder, int32_t *reading)
{
    (void)holder;
    (void)reading;
    return false;
}

#endif
