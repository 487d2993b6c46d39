/* Lights BANK for LIGHT cycles, reads the chain at the end of them, marks its eight bytes; then again in the dark, DARK
 * cycles after the light. Light and dark begin and end with an OUT of PORTB, counted to the cycle. */
#include "test_program.h"

#define IDLE _BV(PB1)              /* SH/LD high, latch low, emitters on */
#define LOAD 0

static uint8_t exchange(uint8_t byte) {
    SPDR = byte;
    while (!(SPSR & _BV(SPIF))) {}
    return SPDR;
}

#define READ_AND_MARK() \
    for (uint8_t i = 0; i < 8; i++) { uint8_t byte = exchange(0); MARK(byte); }

int main(void) {
    PORTB = IDLE;
    DDRB = _BV(PB0) | _BV(PB1) | _BV(PB2) | _BV(PB3) | _BV(PB5);
    SPCR = _BV(SPE) | _BV(MSTR);
    exchange(BANKS);
#if defined DISTURB && DISTURB
    SPDR = BANKS;
    PORTB = IDLE | _BV(PB2);
    PORTB = IDLE;
    while (!(SPSR & _BV(SPIF))) {}
    uint8_t nothing = SPDR;
    (void)nothing;
#endif
    /* latch: lit from the cycle of this OUT on; LOAD goes high LIGHT cycles later */
    __asm__ volatile(
        "out %[port], %[latch]\n\t"
        "out %[port], %[idle]\n\t"
        "out %[port], %[load]\n\t"
        ".rept " STRING_OF(LIGHT) " - 3\n\tnop\n\t.endr\n\t"
        "out %[port], %[idle]"
        : : [port] "I"(_SFR_IO_ADDR(PORTB)), [latch] "r"((uint8_t)(IDLE | _BV(PB2))), [idle] "r"((uint8_t)IDLE),
        [load] "r"((uint8_t)LOAD));
    READ_AND_MARK();
#ifndef LEAVE_LIT
    __asm__ volatile(
        "out %[port], %[latch]\n\t"
        "out %[port], %[idle]\n\t"
        "out %[port], %[load]\n\t"
        ".rept " STRING_OF(DARK) " - 3\n\tnop\n\t.endr\n\t"
        "out %[port], %[idle]"
        : : [port] "I"(_SFR_IO_ADDR(PORTB)), [latch] "r"((uint8_t)(IDLE | _BV(PB2))), [idle] "r"((uint8_t)IDLE),
        [load] "r"((uint8_t)LOAD));
    READ_AND_MARK();
#endif
    STOP();
}
