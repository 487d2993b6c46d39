#include "converter.h"

#include <avr/io.h>

#include "clock.h"
#include "pins.h"
#include "protocol.h"
#include "scan_schedule.h"
#include "tables.h"

/* AVCC as the reference, result in ADCH. */
#define REFERENCE_SUPPLY (_BV(REFS0) | _BV(ADLAR))

/* On, 16 MHz / 32 = 500 kHz. */
#define CONVERTER_ON (_BV(ADEN) | _BV(ADPS2) | _BV(ADPS0))

/* From the start of a conversion the input is looked at for 1.5 clocks of 2 microseconds, after up to one more until
   the clock's edge: 5 microseconds. Until then neither input nor select lines may move. */
#define SAMPLED_TICKS (6 * TICKS_PER_MICROSECOND)

/* A multiplexer settles in 3.7 microseconds. */
#define SETTLED_TICKS (5 * TICKS_PER_MICROSECOND)

/* Where the input is between two conversions. */
enum stage {
    LOOKING,  /* the running conversion takes its sample: nothing may be switched */
    SETTLING, /* the next one's input is selected */
    SETTLED   /* the next one may begin, as soon as none is running */
};

static enum stage stage;
static uint16_t since;    /* when the conversion began that takes its sample, or when the next input was selected */
static bool running;
static uint8_t place;     /* of the next conversion in the schedule */
static uint8_t allowed;   /* conversions that may still begin */
static uint8_t into;      /* where the result of the running one goes */
static uint8_t next_into;

static void point(void)
{
    if (place < ANALOG_COUNT) {
        struct conversion next = schedule_conversion(place);

        PIN_SET(PIN_SELECT_0, next.address & 1);
        PIN_SET(PIN_SELECT_1, next.address & 2);
        PIN_SET(PIN_SELECT_2, next.address & 4);
        PIN_SET(PIN_SELECT_3, next.address & 8);
        ADMUX = (uint8_t)(REFERENCE_SUPPLY | next.adc);
        next_into = next.into;
    }
    since = clock_ticks();
    stage = SETTLING;
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
    ADMUX = REFERENCE_SUPPLY | WIRING_SUPPLY_INPUT;
    ADCSRA = CONVERTER_ON;
    converter_rewind();
}

void converter_rewind(void)
{
    running = false;
    place = 0;
    allowed = 0;
    point();
}

void converter_allow(uint8_t count)
{
    allowed = (uint8_t)(allowed + count);
}

void converter_go_on(uint8_t *analog, bool begin)
{
    uint8_t ended = into;
    bool was_running = running;

    if (stage != SETTLED) {
        uint16_t passed = (uint16_t)(clock_ticks() - since);

        if (stage == LOOKING && passed >= SAMPLED_TICKS) {
            point(); /* it settles while this one is converted */
        } else if (stage == SETTLING && passed >= SETTLED_TICKS) {
            stage = SETTLED;
        }
        return;
    }
    if (was_running && (ADCSRA & _BV(ADSC)) != 0) {
        return;
    }
    running = begin && allowed != 0;
    if (running) { /* first, for a scan hangs on it; the last result stands until this one is ready */
        ADCSRA = CONVERTER_ON | _BV(ADSC);
        since = clock_ticks();
        stage = LOOKING;
        into = next_into;
        place++;
        allowed--;
    }
    if (was_running) {
        analog[ended] = ADCH;
    }
}

bool converter_looks(void)
{
    return stage == LOOKING;
}

bool converter_done(void)
{
    return allowed == 0 && !running;
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
