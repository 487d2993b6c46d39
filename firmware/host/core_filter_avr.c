/* The portable core as a program on the emulated controller: the commands of core_commands.h come over the UART, the
   answers go back there. A line may have 255 characters, and the next one may only begin when it was answered: while
   an answer is sent, nothing is read. A line that is no command is answered with "!" and the reason, and nothing
   more is. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "core_commands.h"
#include "words.h"

static volatile uint8_t received[256];
static volatile uint8_t received_end; /* where the interrupt puts the next character; both turn at 256 */
static uint8_t received_taken;

ISR(USART_RX_vect)
{
    received[received_end] = UDR0;
    received_end++;
}

int filter_get(void)
{
    while (received_taken == received_end) {
    }
    return received[received_taken++];
}

void filter_put(char character)
{
    while ((UCSR0A & _BV(UDRE0)) == 0) {
    }
    UDR0 = (uint8_t)character;
}

void filter_fail(const char *what)
{
    filter_put('!');
    while (*what != '\0') {
        filter_put(*what++);
    }
    filter_put('\n');
    for (;;) {
    }
}

int main(void)
{
    UBRR0 = 1; /* 500 000 baud, as the firmware */
    UCSR0A = 0;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
    sei();
    while (core_command()) {
    }
    return 0;
}
