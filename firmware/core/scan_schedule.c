#include "scan_schedule.h"

#include "protocol.h"
#include "tables.h"

#if WIRING_FIELDS != FIELDS || WIRING_REFERENCES != REFERENCES || WIRING_CHIPS < 1 || WIRING_CHIPS > CHAIN_CHIPS
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

/* A field that is not fitted has no conversion and stays 0: the places that it leaves, at the end, are never come to. A
   chain of fewer chips is read like a whole one: where none stands, its pull-up gives ones (PROTOCOL.md section 4). */
static const struct conversion conversions[ANALOG_COUNT] IN_FLASH = {WIRING_CONVERSIONS};
static const uint8_t counts[BANK_COUNT] IN_FLASH = {WIRING_SLOTS};

struct conversion schedule_conversion(uint8_t place)
{
    const struct conversion *stored = &conversions[place];
    struct conversion found = {FROM_FLASH(&stored->address), FROM_FLASH(&stored->adc), FROM_FLASH(&stored->into)};

    return found;
}

uint8_t schedule_count(uint8_t bank)
{
    return FROM_FLASH(&counts[bank]);
}
