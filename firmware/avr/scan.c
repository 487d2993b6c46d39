#include "scan.h"

#include <stdbool.h>

#include "chain.h"
#include "clock.h"
#include "converter.h"
#include "mark.h"
#include "scan_schedule.h"

/* No conversion begins so shortly before the light changes: switching 0.2 A while the input is looked at would be
   seen in the result. */
#define QUIET_TICKS (7 * TICKS_PER_MICROSECOND)

#define ALL_BITS 0xFF

/* One of the nine parts of a scan, `bank` 0 to 8. It begins as the inputs are latched: in part 0 those of the board in
   the dark, later those of the bank that was lit. In the same instant the light goes to bank `bank`, or off in part 8.
   While its photo-transistors settle, what was latched is shifted in (the bits of `mask` into `inputs`), the next
   bank's pattern is shifted out, and conversions are made. */
static void part(uint8_t bank, uint16_t light_ticks, uint8_t mask, uint8_t *inputs, uint8_t *analog)
{
    bool last = bank == BANK_COUNT;
    uint16_t quiet_from = last ? UINT16_MAX : (uint16_t)(light_ticks - QUIET_TICKS);
    bool shifted = false;
    uint16_t since;

    chain_latch();
    if (last) {
        chain_darken();
    } else {
        chain_light();
    }
    since = clock_ticks();
    /* The pattern of the next part: a bank, none after bank 7, and last bank 0 for the scan to come. */
    chain_shift((uint8_t)(last ? 1u : 2u << bank));
    if (!last) {
        converter_allow(schedule_count(bank));
    }
    for (;;) {
        uint16_t passed = (uint16_t)(clock_ticks() - since);

        if (shifted && !converter_looks() && (last ? converter_done() : passed >= light_ticks)) {
            return;
        }
        converter_go_on(analog, passed < quiet_from);
        while (!shifted) {
            shifted = chain_shifted(mask, inputs);
            if (!converter_done()) {
                break;
            } /* else there is nothing else to do until all bytes are there */
        }
    }
}

/* Not a part of main: there its loop would get too few registers. */
__attribute__((noinline)) void scan(struct readings *readings, uint8_t light_microseconds)
{
    uint16_t light_ticks = (uint16_t)(light_microseconds * TICKS_PER_MICROSECOND);
    uint8_t *inputs = readings->dark;
    uint8_t mask = ALL_BITS;
    uint8_t bank;

    MARK(MARK_SCAN_BEGINS);
    for (bank = 0; bank <= BANK_COUNT; bank++) {
        part(bank, light_ticks, mask, inputs, readings->analog);
        inputs = readings->rings;
        mask = (uint8_t)(1u << bank);
    }
    MARK(MARK_SCAN_ENDS);
}
