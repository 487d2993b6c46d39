/* Why the controller last reset, as HELLO says it (PROTOCOL.md section 3.1).

   A bootloader stands between the reset and this program, and the usual ones clear MCUSR before they start it:
   - without a bootloader MCUSR says all;
   - newer Optiboots leave EXTRF in MCUSR after an external reset, and pass what MCUSR was in register 2;
   - Optiboot 4 clears MCUSR and passes nothing: register 2 is what it was before the reset. This program keeps a
     value there that is no cause, so 0 is told; only after power on may register 2 hold anything, and a cause be told
     that was none;
   - Optiboots that pass "watchdog" after an external reset, which they end by their own watchdog: this alone cannot be
     told from a hang of ours.
   So the program notes by itself, in memory that no start clears, that it hung (its own timer sees that the main loop
   stands still, well before the watchdog does). What cannot be known is reported as 0: not known. */
#ifndef TAMSK_RESET_CAUSE_H
#define TAMSK_RESET_CAUSE_H

#include <stdbool.h>
#include <stdint.h>

#define RESET_POWER_ON 0x01
#define RESET_EXTERNAL 0x02
#define RESET_BROWN_OUT 0x04
#define RESET_WATCHDOG 0x08
#define RESET_ALL (RESET_POWER_ON | RESET_EXTERNAL | RESET_BROWN_OUT | RESET_WATCHDOG)

/* `mcusr`: as this program found it; `passed`: register 2 as it found it; `hung`: the note of a hang was there. */
uint8_t reset_cause(uint8_t mcusr, uint8_t passed, bool hung);

#endif
