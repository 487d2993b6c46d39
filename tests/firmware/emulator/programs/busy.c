/* Marks 1 with interrupts on, fifty times, then 3 with interrupts off, fifty times, and so on; 2 for each byte that comes,
 * by interrupt. WATCHED: under a watchdog of 16 ms, which it feeds. */
#include <avr/interrupt.h>
#include <avr/wdt.h>

#include "test_program.h"

ISR(USART_RX_vect) {
    (void)UDR0;
    MARK(2);
}

int main(void) {
    MCUSR = 0;
    wdt_disable();
#ifdef WATCHED
    wdt_enable(WDTO_15MS);
#endif
    UCSR0A = _BV(U2X0);
    UBRR0 = 3;
    UCSR0B = _BV(RXEN0) | _BV(RXCIE0);
    for (;;) {
        wdt_reset();
        sei();
        for (uint8_t count = 0; count < 50; count++) {
            MARK(1);
            NOPS(40);
        }
        cli();
        for (uint8_t count = 0; count < 50; count++) {
            MARK(3);
            NOPS(40);
        }
    }
}
