/* The serial line: 500 000 baud, 8 data bits, no parity, 1 stop bit, by interrupts in both directions. */
#ifndef TAMSK_SERIAL_H
#define TAMSK_SERIAL_H

#include <stdbool.h>
#include <stdint.h>

/* Speed and form of the line; receiving begins as soon as interrupts are on. */
void serial_start(void);

/* The next byte that came, if there is one. */
bool serial_take(uint8_t *byte);

/* Whether a byte was lost (overrun, no stop bit, or no room) since the last time this was asked. */
bool serial_lost(void);

/* Whether the last byte of the frame before has gone to the transmitter, so that `serial_frame` may be written. */
bool serial_idle(void);

/* Room for the next frame, CONTROLLER_FRAME_ROOM bytes. */
uint8_t *serial_frame(void);

/* Send so many bytes of it. */
void serial_send(uint8_t count);

#endif
