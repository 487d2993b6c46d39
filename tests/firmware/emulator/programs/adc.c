/* Conversions at 500 kHz (a clock is 32 cycles), with the end looked at to the cycle. FIRST: the one after switching on;
 * otherwise the next, begun in step with the ADC's clock or AFTER cycles out of it. */
#include "test_program.h"

#define CONTROL (_BV(ADEN) | _BV(ADPS2) | _BV(ADPS0))

int main(void) {
    ADMUX = _BV(REFS0) | _BV(ADLAR) | INPUT;
    uint8_t begin = CONTROL | _BV(ADSC);
    uint8_t status;
#if FIRST
    /* ADEN and ADSC with one STS: the clock begins with it */
    __asm__ volatile(
        "sts %[control], %[begin]\n\t"
        ".rept " STRING_OF(WAIT) "\n\tnop\n\t.endr\n\t"
        "lds %[status], %[control]"
        : [status] "=&r"(status) : [control] "i"(_SFR_MEM_ADDR(ADCSRA)), [begin] "r"(begin));
#else
    /* From ADEN to the second STS: STS 2, then the NOPs: 1024 + AFTER cycles from one's holding to the other's; the first
     * conversion, 25 * 32 = 800, is over by then. */
    uint8_t on = CONTROL;
    uint8_t clear = CONTROL | _BV(ADIF);
    __asm__ volatile(
        "sts %[control], %[on]\n\t"
        "sts %[control], %[begin]\n\t"
        ".rept 1024 + " STRING_OF(AFTER) " - 6\n\tnop\n\t.endr\n\t"
        "sts %[control], %[clear]\n\t"
        "sts %[control], %[begin]\n\t"
        ".rept " STRING_OF(WAIT) "\n\tnop\n\t.endr\n\t"
        "lds %[status], %[control]"
        : [status] "=&r"(status)
        : [control] "i"(_SFR_MEM_ADDR(ADCSRA)), [begin] "r"(begin), [on] "r"(on), [clear] "r"(clear));
#endif
    MARK(status);
    while (ADCSRA & _BV(ADSC)) {}
    MARK(ADCH);
    STOP();
}
