/* What an Optiboot that passes the cause leaves to the program that it starts: MCUSR is 0, register 2 what it was. */
#include <avr/io.h>

void boot_loader(void) __attribute__((naked, used, section(".init0")));

void boot_loader(void)
{
    __asm__ __volatile__("in r2, %0\n\tclr r1\n\tout %0, r1" : : "I"(_SFR_IO_ADDR(MCUSR)));
}
