#include "scan_schedule.h"

#include <string.h>

#include "tables.h"

#if WIRING_FIELDS != FIELDS || WIRING_REFERENCES != REFERENCES || WIRING_CHIPS < 1 || WIRING_CHIPS > RING_CHIPS
#error "the tables have another number of channels than the protocol"
#endif

/* The AVR keeps constants in flash, where plain reads do not reach them. */
#ifdef __AVR__
#include <avr/pgmspace.h>
#define IN_FLASH PROGMEM
#define FROM_FLASH(place) pgm_read_byte(place)
#else
#define IN_FLASH
#define FROM_FLASH(place) (*(place))
#endif

#define HIGHEST_LINE SCAN_ADDRESSES
#define ADC_NUMBER 0x0F

struct conversion {
    uint8_t address; /* on the multiplexers' select lines, 0 to 15 */
    uint8_t adc;     /* input of the ADC, 0 to 7 */
    uint8_t into;    /* place among the analog readings, 0 to ANALOG_COUNT - 1 */
};

/* A field that is not fitted has no conversion and stays 0. */
static const struct conversion conversions[] IN_FLASH = {WIRING_CONVERSIONS};
static const uint8_t inputs[] IN_FLASH = {WIRING_MUX_INPUTS};

#define CONVERSIONS ((uint8_t)(sizeof conversions / sizeof conversions[0]))

_Static_assert(sizeof inputs * 2 <= SCAN_ROUNDS, "a multiplexer has two rounds of a scan");

uint8_t schedule_adc(uint8_t round)
{
    uint8_t mux = round >> 1;

    return mux < sizeof inputs ? FROM_FLASH(&inputs[mux]) & ADC_NUMBER : 0;
}

bool schedule_high(uint8_t round)
{
    return (round & 1) != 0;
}

void schedule_start(struct schedule *schedule)
{
    uint8_t round;
    uint8_t place;

    memset(schedule, SCHEDULE_NOTHING, sizeof *schedule);
    for (round = 0; round < sizeof inputs * 2; round++) {
        for (place = 0; place < CONVERSIONS; place++) {
            uint8_t address = FROM_FLASH(&conversions[place].address);

            if (FROM_FLASH(&conversions[place].adc) == schedule_adc(round) &&
                ((address & HIGHEST_LINE) != 0) == schedule_high(round)) {
                schedule->into[round][address % SCAN_ADDRESSES] = FROM_FLASH(&conversions[place].into);
            }
        }
    }
}
