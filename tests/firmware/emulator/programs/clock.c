/* Counts: a loop of known length with instructions of one, two and three cycles; or crashes; or hangs under a watchdog. */
#include <avr/interrupt.h>
#include <avr/wdt.h>

#include "test_program.h"

static volatile uint8_t survivor __attribute__((section(".noinit")));

ISR(USART_UDRE_vect, ISR_NAKED) { /* 1, 2 and 4 cycles; r16 is the mark, r17 the register without its enable bit */
    __asm__ volatile("out %0, r16\n\tsts %1, r17\n\treti" : : "I"(_SFR_IO_ADDR(GPIOR0)), "i"(_SFR_MEM_ADDR(UCSR0B)));
}

int main(void) {
#if KIND == 0 /* marks 100 cycles apart; the distance is counted in the comments */
    for (;;) {
        MARK(1);   /* 1 */
        NOPS(97);  /* 97 */
    }              /* RJMP: 2 */
#elif KIND == 1 /* the watchdog, 16 ms, without a hand on it */
    uint8_t causes = MCUSR;
    MCUSR = 0;
    wdt_disable();
    MARK(causes);
    if (causes & _BV(PORF)) {
        survivor = 0x5A;
    }
    MARK(survivor);
    wdt_enable(WDTO_15MS);
    STOP();
#elif KIND == 2 /* an interrupt in a row of NOPs */
    sei();
    __asm__ volatile("ldi r16, 0x77\n\t"
                     "ldi r17, 0\n\t"
                     "ldi r18, 0x28\n\t" /* UDRIE, TXEN: asks for its interrupt at once, nothing waits to be sent */
                     "ldi r19, 1\n\t"
                     "ldi r20, 2\n\t"
                     "out %0, r19\n\t"
                     "sts %1, r18\n\t"
                     ".rept 64\n\tnop\n\t.endr\n\t"
                     "out %0, r20"
                     :
                     : "I"(_SFR_IO_ADDR(GPIOR0)), "i"(_SFR_MEM_ADDR(UCSR0B))
                     : "r16", "r17", "r18", "r19", "r20");
    STOP();
#else /* into the void beyond the program */
    __asm__ volatile("ldi r30, 0xFF\n\tldi r31, 0x3F\n\tijmp");
    STOP();
#endif
}
