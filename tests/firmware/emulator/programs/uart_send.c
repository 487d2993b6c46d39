/* Sends three bytes at 500 000 baud: the first two as fast as the double buffer takes them. */
#include "test_program.h"

int main(void) {
    UCSR0A = _BV(U2X0);
    UBRR0 = DIVISOR;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(TXEN0);
    MARK(1);
    UDR0 = 0x41;
    MARK(2);
    UDR0 = 0x42;
    MARK(UCSR0A & _BV(UDRE0) ? 0x0F : 0x0E); /* the buffer is taken */
#ifdef OVERWRITE
    UDR0 = 0x58;
#endif
    while (!(UCSR0A & _BV(UDRE0))) {}
    MARK(3);
    UDR0 = 0x43;
    while (!(UCSR0A & _BV(TXC0))) {}
    MARK(4);
    STOP();
}
