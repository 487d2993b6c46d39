/* What a part cannot stand, or its model does not know: SPI switched off WAIT cycles after a byte was written (it takes
 * 32); an ADC that is triggered by itself; an EEPROM that asks for its interrupt. */
#include "test_program.h"

int main(void) {
#if KIND == 0
    DDRB = _BV(PB2) | _BV(PB3) | _BV(PB5);
    uint8_t on = _BV(SPE) | _BV(MSTR), off = 0;
    __asm__ volatile("out %[control], %[on]\n\t"
                     "out %[data], %[on]\n\t"
                     ".rept " STRING_OF(WAIT) " - 1\n\tnop\n\t.endr\n\t"
                     "out %[control], %[off]"
                     : : [control] "I"(_SFR_IO_ADDR(SPCR)), [data] "I"(_SFR_IO_ADDR(SPDR)), [on] "r"(on), [off] "r"(off));
#elif KIND == 1
    ADMUX = _BV(REFS0);
    ADCSRA = _BV(ADEN) | CONTROL;
#else
    EECR = CONTROL;
#endif
    MARK(1);
    STOP();
}
