/* The controller's UART and the host's end of the line. 8 data bits, no parity, one stop bit: ten bits a byte. */
#ifndef EMULATOR_UART_H
#define EMULATOR_UART_H

#include <simavr/avr_uart.h>

#include "machine.h"
#include "noise.h"

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
    /* what goes wrong on the way */
    uint64_t damaged;            /* so many of the next bytes have a bit turned over */
    struct noise chance;         /* chooses it */
    uint16_t held_low;           /* bits of the byte on the line, the ninth its stop bit, that the line's fault makes 0 */
    uint16_t broken;             /* what the receiver takes the line's fault for, with UCSRA_FE << 8 */
    uint64_t line_mended;        /* a byte that the host begins before this cycle is lost */
};

/* Takes over the UART's registers; each byte that the controller has sent goes to `output` with `receiver`. */
void uart_open(struct uart *uart, struct machine *machine, uart_output output, void *receiver);

/* Puts bytes behind those that wait. The first start bit begins at once when the line is free. False, and nothing taken,
 * when there is no room. */
bool uart_send(struct uart *uart, const uint8_t *bytes, size_t length);

/* In each of the next bytes from the host, those that wait included, one bit is turned over. */
void uart_damage(struct uart *uart, uint64_t bytes);

/* The line from the host is held low for so many cycles, from now on. The receiver takes it for a byte: of zeros as far
 * as it lasts, with a frame error when it lasts to the stop bit's middle; half a bit at most it does not see. A byte
 * on its way has zeros from here on instead; bytes that the host begins meanwhile are lost. False, and nothing done, as
 * long as the last one is not over. */
bool uart_break(struct uart *uart, uint64_t cycles);

#endif
