/* Marks eight bytes of memory as it finds them. */
#include "test_program.h"

static volatile uint8_t memory[8] __attribute__((section(".noinit")));

int main(void) {
    for (uint8_t place = 0; place < sizeof memory; place++) {
        MARK(memory[place]);
    }
    STOP();
}
