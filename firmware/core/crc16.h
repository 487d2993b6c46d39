/* CRC-16/CCITT-FALSE, the check of every frame (PROTOCOL.md section 2). */
#ifndef TAMSK_CRC16_H
#define TAMSK_CRC16_H

#include <stdint.h>

/* The value before the first byte. */
#define CRC16_START UINT16_C(0xFFFF)

/* The CRC after one more byte, without a table: the polynomial 0x1021 is x^16 + x^12 + x^5 + 1, so what leaves at the
   top comes back at bits 12, 5 and 0. Reckoned in bytes, which is what the AVR is quick at; every intermediate is cut
   by hand, because int has 16 bits there and 32 on a host. */
static inline uint16_t crc16_add(uint16_t crc, uint8_t byte)
{
    uint8_t top = (uint8_t)((uint8_t)(crc >> 8) ^ byte);
    uint8_t high;
    uint8_t low;

    top = (uint8_t)(top ^ (uint8_t)(top >> 4));
    high = (uint8_t)((uint8_t)crc ^ (uint8_t)(top << 4) ^ (uint8_t)(top >> 3));
    low = (uint8_t)(top ^ (uint8_t)(top << 5));
    return (uint16_t)((uint16_t)((uint16_t)high << 8) | low);
}

/* The CRC of `count` bytes (0 to 255); 0x29B1 for "123456789". */
uint16_t crc16_of(const uint8_t *bytes, uint8_t count);

#endif
