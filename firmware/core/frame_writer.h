/* Builds a frame byte by byte: COBS and CRC are reckoned on the way, so no second buffer is needed
   (PROTOCOL.md section 2). */
#ifndef TAMSK_FRAME_WRITER_H
#define TAMSK_FRAME_WRITER_H

#include <stdint.h>

struct frame_writer {
    uint8_t *frame;   /* where the frame begins; room for FRAME_MOST bytes */
    uint8_t length;   /* bytes written so far, an open code byte included */
    uint8_t code;     /* place of the code byte that is still open */
    uint16_t crc;     /* over the content so far */
};

/* Begin a frame of this type and seq at `frame`, which has room for FRAME_MOST bytes. */
void frame_begin(struct frame_writer *writer, uint8_t *frame, uint8_t type, uint8_t seq);

/* Add to the payload; numbers go out little-endian. At most 84 bytes of payload fit; the callers' layouts are fixed
   and shorter. */
void frame_put(struct frame_writer *writer, uint8_t byte);
void frame_put_bytes(struct frame_writer *writer, const uint8_t *bytes, uint8_t count);
void frame_put_16(struct frame_writer *writer, uint16_t value);
void frame_put_24(struct frame_writer *writer, int32_t value); /* -2^23 to 2^23 - 1 */
void frame_put_32(struct frame_writer *writer, uint32_t value);

/* Close the frame with its CRC and zero byte; its length in bytes. */
uint8_t frame_end(struct frame_writer *writer);

#endif
