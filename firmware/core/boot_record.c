#include "boot_record.h"

#include "crc16.h"

#define NUMBER_BYTES 4

void record_write(uint8_t *record, uint32_t number)
{
    uint16_t crc;
    uint8_t place;

    for (place = 0; place < NUMBER_BYTES; place++) {
        record[place] = (uint8_t)number;
        number >>= 8;
    }
    crc = crc16_of(record, NUMBER_BYTES);
    record[4] = (uint8_t)(crc >> 8);
    record[5] = (uint8_t)crc;
}

bool record_read(const uint8_t *record, uint32_t *number)
{
    uint32_t found = 0;
    uint8_t place;

    if (crc16_of(record, RECORD_BYTES) != 0) {
        return false;
    }
    for (place = NUMBER_BYTES; place != 0; place--) {
        found = found << 8 | record[place - 1];
    }
    *number = found;
    return true;
}

uint32_t boot_record_next(const uint8_t *records, uint32_t chance, uint8_t *place)
{
    uint32_t highest = 0;
    bool any = false;
    uint8_t record;

    *place = 0;
    for (record = 0; record < BOOT_RECORDS; record++) {
        uint32_t number;

        if (record_read(records + record * RECORD_BYTES, &number) && (!any || number > highest)) {
            any = true;
            highest = number;
            *place = (uint8_t)((record + 1) % BOOT_RECORDS);
        }
    }
    /* The highest bit stays free, so that the counter has room. */
    return any ? highest + 1 : (chance & UINT32_C(0x7FFFFFFF));
}
