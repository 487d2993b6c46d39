/* Selects an address, waits, and converts: in a second conversion, in step with the ADC's clock. The sample is held WAIT
 * cycles after the select lines have changed. */
#include "test_program.h"

#define CONTROL (_BV(ADEN) | _BV(ADPS2) | _BV(ADPS0))

int main(void) {
    DDRD = 0xF0;
    PORTD = 0x00;
    ADMUX = _BV(REFS0) | _BV(ADLAR) | MUX;
    uint8_t on = CONTROL, begin = CONTROL | _BV(ADSC), clear = CONTROL | _BV(ADIF), select = ADDRESS << 4;
    /* ADSC holds 1024 cycles after ADEN, in step; the sample is held 48 cycles later (1.5 clocks). The OUT holds WAIT
     * cycles before that. After the OUT: NOPs, then STS (2). */
    __asm__ volatile(
        "sts %[control], %[on]\n\t"
        "sts %[control], %[begin]\n\t"
        ".rept 1024 - 6 - (" STRING_OF(WAIT) " - 48 - 2) - 1\n\tnop\n\t.endr\n\t"
        "sts %[control], %[clear]\n\t"
        "out %[port], %[select]\n\t"
        ".rept " STRING_OF(WAIT) " - 48 - 2\n\tnop\n\t.endr\n\t"
        "sts %[control], %[begin]\n\t"
        : : [control] "i"(_SFR_MEM_ADDR(ADCSRA)), [port] "I"(_SFR_IO_ADDR(PORTD)), [begin] "r"(begin), [on] "r"(on),
        [clear] "r"(clear), [select] "r"(select));
    while (ADCSRA & _BV(ADSC)) {}
    MARK(ADCH);
    STOP();
}
