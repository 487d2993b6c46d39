/* The two HX711 under the ring holders, where they are fitted. */
#ifndef TAMSK_LOAD_CELLS_H
#define TAMSK_LOAD_CELLS_H

#include <stdbool.h>
#include <stdint.h>

/* Pins; both chips on. Without holders there is nothing to do. */
void load_cells_start(void);

/* A reading (-2^23 to 2^23 - 1) of holder 0 (red's) or 1 (black's), if a new one is there. Clocking it in takes
   about 60 microseconds, 80 times a second; interrupts wait for 1 microsecond at a time. */
bool load_cell_take(uint8_t holder, int32_t *reading);

#endif
