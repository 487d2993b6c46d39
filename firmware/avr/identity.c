#include "identity.h"

#include <avr/eeprom.h>
#include <avr/io.h>

#include "boot_record.h"

/* The end of what the program uses of its memory: behind it stands what was there before, for the most part. */
extern uint8_t __heap_start;

static uint8_t record[RECORD_BYTES];
static uint16_t record_address;
static uint8_t record_written;

/* A number of what stands in memory that nobody has set; about 2 ms. Turned by one bit at a time: the AVR has no
   quicker turn of four bytes. */
static uint32_t chance(void)
{
    const uint8_t *end = (const uint8_t *)SP;
    const uint8_t *at;
    uint32_t mixed = 0;

    for (at = &__heap_start; at < end; at++) {
        mixed = (mixed << 1 | mixed >> 31) ^ *at;
    }
    return mixed;
}

void identity_read(struct identity *identity)
{
    uint8_t records[RECORD_BYTES * BOOT_RECORDS];
    uint8_t place;

    identity->board_id = 0;
    eeprom_read_block(record, (const void *)BOARD_RECORD_ADDRESS, RECORD_BYTES);
    (void)record_read(record, &identity->board_id);
    eeprom_read_block(records, (const void *)BOOT_RECORDS_ADDRESS, sizeof records);
    identity->boot_id = boot_record_next(records, chance(), &place);
    record_write(record, identity->boot_id);
    record_address = (uint16_t)(BOOT_RECORDS_ADDRESS + place * RECORD_BYTES);
    record_written = 0;
}

bool identity_written(void)
{
    if (!eeprom_is_ready()) {
        return false;
    }
    if (record_written == RECORD_BYTES) {
        return true;
    }
    eeprom_update_byte((uint8_t *)(record_address + record_written), record[record_written]);
    record_written++;
    return false;
}
