#include "receiver.h"

#include "crc16.h"
#include "protocol.h"
#include "settings.h"

#define TOO_LONG (FRAME_ENCODED_MOST + 1)

/* Where the payload begins: behind type and seq. */
#define PAYLOAD 2

/* Type, seq and the two bytes of the CRC. */
#define CONTENT_WITHOUT_PAYLOAD 4

void receiver_start(struct receiver *receiver)
{
    receiver->encoded = 0;
    receiver->content = 0;
    receiver->block = 0;
    receiver->crc = CRC16_START;
}

static void take_content(struct receiver *receiver, uint8_t byte)
{
    if (receiver->content < RECEIVER_KEPT) {
        receiver->kept[receiver->content] = byte;
    }
    receiver->content++;
    receiver->crc = crc16_add(receiver->crc, byte);
}

/* The verdict on what stands between the last zero byte and this one. */
static enum receiver_verdict judge(const struct receiver *receiver)
{
    if (receiver->encoded == 0 || receiver->encoded == TOO_LONG) {
        return RECEIVER_NOTHING; /* two zero bytes in a row are no error; too long was told of when it happened */
    }
    if (receiver->encoded < FRAME_ENCODED_LEAST || receiver->block != 0) {
        return RECEIVER_MALFORMED;
    }
    return receiver->crc == 0 ? RECEIVER_FRAME : RECEIVER_CRC_ERROR;
}

enum receiver_verdict receiver_take(struct receiver *receiver, uint8_t byte)
{
    if (byte == 0) {
        enum receiver_verdict verdict = judge(receiver);

        if (verdict == RECEIVER_FRAME) {
            receiver->payload_length = (uint8_t)(receiver->content - CONTENT_WITHOUT_PAYLOAD);
        }
        receiver_start(receiver);
        return verdict;
    }
    if (receiver->encoded == TOO_LONG) {
        return RECEIVER_NOTHING;
    }
    receiver->encoded++;
    if (receiver->encoded == TOO_LONG) {
        return RECEIVER_MALFORMED;
    }
    if (receiver->block != 0) {
        receiver->block--;
        take_content(receiver, byte);
        return RECEIVER_NOTHING;
    }
    /* A code byte. The block before it, if there was one, stood for its bytes and a zero. A code of 0xFF, which
       stands for no zero, points beyond the end of any frame: it needs no case of its own. */
    if (receiver->encoded > 1) {
        take_content(receiver, 0);
    }
    receiver->block = (uint8_t)(byte - 1);
    return RECEIVER_NOTHING;
}

enum command receiver_command(const struct receiver *receiver)
{
    switch (receiver->kept[0]) {
    case TYPE_IDENTIFY:
        return COMMAND_IDENTIFY;
    case TYPE_SET:
        return receiver->payload_length < SETTINGS_BYTES ? COMMAND_MISSHAPEN : COMMAND_SET;
    case TYPE_SELF_TEST:
        return COMMAND_SELF_TEST;
    case TYPE_HEARTBEAT:
        return COMMAND_HEARTBEAT;
    case TYPE_SET_BOARD_ID:
        return receiver->payload_length < BOARD_ID_BYTES ? COMMAND_MISSHAPEN : COMMAND_SET_BOARD_ID;
    case TYPE_SET_THRESHOLDS:
        return receiver->payload_length < THRESHOLDS_BYTES ? COMMAND_MISSHAPEN : COMMAND_SET_THRESHOLDS;
    default:
        return COMMAND_UNKNOWN;
    }
}

uint32_t receiver_board_id(const struct receiver *receiver)
{
    uint32_t board_id = 0;
    uint8_t place;

    for (place = BOARD_ID_BYTES; place != 0; place--) {
        board_id = board_id << 8 | receiver->kept[PAYLOAD + place - 1];
    }
    return board_id;
}
