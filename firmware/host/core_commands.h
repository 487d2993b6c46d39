/* The portable core's functions as commands, for the tests: a command a line in, an answer a line out. The same
   commands run on the host, under the sanitisers (core_filter.c), and on the emulated controller, where int has
   16 bits (core_filter_avr.c). Bytes are written in hexadecimal, "-" for none; numbers in decimal.

   crc BYTES                                  the CRC-16 of up to 120 bytes
   hello SEQ 13 numbers                       a frame of each message; the numbers as in `struct hello`
   snapshot SEQ TIME RINGS UNKNOWN ANALOG RED BLACK FAULTS
   settings SEQ 4 numbers
   signals SEQ CHIP BYTES                     the bytes as they go out behind the chip; the filter keeps them
   receiver                                   a new receiver
   receive BYTES                              its verdicts: F:COMMAND:PAYLOAD LENGTH:KEPT, M (malformed), C (CRC)
   set BYTES                                  a payload of SET: 1 or 0 (allowed or not) and the four numbers
   schedule                                   for each round ADC:HIGH and the eight places among the readings
   plan ANEW CHANCE                           a scan's plan, begun anew with that chance or the next: the bytes
                                              of each `struct bank_plan`
   wiring                                     the hash and the pins of the tables
   record NUMBER                              an EEPROM record
   boot CHANCE RECORDS                        the next boot id and the record to write
   cause MCUSR PASSED HUNG                    the reset cause
   start NOW 13 numbers                       a controller, and what follows is done to it
   bytes NOW BYTES · event BITS · holder NOW WHICH READING · scan NOW RINGS UNKNOWN ANALOG
   wanted                                     the board id that it wants written, - for none
   written NUMBER                             the board id that is written
   frame NOW                                  its next frame
   filter                                     a new filter of ring sensors, the controller's as well
   limit SENSOR COUNTS                        its own threshold
   visit SENSOR INVERTED 3 readings           0, 1 or ? (unknown); its mean, 32767 more than it is; deviation; dark */
#ifndef TAMSK_CORE_COMMANDS_H
#define TAMSK_CORE_COMMANDS_H

#include <stdbool.h>

/* Read a command and answer it; false when none is left. */
bool core_command(void);

#endif
