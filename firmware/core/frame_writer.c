#include "frame_writer.h"

#include "crc16.h"

/* A content has at most 88 bytes, so no block comes near COBS's limit of 254 and no code byte is ever 0xFF. */
static void put_encoded(struct frame_writer *writer, uint8_t byte)
{
    if (byte != 0) {
        writer->frame[writer->length] = byte;
    } else {
        writer->frame[writer->code] = (uint8_t)(writer->length - writer->code);
        writer->code = writer->length;
    }
    writer->length++;
}

void frame_begin(struct frame_writer *writer, uint8_t *frame, uint8_t type, uint8_t seq)
{
    writer->frame = frame;
    writer->length = 1;
    writer->code = 0;
    writer->crc = CRC16_START;
    frame_put(writer, type);
    frame_put(writer, seq);
}

void frame_put(struct frame_writer *writer, uint8_t byte)
{
    writer->crc = crc16_add(writer->crc, byte);
    put_encoded(writer, byte);
}

/* Most of a frame goes through here: 41 of a snapshot's 69 bytes at once. The writer's values are held in registers,
   for this is what the time from a scan to its frame hangs on. */
void frame_put_bytes(struct frame_writer *writer, const uint8_t *bytes, uint8_t count)
{
    uint8_t *at = writer->frame + writer->length;
    uint8_t *code = writer->frame + writer->code;
    uint16_t crc = writer->crc;

    while (count != 0) {
        uint8_t byte = *bytes++;

        crc = crc16_add(crc, byte);
        if (byte != 0) {
            *at = byte;
        } else {
            *code = (uint8_t)(at - code);
            code = at;
        }
        at++;
        count--;
    }
    writer->length = (uint8_t)(at - writer->frame);
    writer->code = (uint8_t)(code - writer->frame);
    writer->crc = crc;
}

void frame_put_16(struct frame_writer *writer, uint16_t value)
{
    frame_put(writer, (uint8_t)value);
    frame_put(writer, (uint8_t)(value >> 8));
}

void frame_put_24(struct frame_writer *writer, int32_t value)
{
    uint32_t bits = (uint32_t)value;

    frame_put_16(writer, (uint16_t)bits);
    frame_put(writer, (uint8_t)(bits >> 16));
}

void frame_put_32(struct frame_writer *writer, uint32_t value)
{
    frame_put_16(writer, (uint16_t)value);
    frame_put_16(writer, (uint16_t)(value >> 16));
}

uint8_t frame_end(struct frame_writer *writer)
{
    uint16_t crc = writer->crc;

    put_encoded(writer, (uint8_t)(crc >> 8));
    put_encoded(writer, (uint8_t)crc);
    writer->frame[writer->code] = (uint8_t)(writer->length - writer->code);
    writer->frame[writer->length] = 0;
    return (uint8_t)(writer->length + 1);
}
