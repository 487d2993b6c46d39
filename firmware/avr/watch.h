/* The watchdog, the note of a hang, and what the last reset was. */
#ifndef TAMSK_WATCH_H
#define TAMSK_WATCH_H

#include <stdint.h>

/* MCUSR's bits of the last reset as far as they can be known (core/reset_cause.h). To be asked once. */
uint8_t watch_reset_cause(void);

/* From now on the board resets when `watch_alive` is not called for 120 ms. Interrupts must be on. */
void watch_start(void);

/* The main loop goes round. Where it does not for 82 to 98 ms a note of it is left for the start after the reset. */
void watch_alive(void);

#endif
