/* How the next scan goes about it: by chance, so that no lamp is in step with it (docs/design.md, Scan and timing).

   Four scans visit all banks, two each, so that a bank is visited every 10 ms. In each of them chance decides which of
   the two comes first, which one is read inverted (always exactly one), the order in which the converters are read,
   how long the scan waits before each bank, and how long its light settles. */
#ifndef TAMSK_SCAN_PLAN_H
#define TAMSK_SCAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

#define SCAN_BANKS 2

/* Waits and what is added to the time in which light settles, in microseconds, at most. */
#define SCAN_WAIT_MOST 35
#define SCAN_SETTLES_MOST 28

struct bank_plan {
    uint8_t bank;
    bool inverted;       /* lit, dark and lit; else dark, lit and dark */
    uint8_t wait;        /* microseconds before it begins, 0 to SCAN_WAIT_MOST */
    uint8_t settles;     /* microseconds more between two readings, the same both times, 0 to SCAN_SETTLES_MOST */
    uint8_t first_chip;  /* the converters are read from here on … */
    uint8_t chip_step;   /* … in steps of so many, an odd number, modulo 8 */
};

struct scan_plan {
    uint16_t chance;
    uint8_t turn; /* of the four pairs of banks */
    struct bank_plan banks[SCAN_BANKS];
};

/* Begin with this chance, whatever it is. */
void scan_plan_start(struct scan_plan *plan, uint16_t chance);

/* The plan of the next scan. */
void scan_plan_next(struct scan_plan *plan);

#endif
