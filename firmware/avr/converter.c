#include "converter.h"

#include <avr/io.h>

#include "clock.h"
#include "pins.h"
#include "scan_schedule.h"
#include "tables.h"

/* AVCC as the reference, result in ADCH. */
#define REFERENCE_SUPPLY (_BV(REFS0) | _BV(ADLAR))

/* The input that carries the 1.1 V reference. */
#define INPUT_BANDGAP 0x0E

/* On, 16 MHz / 32 = 500 kHz. */
#define CONVERTER_ON (_BV(ADEN) | _BV(ADPS2) | _BV(ADPS0))

/* From the start of a conversion the input is looked at for 1.5 clocks of 2 microseconds, after up to one more until
   the clock's edge: 5 microseconds. Until then neither input nor select lines may move. */
#define SAMPLED_TICKS (6 * TICKS_PER_MICROSECOND)

/* A multiplexer settles in 3.7 microseconds. */
#define SETTLED_TICKS (5 * TICKS_PER_MICROSECOND)

static uint8_t place;   /* of the next conversion in the schedule */
static uint8_t allowed; /* conversions that may still begin */
static uint8_t into;    /* where the result of the running one goes */
static uint8_t next_into;
static bool running;
static bool pointed;    /* the input of the next conversion is selected */
static uint16_t since;  /* when the running one began, or when the input was selected */

void converter_start(void)
{
    DIDR0 = 0x3F; /* no digital inputs needed on ADC0 to ADC5; those that read pins of port C are set free below */
#if WIRING_HOLDERS != 0
    if (PIN_HOLDER_RED_DATA >> 4 == 2) {
        DIDR0 &= (uint8_t)~PIN_BIT(PIN_HOLDER_RED_DATA);
    }
    if (PIN_HOLDER_BLACK_DATA >> 4 == 2) {
        DIDR0 &= (uint8_t)~PIN_BIT(PIN_HOLDER_BLACK_DATA);
    }
#endif
    PIN_MAKE_OUTPUT(PIN_SELECT_0);
    PIN_MAKE_OUTPUT(PIN_SELECT_1);
    PIN_MAKE_OUTPUT(PIN_SELECT_2);
    PIN_MAKE_OUTPUT(PIN_SELECT_3);
    ADMUX = REFERENCE_SUPPLY | INPUT_BANDGAP;
    ADCSRA = CONVERTER_ON;
}

static void point(void)
{
    struct conversion next = schedule_conversion(place);

    PIN_SET(PIN_SELECT_0, next.address & 1);
    PIN_SET(PIN_SELECT_1, next.address & 2);
    PIN_SET(PIN_SELECT_2, next.address & 4);
    PIN_SET(PIN_SELECT_3, next.address & 8);
    ADMUX = (uint8_t)(REFERENCE_SUPPLY | next.adc);
    next_into = next.into;
    pointed = true;
}

void converter_rewind(void)
{
    place = 0;
    allowed = 0;
    running = false;
    point();
    since = clock_ticks();
}

void converter_allow(uint8_t count)
{
    allowed = count;
}

void converter_go_on(uint8_t *analog, bool begin)
{
    uint16_t passed = (uint16_t)(clock_ticks() - since);

    if (running) {
        if (!pointed && passed >= SAMPLED_TICKS && place < WIRING_FIELDS + WIRING_REFERENCES) {
            point(); /* it settles while this one is converted */
        }
        if ((ADCSRA & _BV(ADSC)) != 0) {
            return;
        }
        analog[into] = ADCH;
        running = false;
        if (!pointed) {
            return; /* the last one of the scan */
        }
    } else if (passed < SETTLED_TICKS) {
        return;
    }
    if (begin && allowed != 0) {
        ADCSRA = CONVERTER_ON | _BV(ADSC);
        since = clock_ticks();
        running = true;
        pointed = false;
        allowed--;
        into = next_into;
        place++;
    }
}

bool converter_done(void)
{
    return allowed == 0 && !running;
}

void converter_supply_point(void)
{
    ADMUX = REFERENCE_SUPPLY | INPUT_BANDGAP;
}

void converter_supply_begin(void)
{
    ADCSRA = CONVERTER_ON | _BV(ADSC);
}

bool converter_supply_ready(void)
{
    return (ADCSRA & _BV(ADSC)) == 0;
}

uint8_t converter_supply(void)
{
    return ADCH;
}
