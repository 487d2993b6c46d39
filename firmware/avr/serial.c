#include "serial.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "controller.h"

/* A power of two. Bytes are taken between two scans, 2.5 ms apart, in which 125 bytes can come. */
#define RECEIVED_ROOM 128

static volatile uint8_t received[RECEIVED_ROOM];
static volatile uint8_t received_end;   /* where the interrupt puts the next byte */
static volatile uint8_t received_taken; /* where the main loop takes the next one */
static volatile bool lost;

static uint8_t frame[CONTROLLER_FRAME_ROOM];
static volatile uint8_t frame_sent;
static volatile uint8_t frame_length;

void serial_start(void)
{
    UBRR0 = 1; /* 16 MHz / 16 / (1 + 1) = 500 000, exactly */
    UCSR0A = 0;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
}

/* What is not rare comes first: a burst from the host takes a fifth of all time here. */
ISR(USART_RX_vect)
{
    uint8_t errors = UCSR0A & (_BV(FE0) | _BV(DOR0)); /* to be read before the byte */
    uint8_t byte = UDR0;
    uint8_t end = received_end;
    uint8_t next = (uint8_t)((uint8_t)(end + 1) % RECEIVED_ROOM);

    if (errors == 0 && next != received_taken) {
        received[end] = byte;
        received_end = next;
        return;
    }
    lost = true;
    if ((errors & _BV(FE0)) == 0 && next != received_taken) {
        received[end] = byte;
        received_end = next;
    }
}

ISR(USART_UDRE_vect)
{
    uint8_t sent = frame_sent;

    UDR0 = frame[sent];
    sent++;
    frame_sent = sent;
    if (sent == frame_length) {
        UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
    }
}

bool serial_take(uint8_t *byte)
{
    if (received_taken == received_end) {
        return false;
    }
    *byte = received[received_taken];
    received_taken = (uint8_t)((received_taken + 1) % RECEIVED_ROOM);
    return true;
}

bool serial_lost(void)
{
    /* Set again between these two it would be one loss told of once: no lock needed. */
    bool was = lost;

    lost = false;
    return was;
}

bool serial_idle(void)
{
    return (UCSR0B & _BV(UDRIE0)) == 0;
}

uint8_t *serial_frame(void)
{
    return frame;
}

void serial_send(uint8_t count)
{
    frame_sent = 0;
    frame_length = count;
    UCSR0B = _BV(RXCIE0) | _BV(UDRIE0) | _BV(RXEN0) | _BV(TXEN0);
}
