/* Marks for those who measure the program: a number in GPIOR0, a register that nothing on the chip heeds. The emulator
   notes each with its cycle. They stay in the program that ships, so that this is the one that is measured; a mark
   costs two cycles. */
#ifndef TAMSK_MARK_H
#define TAMSK_MARK_H

#include <avr/io.h>

#define MARK_SCAN_BEGINS 1
#define MARK_SCAN_ENDS 2

#define MARK(number) (GPIOR0 = (number))

#endif
