/* Takes the bytes of the line one by one and says when a whole frame has come, or that one was damaged
   (PROTOCOL.md section 2). COBS and CRC are undone on the way: of a frame of up to 89 bytes only as much is kept as
   the longest command has. */
#ifndef TAMSK_RECEIVER_H
#define TAMSK_RECEIVER_H

#include <stdbool.h>
#include <stdint.h>

/* Type, seq and the payload of SET_THRESHOLDS. What a later minor version adds behind it is checked by the CRC, not
   kept. */
#define RECEIVER_KEPT 11

enum receiver_verdict {
    RECEIVER_NOTHING,    /* no frame ends here */
    RECEIVER_FRAME,      /* a frame with a right CRC: `kept` and `payload_length` hold until the next byte */
    RECEIVER_MALFORMED,  /* too short, too long, or no COBS; a frame that is too long is told of at its 90th byte */
    RECEIVER_CRC_ERROR
};

struct receiver {
    uint8_t kept[RECEIVER_KEPT]; /* the first bytes of the content: type, seq, payload */
    uint8_t payload_length;      /* of the frame just told of, 0 to 84; may be more than was kept */
    uint8_t encoded;             /* bytes since the last zero byte, 0 to 90; 90: too long, wait for a zero byte */
    uint8_t content;             /* content bytes that they gave, 0 to 88 */
    uint8_t block;               /* bytes still to come before the next code byte */
    uint16_t crc;                /* over the content, its own CRC included: 0 at the end of an undamaged frame */
};

/* Begin, as after a zero byte. */
void receiver_start(struct receiver *receiver);

/* Take the next byte of the line. */
enum receiver_verdict receiver_take(struct receiver *receiver, uint8_t byte);

/* What the firmware makes of a frame from the host. */
enum command {
    COMMAND_UNKNOWN,   /* a type that is not from the host, or of a later minor version */
    COMMAND_MISSHAPEN, /* a payload shorter than the type's */
    COMMAND_IDENTIFY,
    COMMAND_SET,
    COMMAND_SELF_TEST,
    COMMAND_HEARTBEAT,
    COMMAND_SET_BOARD_ID,
    COMMAND_SET_THRESHOLDS
};

/* The command in the frame just told of. */
enum command receiver_command(const struct receiver *receiver);

/* The board id in a frame of COMMAND_SET_BOARD_ID. */
uint32_t receiver_board_id(const struct receiver *receiver);

#endif
