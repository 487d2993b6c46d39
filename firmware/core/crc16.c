#include "crc16.h"

uint16_t crc16_of(const uint8_t *bytes, uint8_t count)
{
    uint16_t crc = CRC16_START;

    while (count != 0) {
        crc = crc16_add(crc, *bytes++);
        count--;
    }
    return crc;
}
