/* One byte at the clock of CONTROL and DOUBLE; looks at the end flag after WAIT cycles, and no sooner or later. */
#include "test_program.h"

int main(void) {
#ifndef NO_SS
    PORTB = _BV(PB1);
    DDRB = _BV(PB1) | _BV(PB2) | _BV(PB3) | _BV(PB5);
#endif
    SPCR = CONTROL;
    SPSR = DOUBLE;
    uint8_t status;
    uint8_t byte = 0x96;
    uint8_t second = 0x69;
    __asm__ volatile(
        "out %[data], %[byte]\n\t"
        ".rept " STRING_OF(WAIT) "\n\tnop\n\t.endr\n\t"
#ifdef SECOND
        "out %[data], %[second]\n\t"
#endif
        "in %[status], %[flags]"
        : [status] "=&r"(status)
        : [data] "I"(_SFR_IO_ADDR(SPDR)), [flags] "I"(_SFR_IO_ADDR(SPSR)), [byte] "r"(byte), [second] "r"(second));
    MARK(status);
    NOPS(2000);
    MARK(SPSR); /* with the read of SPDR after it: clears */
    MARK(SPDR);
    MARK(SPSR);
    STOP();
}
