/* Switches the emitters on without having told the TPIC6B595 which. */
#include "test_program.h"

int main(void) {
    DDRB = _BV(PB0); /* low: enabled */
    STOP();
}
