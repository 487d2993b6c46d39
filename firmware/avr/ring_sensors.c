#include "ring_sensors.h"

#include <avr/io.h>

#include "converter.h"
#include "pins.h"
#include "ring_filter.h"
#include "tables.h"

/* A conversion takes three bytes: the start bit; single-ended and the input; and eight bits in which a converter looks
   at nothing. It samples in the middle of the second one. What comes in with that byte is nothing, a zero and the two
   highest bits: where nothing drives the line, a pull-up makes ones of it. */
#define START_BIT 0x01
#define SINGLE_ENDED 0x80
#define INPUT_SHIFT 4
#define ANSWER_MASK 0x0C
#define ANSWER 0x08
#define HIGHEST_BITS 0x03

/* A pulse of 250 ns; the TPIC6B595 wants 40 ns at least. */
#define PULSE_WAIT() __asm__ __volatile__("nop\n\tnop" ::: "memory")

static bool is_answer(uint8_t high)
{
    return (high & ANSWER_MASK) == ANSWER;
}

static uint16_t reading_of(uint8_t high, uint8_t low)
{
    return is_answer(high) ? (uint16_t)((uint16_t)((uint16_t)(high & HIGHEST_BITS) << 8) | low) : RING_NO_READING;
}

static uint8_t exchanged(void)
{
    while ((SPSR & _BV(SPIF)) == 0) {
    }
    return SPDR;
}

void ring_sensors_start(void)
{
    PIN_HIGH(PIN_EMITTER_ENABLE); /* dark before the pin drives */
    PIN_MAKE_OUTPUT(PIN_EMITTER_ENABLE);
    PIN_HIGH(PIN_RING_SELECT);
    PIN_MAKE_OUTPUT(PIN_RING_SELECT);
    PIN_LOW(PIN_LATCH);
    PIN_MAKE_OUTPUT(PIN_LATCH); /* one of the outputs is SS: the wiring map sees to it */
    PIN_MAKE_OUTPUT(PIN_MOSI);
    PIN_MAKE_OUTPUT(PIN_SCK);
    PIN_HIGH(PIN_MISO); /* pulled up, as on the board */
    SPCR = _BV(SPE) | _BV(MSTR) | _BV(SPR0); /* mode 0, most significant bit first, 16 MHz / 16 … */
    SPSR = _BV(SPI2X);                       /* … * 2 */
}

void ring_sensors_begin(uint8_t bank)
{
    SPDR = (uint8_t)(1u << bank);
    (void)exchanged();
    PIN_HIGH(PIN_LATCH);
    PULSE_WAIT();
    PIN_LOW(PIN_LATCH);
}

void ring_sensors_light(bool on)
{
    PIN_SET(PIN_EMITTER_ENABLE, !on);
}

uint8_t ring_sensors_read(const struct bank_plan *plan, const struct schedule *schedule, uint8_t round,
                          uint16_t *readings, uint8_t *analog)
{
    const uint8_t *into = schedule->into[round];
    uint8_t command = (uint8_t)(SINGLE_ENDED | plan->bank << INPUT_SHIFT);
    uint8_t adc = schedule_adc(round);
    uint8_t chip = plan->first_chip;
    uint16_t unused;
    uint16_t *answered = &unused; /* where the reading goes that came last */
    uint8_t high = ANSWER;
    uint8_t low = 0;
    uint8_t silent = 0;
    uint8_t bit = 0;
    uint8_t left = RING_CHIPS;

    PIN_SET(PIN_SELECT_3, schedule_high(round));
    for (;;) {
        PIN_SET(PIN_SELECT_0, chip & 1);
        PIN_SET(PIN_SELECT_1, chip & 2);
        PIN_SET(PIN_SELECT_2, chip & 4);
        PIN_LOW(PIN_RING_SELECT);
        SPDR = START_BIT;
        *answered = reading_of(high, low); /* while that byte goes out */
        if (!is_answer(high)) {
            silent = silent | bit;
        }
        answered = &readings[chip * 3];
        bit = (uint8_t)(1u << chip);
        (void)exchanged();
        SPDR = command;
        converter_next(adc, into[chip], analog); /* 4 microseconds after the select lines moved */
        high = exchanged();
        SPDR = 0;
        chip = (uint8_t)((chip + plan->chip_step) % RING_CHIPS);
        left--;
        low = exchanged();
        PIN_HIGH(PIN_RING_SELECT);
        if (left == 0) {
            *answered = reading_of(high, low);
            return is_answer(high) ? silent : silent | bit;
        }
    }
}
