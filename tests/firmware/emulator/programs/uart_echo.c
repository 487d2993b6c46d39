/* Sends each byte back, plus one, both ways by interrupt. */
#include <avr/interrupt.h>

#include "test_program.h"

static volatile uint8_t ring[256], head, tail;

ISR(USART_RX_vect) {
    uint8_t status = UCSR0A;
    uint8_t byte = UDR0;
    ring[head++] = (uint8_t)(byte + ((status & (_BV(FE0) | _BV(DOR0))) ? 0x80 : 1));
    UCSR0B |= _BV(UDRIE0);
}

ISR(USART_UDRE_vect) {
    if (head == tail) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
    } else {
        UDR0 = ring[tail++];
    }
}

int main(void) {
    UCSR0A = _BV(U2X0);
    UBRR0 = 3;
    UCSR0B = _BV(TXEN0) | _BV(RXEN0) | _BV(RXCIE0);
    sei();
    STOP();
}
