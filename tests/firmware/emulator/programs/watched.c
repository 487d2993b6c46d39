/* Starts the watchdog, 16 ms, and then sleeps for ever or runs into the void beyond the program. */
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "test_program.h"

int main(void) {
    uint8_t causes = MCUSR;
    MCUSR = 0;
    wdt_disable();
    MARK(causes);
    wdt_enable(WDTO_15MS);
#if ENDING == 0
    sleep_mode();
#else
    __asm__ volatile("ldi r30, 0xFF\n\tldi r31, 0x3F\n\tijmp");
#endif
    STOP();
}
