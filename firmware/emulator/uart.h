/* The controller's UART and the host's end of the line. 8 data bits, no parity, one stop bit: ten bits a byte. */
#ifndef EMULATOR_UART_H
#define EMULATOR_UART_H

#include <simavr/avr_uart.h>

#include "machine.h"

enum {
    UART_QUEUE = 65536,  /* bytes from the host that wait for the line */
    UART_LINE_BITS = 10, /* a byte with its start and stop bit */
    HOST_BIT_CYCLES = 32, /* the host's baud: 500 000 */
};

/* A byte has left: the cycle in which its stop bit ends. */
typedef void (*uart_output)(void *receiver, uint64_t cycle, uint8_t byte);

struct uart {
    struct machine *machine;
    avr_uart_t *module;
    uart_output output;
    void *receiver;
    /* to the host */
    bool shifting, waiting; /* a byte on the line; one more in the buffer */
    uint8_t shifted, buffered;
    /* from the host */
    uint8_t queue[UART_QUEUE];
    size_t queue_begin, queue_length;
    bool receiving;              /* a start bit has been sent and its stop bit has not been seen */
    uint64_t line_free;          /* the cycle in which the host may send its next start bit */
    uint16_t received[3];        /* data and UCSRA_FE << 8: two in the buffer, one still in the shift register */
    size_t received_count;
};

void uart_open(struct uart *uart, struct machine *machine, uart_output output, void *receiver);

/* Puts bytes behind those that wait. The first start bit begins at once when the line is free. False, and nothing taken,
 * when there is no room. */
bool uart_send(struct uart *uart, const uint8_t *bytes, size_t length);

#endif
