#include "converter.h"

#include <avr/io.h>

#include "pins.h"
#include "scan_schedule.h"
#include "tables.h"

/* AVCC as the reference, result in ADCH. */
#define REFERENCE_SUPPLY (_BV(REFS0) | _BV(ADLAR))

/* On, 16 MHz / 16 = 1 MHz: for 8 bits that is slow enough. A sample is held 2.5 microseconds after its beginning. */
#define CONVERTER_ON (_BV(ADEN) | _BV(ADPS2))

static uint8_t running = SCHEDULE_NOTHING; /* place of the conversion that runs, or whose result was not taken yet */

static void wait(void)
{
    while ((ADCSRA & _BV(ADSC)) != 0) {
    }
}

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
    converter_supply_point();
    converter_supply_begin();
    wait();
}

void converter_next(uint8_t input, uint8_t place, uint8_t *analog)
{
    wait();
    if (running != SCHEDULE_NOTHING) {
        analog[running] = ADCH;
    }
    running = place;
    if (place != SCHEDULE_NOTHING) {
        ADMUX = (uint8_t)(REFERENCE_SUPPLY | input);
        ADCSRA = CONVERTER_ON | _BV(ADSC);
    }
}

void converter_supply_point(void)
{
    ADMUX = REFERENCE_SUPPLY | WIRING_SUPPLY_INPUT;
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
