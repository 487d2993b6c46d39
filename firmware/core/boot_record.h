/* What is kept in EEPROM: the board id and a counter of resets, each number with a CRC of its own.

   A record is 6 bytes: the number, little-endian, then the CRC-16 over its four bytes, high byte first. The board id
   is the record at address 0. Behind it, from address 8 on, stand 8 records of boot ids in a ring: each reset writes
   the next id over the oldest, so a reset in the middle of a write costs nothing, and a cell is written at one reset
   in eight (100 000 writes each: 800 000 resets). That is many, and not for ever: a host that opens a silent port anew
   every 5 s is there in 46 days, a program that hangs soon after each start, six or seven times a second, in a day and
   a half. A record that is not found as it was written goes to the next place; the worn one is passed over. */
#ifndef TAMSK_BOOT_RECORD_H
#define TAMSK_BOOT_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#define RECORD_BYTES 6
#define BOARD_RECORD_ADDRESS 0
#define BOOT_RECORDS_ADDRESS 8
#define BOOT_RECORDS 8

/* Make the record of a number, RECORD_BYTES bytes. */
void record_write(uint8_t *record, uint32_t number);

/* Whether the record is whole; `number` is only set when it is. */
bool record_read(const uint8_t *record, uint32_t *number);

/* The id of this boot, one above the highest that is stored, and in `place` (0 to 7) the record to write it to. When
   not one record is whole it begins anew at a number made of `chance`, so that it is most likely not an old one. */
uint32_t boot_record_next(const uint8_t *records, uint32_t chance, uint8_t *place);

#endif
