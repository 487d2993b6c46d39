/* Reads one HX711 as often as it is ready: marks the reading's three bytes. */
#include "test_program.h"

#define CLOCK _BV(PD2 + HOLDER)
#define DATA _BV(PC3 + HOLDER)

/* From the OUT that raises the clock to the one that lowers it HIGH cycles. */
static void __attribute__((noinline)) give_pulse(void) {
    __asm__ volatile("out %0, %1\n\t.rept " STRING_OF(HIGH) " - 1\n\tnop\n\t.endr\n\tout %0, %2"
                     : : "I"(_SFR_IO_ADDR(PORTD)), "r"((uint8_t)CLOCK), "r"((uint8_t)0));
}

int main(void) {
    DDRD = CLOCK;
    for (;;) {
        while (PINC & DATA) {}
        MARK(0xAA);
#ifdef DELAY
        __builtin_avr_delay_cycles(DELAY);
#endif
        for (uint8_t byte = 0; byte < 3; byte++) {
            uint8_t value = 0;
            for (uint8_t bit = 0; bit < 8; bit++) {
                give_pulse();
                value = (uint8_t)(value << 1);
                if (PINC & DATA) {
                    value |= 1;
                }
            }
            MARK(value);
        }
        for (uint8_t pulse = 24; pulse < PULSES; pulse++) {
            give_pulse();
        }
    }
}
