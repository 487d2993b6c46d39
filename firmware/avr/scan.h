/* One scan of the board: all fields and references, 64 sensors lit and dark (docs/design.md, Scan and timing). */
#ifndef TAMSK_SCAN_H
#define TAMSK_SCAN_H

#include <stdint.h>

#include "readings.h"

/* Between two scans the banks must have been dark for so long, in microseconds. */
#define SCAN_DARK_MICROSECONDS 250

/* Scan with this light time (60 to 250 microseconds). It takes 8 times the light time and about 110 microseconds,
   but no less than the 41 conversions need: 1.3 to 1.45 ms up to 160, 2.1 ms with 250. The board is dark before and
   after. */
void scan(struct readings *readings, uint8_t light_microseconds);

#endif
