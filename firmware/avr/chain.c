#include "chain.h"

#include <avr/io.h>

#include "pins.h"
#include "protocol.h"
#include "tables.h"

/* A pulse of 250 ns; the 74HC165 and the TPIC6B595 want 100 ns at most. */
#define PULSE_WAIT() __asm__ __volatile__("nop\n\tnop" ::: "memory")

static uint8_t last;  /* the byte to send last: the TPIC6B595 keeps it */
static uint8_t taken; /* bytes of this shift that were taken, 0 to 8 */

void chain_start(void)
{
    uint8_t inputs[CHAIN_CHIPS] = {0};

    PIN_HIGH(PIN_EMITTER_ENABLE); /* dark before the pin drives */
    PIN_MAKE_OUTPUT(PIN_EMITTER_ENABLE);
    PIN_HIGH(PIN_CHAIN_LOAD);
    PIN_MAKE_OUTPUT(PIN_CHAIN_LOAD);
    PIN_LOW(PIN_LATCH);
    PIN_MAKE_OUTPUT(PIN_LATCH); /* one of the outputs is SS: the wiring map sees to it */
    PIN_MAKE_OUTPUT(PIN_MOSI);
    PIN_MAKE_OUTPUT(PIN_SCK);
    SPSR = 0;
    SPCR = _BV(SPE) | _BV(MSTR); /* mode 0, most significant bit first, 16 MHz / 4 */
    chain_shift(1); /* the first scan begins with bank 0 */
    while (!chain_shifted(0, inputs)) {
    }
}

void chain_light(void)
{
    PIN_HIGH(PIN_LATCH);
    PULSE_WAIT();
    PIN_LOW(PIN_LATCH);
    PIN_LOW(PIN_EMITTER_ENABLE);
}

void chain_latch(void)
{
    PIN_LOW(PIN_CHAIN_LOAD);
    PULSE_WAIT();
    PIN_HIGH(PIN_CHAIN_LOAD);
}

void chain_darken(void)
{
    PIN_HIGH(PIN_EMITTER_ENABLE);
}

void chain_shift(uint8_t banks)
{
    last = banks;
    taken = 0;
    SPDR = 0;
}

bool chain_shifted(uint8_t mask, uint8_t *inputs)
{
    uint8_t *chip = inputs + taken;
    uint8_t byte;

    if (taken == CHAIN_CHIPS) {
        return true;
    }
    if ((SPSR & _BV(SPIF)) == 0) {
        return false;
    }
    byte = SPDR;
    taken++;
    if (taken != CHAIN_CHIPS) {
        SPDR = taken == CHAIN_CHIPS - 1 ? last : 0;
    }
    *chip = (uint8_t)((*chip & (uint8_t)~mask) | (byte & mask));
    return taken == CHAIN_CHIPS;
}
