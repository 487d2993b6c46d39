/* Writes a byte to address 5 and marks what happens; then reads it. The program begins anew after a reset. */
#include "test_program.h"

int main(void) {
    uint8_t permit = _BV(EEMPE), write = _BV(EEMPE) | _BV(EEPE);
    MARK(EECR & _BV(EEPE) ? 0xBB : 0xAA);
    while (EECR & _BV(EEPE)) {}
    MARK(1);
    EEAR = 5;
    EEDR = VALUE;
    __asm__ volatile("out %0, %1\n\t.rept " STRING_OF(LATE) "\n\tnop\n\t.endr\n\tout %0, %2"
                     : : "I"(_SFR_IO_ADDR(EECR)), "r"(permit), "r"(write));
    MARK(2);
#ifdef IMPATIENT
    EECR |= _BV(EERE);
#endif
    while (EECR & _BV(EEPE)) {}
    MARK(3);
    EEDR = 0;
    __asm__ volatile("out %0, %1\n\tsbi %2, 0\n\tout %0, %1"
                     : : "I"(_SFR_IO_ADDR(GPIOR0)), "r"((uint8_t)4), "I"(_SFR_IO_ADDR(EECR)));
    MARK(EEDR);
    STOP();
}
