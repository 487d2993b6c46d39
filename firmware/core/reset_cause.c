#include "reset_cause.h"

uint8_t reset_cause(uint8_t mcusr, uint8_t passed, bool hung)
{
    if ((mcusr & RESET_ALL) != 0) {
        return mcusr & RESET_ALL;
    }
    if (hung) {
        return RESET_WATCHDOG;
    }
    if ((passed & ~RESET_ALL) != 0 || passed == RESET_WATCHDOG) {
        return 0;
    }
    return passed;
}
