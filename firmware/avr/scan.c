#include "scan.h"

#include <avr/io.h>

#include "chain.h"
#include "clock.h"
#include "converter.h"
#include "scan_schedule.h"

/* No conversion begins so shortly before the light goes off: switching 0.2 A while the input is looked at would be
   seen in the result. */
#define QUIET_TICKS (7 * TICKS_PER_MICROSECOND)

/* A bank's slot. Its pattern is in the TPIC6B595, unshown. The conversions are made while the photo-transistors
   settle; those that did not fit into the light time come after it. */
static void slot(struct readings *readings, uint8_t bank, uint16_t light_ticks)
{
    uint8_t mask = (uint8_t)(1u << bank);
    uint8_t inputs[CHAIN_CHIPS];
    uint8_t chip;
    uint16_t lit;
    uint16_t passed;

    converter_allow(schedule_count(bank));
    chain_light();
    lit = clock_ticks();
    for (;;) {
        passed = (uint16_t)(clock_ticks() - lit);
        if (passed >= light_ticks) {
            break;
        }
        converter_go_on(readings->analog, light_ticks - passed > QUIET_TICKS);
    }
    chain_latch();
    chain_darken();
    /* The next bank's pattern; after bank 7 none. */
    chain_shift((uint8_t)(mask << 1), inputs);
    for (chip = 0; chip < CHAIN_CHIPS; chip++) {
        readings->rings[chip] = (uint8_t)(readings->rings[chip] | (inputs[chip] & mask));
    }
    while (!converter_done()) {
        converter_go_on(readings->analog, true);
    }
}

void scan(struct readings *readings, uint8_t light_microseconds)
{
    uint16_t light_ticks = (uint16_t)(light_microseconds * TICKS_PER_MICROSECOND);
    uint8_t chip;
    uint8_t bank;

    converter_rewind();
    for (chip = 0; chip < CHAIN_CHIPS; chip++) {
        readings->rings[chip] = 0;
    }
    chain_latch();
    chain_shift(1, readings->dark);
    for (bank = 0; bank < BANK_COUNT; bank++) {
        slot(readings, bank, light_ticks);
    }
}
