/* What the small programs share: marks and waits of a known number of cycles. */
#ifndef TEST_PROGRAM_H
#define TEST_PROGRAM_H

#include <avr/io.h>

/* An OUT: one cycle, and the emulator notes the cycle in which it holds. The value must be in a register before. */
#define MARK(value) __asm__ volatile("out %0, %1" : : "I"(_SFR_IO_ADDR(GPIOR0)), "r"((uint8_t)(value)))

#define STRING_OF_(text) #text
#define STRING_OF(text) STRING_OF_(text)

/* That many NOPs, a cycle each. */
#define NOPS(count) __asm__ volatile(".rept " STRING_OF(count) "\n\tnop\n\t.endr")

#define STOP() for (;;) {}

#endif
