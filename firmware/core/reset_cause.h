/* Why the controller last reset, as HELLO says it (PROTOCOL.md section 3.1).

   A bootloader stands between the reset and this program, and the usual ones clear MCUSR before they start it:
   - without a bootloader MCUSR says all;
   - newer Optiboots leave EXTRF in MCUSR after an external reset, and pass what MCUSR was in register 2;
   - older Optiboots clear MCUSR, wait a second after an external reset, then reset by their own watchdog and pass
     "watchdog" in register 2: this alone cannot be told from a hang of ours;
   - others pass nothing, and register 2 is whatever it was.
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
#define RESET_ALL 0x0F

/* `mcusr`: as this program found it; `passed`: register 2 as it found it; `hung`: the note of a hang was there. */
uint8_t reset_cause(uint8_t mcusr, uint8_t passed, bool hung);

#endif
