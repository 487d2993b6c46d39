/* Converts ADC0 for ever, SPACING cycles and some from one sample to the next, and marks each result's high and low
 * byte (10 bits). Its only use of the pins is to leave the multiplexers' address at 0. */
#include "test_program.h"

#define CONTROL (_BV(ADEN) | _BV(ADPS2) | _BV(ADPS0))

int main(void) {
    DDRD = 0xF0;
    ADMUX = _BV(REFS0);
    for (;;) {
        ADCSRA = CONTROL | _BV(ADSC);
        while (ADCSRA & _BV(ADSC)) {}
        uint8_t low = ADCL;
        uint8_t high = ADCH;
        MARK(high);
        MARK(low);
        __builtin_avr_delay_cycles(SPACING);
    }
}
