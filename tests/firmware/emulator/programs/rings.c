/* Lights BANKS, and LIGHT cycles later reads INPUT of converter CHIP: marks the three bytes that come in. It samples 112
 * cycles after that, at 2 MHz. Then dark, and DARK cycles later once more. */
#include "test_program.h"

#ifndef CHIP
#define CHIP 0
#endif
#ifndef INPUT
#define INPUT 0
#endif
#ifndef CONTROL
#define CONTROL (_BV(SPE) | _BV(MSTR) | _BV(SPR0)) /* with SPI2X 2 MHz */
#endif

#define DARK_IDLE (_BV(PB1) | _BV(PB0)) /* no converter selected, latch low, emitters off */
#define LIT_IDLE _BV(PB1)

static uint8_t exchange(uint8_t byte) {
    SPDR = byte;
    while (!(SPSR & _BV(SPIF))) {}
    return SPDR;
}

static void read_and_mark(uint8_t idle) {
    uint8_t bytes[3];
    PORTB = idle & (uint8_t)~_BV(PB1);
#ifdef SWITCH
    PORTD = (CHIP ^ 1) << 4;
    PORTD = CHIP << 4;
#endif
    bytes[0] = exchange(1);
    bytes[1] = exchange(0x80 | INPUT << 4);
    bytes[2] = exchange(0);
    PORTB = idle;
    for (uint8_t i = 0; i < 3; i++) { MARK(bytes[i]); }
}

int main(void) {
    PORTB = DARK_IDLE;
    DDRB = _BV(PB0) | _BV(PB1) | _BV(PB2) | _BV(PB3) | _BV(PB5);
    PORTD = CHIP << 4;
    DDRD = 0xF0;
    SPCR = CONTROL;
    SPSR = _BV(SPI2X);
    exchange(BANKS);
#if defined DISTURB && DISTURB
    SPDR = BANKS;
    PORTB = DARK_IDLE | _BV(PB2);
    PORTB = DARK_IDLE;
    while (!(SPSR & _BV(SPIF))) {}
    uint8_t nothing = SPDR;
    (void)nothing;
#endif
    PORTB = DARK_IDLE | _BV(PB2);
    PORTB = DARK_IDLE;
    PORTB = LIT_IDLE;
    __builtin_avr_delay_cycles(LIGHT);
    read_and_mark(LIT_IDLE);
#ifndef LEAVE_LIT
    PORTB = DARK_IDLE;
    __builtin_avr_delay_cycles(DARK);
    read_and_mark(DARK_IDLE);
#endif
    STOP();
}
