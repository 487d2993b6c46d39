/* Marks why it was reset and how much of its memory still holds what it wrote there, in sixteens of bytes; then writes
 * it anew. It leaves MCUSR alone: causes add up. */
#include "test_program.h"

static volatile uint8_t memory[1024] __attribute__((section(".noinit")));

int main(void) {
    uint16_t kept = 0;
    uint8_t causes = MCUSR;
    MARK(causes);
    for (uint16_t place = 0; place < sizeof memory; place++) {
        kept = (uint16_t)(kept + (memory[place] == 0x5A));
        memory[place] = 0x5A;
    }
    MARK(kept >> 4);
    STOP();
}
