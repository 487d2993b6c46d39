/* Looks for a byte, or is late for several. */
#include "test_program.h"

int main(void) {
    UCSR0A = _BV(U2X0);
    UBRR0 = DIVISOR;
    UCSR0B = _BV(RXEN0);
    MARK(0xAA);
    __asm__ volatile("" : : : "memory");
#if LATE
    __builtin_avr_delay_cycles(20000);
    while (UCSR0A & _BV(RXC0)) {
        MARK(UCSR0A & (_BV(DOR0) | _BV(FE0)));
        MARK(UDR0);
    }
    MARK(0xFF);
#else
    while (!(UCSR0A & _BV(RXC0))) {}
    MARK(UCSR0A & (_BV(DOR0) | _BV(FE0)));
    MARK(UDR0);
#endif
    STOP();
}
