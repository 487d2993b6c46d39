/* Counts in bytes, 0 to 255 and again, as fast as the line at 500 000 baud takes them. */
#include "test_program.h"

int main(void) {
    UCSR0A = _BV(U2X0);
    UBRR0 = 3;
    UCSR0B = _BV(TXEN0);
    for (uint8_t number = 0;; number++) {
        while (!(UCSR0A & _BV(UDRE0))) {}
        UDR0 = number;
    }
}
