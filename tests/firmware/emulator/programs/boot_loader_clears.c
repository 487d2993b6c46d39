/* What Optiboot 4 leaves to the program that it starts: MCUSR is 0, and register 2 is as it was before the reset. */
#include <avr/io.h>

void boot_loader(void) __attribute__((naked, used, section(".init0")));

void boot_loader(void)
{
    __asm__ __volatile__("clr r1\n\tout %0, r1" : : "I"(_SFR_IO_ADDR(MCUSR)));
}
