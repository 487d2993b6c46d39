/* One scan of the board: all fields and references, and two banks of ring sensors (docs/design.md, Scan and timing). */
#ifndef TAMSK_SCAN_H
#define TAMSK_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "readings.h"
#include "ring_filter.h"

/* Begin; `chance` is any number, another one at each start. */
void scan_start(uint16_t chance);

/* Scan: the analog readings and what the ring sensors see by now go to `readings`. The board is dark before and after.
   While light settles, each time for 54 to 82 microseconds, `meanwhile` is called: whether it had something to do. Bit
   per converter of ring sensors: 1 = it did not answer. */
uint8_t scan(struct readings *readings, struct ring_filter *rings, bool (*meanwhile)(void));

#endif
