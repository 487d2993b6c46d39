#include "identity.h"

#include <avr/eeprom.h>
#include <avr/io.h>
#include <string.h>

#include "boot_record.h"

/* The end of what the program uses of its memory: behind it stands what was there before, for the most part. */
extern uint8_t __heap_start;

/* A record on its way into the EEPROM. */
struct writing {
    uint8_t bytes[RECORD_BYTES];
    uint8_t left; /* its last bytes, still to be written */
};

static struct writing boot;
static uint8_t boot_place;  /* of the ring's records: where it goes */
static uint8_t places_left; /* that may still be tried; 0: it is there, or nothing more can be done */
static struct writing board;

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

static void begin(struct writing *writing, uint32_t number)
{
    record_write(writing->bytes, number);
    writing->left = RECORD_BYTES;
}

/* Write one more byte of it, to a record at this address; whether none was left. The EEPROM must be ready. */
static bool go_on(struct writing *writing, uint16_t address)
{
    uint8_t place = (uint8_t)(RECORD_BYTES - writing->left);

    if (writing->left == 0) {
        return true;
    }
    eeprom_update_byte((uint8_t *)(address + place), writing->bytes[place]);
    writing->left--;
    return false;
}

/* Go on with the boot record. Once written it is read back: where a cell there is worn, the next place takes it. */
static void go_on_with_boot(void)
{
    uint16_t address = (uint16_t)(BOOT_RECORDS_ADDRESS + boot_place * RECORD_BYTES);
    uint8_t found[RECORD_BYTES];

    if (!go_on(&boot, address)) {
        return;
    }
    eeprom_read_block(found, (const void *)address, RECORD_BYTES);
    if (memcmp(found, boot.bytes, RECORD_BYTES) == 0) {
        places_left = 0;
        return;
    }
    places_left--;
    boot_place = (uint8_t)((boot_place + 1) % BOOT_RECORDS);
    boot.left = RECORD_BYTES;
}

uint32_t identity_board_id(void)
{
    uint8_t record[RECORD_BYTES];
    uint32_t board_id = 0;

    eeprom_read_block(record, (const void *)BOARD_RECORD_ADDRESS, RECORD_BYTES);
    (void)record_read(record, &board_id);
    return board_id;
}

void identity_read(struct identity *identity)
{
    uint8_t records[RECORD_BYTES * BOOT_RECORDS];

    identity->board_id = identity_board_id();
    eeprom_read_block(records, (const void *)BOOT_RECORDS_ADDRESS, sizeof records);
    identity->boot_id = boot_record_next(records, chance(), &boot_place);
    begin(&boot, identity->boot_id);
    places_left = BOOT_RECORDS;
}

void identity_set_board_id(uint32_t board_id)
{
    begin(&board, board_id);
}

bool identity_written(void)
{
    if (!eeprom_is_ready()) {
        return false;
    }
    if (places_left != 0) {
        go_on_with_boot();
        return false;
    }
    return go_on(&board, BOARD_RECORD_ADDRESS);
}
