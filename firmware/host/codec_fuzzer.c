/* The core under libFuzzer (clang, `make -C firmware fuzzer`). Each input is three things at once: bytes of the line
   for the receiver and for a controller, and, read from its beginning in the order of the wire, the seq and the
   values of a message of each type, zeros where it ends. What the core makes of it is written to the standard output,
   input and all, for a judge who knows the protocol by other means (tests/firmware/fuzz/judge.py). A record is:

   input            its length (4 bytes), its bytes
   verdicts         their count (2); for each the place of the byte that brought it (4), the verdict, the command, the
                    payload's length, how many bytes were kept (1 each), these bytes
   controller       the length of all its frames (2), their bytes; its sensors' thresholds (64)
   messages         the length of a frame of each of the four types together (2), their bytes

   Numbers are little-endian. The controller is started, asked for its HELLO, given all bytes, told that the board id
   that the host wants is written, given a scan with the values of the input's SNAPSHOT, all at the snapshot's time, and
   asked for frames until it has no more. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "controller.h"
#include "messages.h"
#include "protocol.h"
#include "receiver.h"

/* More frames than an input has commands, for a controller that never ends. */
#define FRAMES_MOST 500

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct values {
    const uint8_t *data;
    size_t left;
};

static uint8_t value_8(struct values *values)
{
    if (values->left == 0) {
        return 0;
    }
    values->left--;
    return *values->data++;
}

static uint16_t value_16(struct values *values)
{
    uint8_t low = value_8(values);

    return (uint16_t)(low | value_8(values) << 8);
}

static uint32_t value_32(struct values *values)
{
    uint32_t low = value_16(values);

    return low | (uint32_t)value_16(values) << 16;
}

static int32_t value_24(struct values *values)
{
    int32_t low = value_16(values);
    int32_t high = value_8(values);

    return low + (high >= 128 ? high - 256 : high) * 65536;
}

static void value_bytes(struct values *values, uint8_t *into, size_t count)
{
    while (count != 0) {
        *into++ = value_8(values);
        count--;
    }
}

static uint8_t record[1 << 18];
static size_t record_length;

static void put(const uint8_t *bytes, size_t count)
{
    if (count > sizeof record - record_length) {
        abort(); /* inputs are not so long */
    }
    memcpy(record + record_length, bytes, count);
    record_length += count;
}

static void put_number(size_t number, size_t count)
{
    while (count != 0) {
        uint8_t byte = (uint8_t)number;

        put(&byte, 1);
        number >>= 8;
        count--;
    }
}

/* Room for a number that is known later, and the number. */
static size_t put_later(size_t count)
{
    put_number(0, count);
    return record_length;
}

static void put_now(size_t after, size_t number, size_t count)
{
    size_t length = record_length;

    record_length = after - count;
    put_number(number, count);
    record_length = length;
}

/* Hand the record over. It waits while the judge is behind; libFuzzer's alarm may interrupt that. */
static void send_record(void)
{
    const uint8_t *at = record;

    while (record_length != 0) {
        ssize_t written = write(STDOUT_FILENO, at, record_length);

        if (written > 0) {
            at += written;
            record_length -= (size_t)written;
        } else if (errno != EINTR) {
            abort(); /* the judge has gone */
        }
    }
}

static void tell_verdicts(const uint8_t *data, size_t size)
{
    struct receiver receiver;
    size_t after = put_later(2);
    size_t count = 0;
    size_t place;

    memset(&receiver, 0xA5, sizeof receiver);
    receiver_start(&receiver);
    for (place = 0; place < size; place++) {
        enum receiver_verdict verdict = receiver_take(&receiver, data[place]);

        if (verdict == RECEIVER_NOTHING) {
            continue;
        }
        count++;
        put_number(place, 4);
        put_number(verdict, 1);
        if (verdict == RECEIVER_FRAME) {
            size_t kept = (size_t)receiver.payload_length + 2;

            kept = kept < RECEIVER_KEPT ? kept : RECEIVER_KEPT;
            put_number(receiver_command(&receiver), 1);
            put_number(receiver.payload_length, 1);
            put_number(kept, 1);
            put(receiver.kept, kept);
        } else {
            put_number(0, 3);
        }
    }
    put_now(after, count, 2);
}

struct all_messages {
    uint8_t seq;
    struct hello hello;
    uint32_t time;
    struct readings readings;
    struct settings settings;
    uint8_t chip;
    struct ring_filter rings;
};

static struct values after_seq(const uint8_t *data, size_t size)
{
    struct values values = {data, size};

    (void)value_8(&values);
    return values;
}

static void read_messages(struct all_messages *messages, const uint8_t *data, size_t size)
{
    struct values from = {data, size};
    struct hello *hello = &messages->hello;
    struct readings *readings = &messages->readings;
    uint8_t input;

    messages->seq = value_8(&from);

    hello->protocol_major = value_8(&from);
    hello->protocol_minor = value_8(&from);
    value_bytes(&from, hello->firmware, sizeof hello->firmware);
    hello->board_id = value_32(&from);
    hello->boot_id = value_32(&from);
    hello->reset_cause = value_8(&from);
    hello->wiring_hash = value_32(&from);
    hello->ring_sensors = value_8(&from);
    hello->fields = value_8(&from);
    hello->references = value_8(&from);
    hello->holders = value_8(&from);
    hello->silent_chips = value_8(&from);

    from = after_seq(data, size);
    messages->time = value_32(&from);
    value_bytes(&from, readings->rings, sizeof readings->rings);
    value_bytes(&from, readings->unknown, sizeof readings->unknown);
    value_bytes(&from, readings->analog, sizeof readings->analog);
    readings->holders[0] = value_24(&from);
    readings->holders[1] = value_24(&from);
    readings->faults = value_16(&from);

    from = after_seq(data, size);
    messages->settings.field_deadband = value_8(&from);
    messages->settings.holder_deadband = value_16(&from);
    messages->settings.shortest_interval = value_16(&from);
    messages->settings.longest_interval = value_16(&from);

    from = after_seq(data, size);
    messages->chip = (uint8_t)(value_8(&from) % RING_CHIPS);
    for (input = 0; input < RING_INPUTS; input++) {
        struct ring_sensor *sensor = &messages->rings.sensor[messages->chip * RING_INPUTS + input];

        sensor->mean = (int16_t)value_16(&from);
        sensor->deviation = value_8(&from);
        sensor->threshold = value_8(&from);
        sensor->dark = value_8(&from);
    }
}

static void tell_controller(const struct all_messages *messages, const uint8_t *data, size_t size)
{
    struct controller controller;
    struct ring_filter rings;
    uint8_t frame[CONTROLLER_FRAME_ROOM]; /* exactly the room that is promised */
    uint32_t now = messages->time;
    size_t after = put_later(2);
    size_t frames = 0;
    uint32_t board_id;
    uint8_t count;
    uint8_t holder;
    size_t place;

    memset(&controller, 0xA5, sizeof controller);
    ring_filter_start(&rings);
    controller_start(&controller, &messages->hello, &rings, now);
    put(frame, controller_frame(&controller, frame));
    for (place = 0; place < size; place++) {
        controller_receive(&controller, data[place], now);
    }
    if (controller_take_board_id(&controller, &board_id)) {
        controller_board_id_written(&controller, board_id);
    }
    for (holder = 0; holder < HOLDERS; holder++) {
        controller_holder(&controller, holder, messages->readings.holders[holder], now);
    }
    controller_scan(&controller, &messages->readings, now);
    while ((count = controller_frame(&controller, frame)) != 0 && frames < FRAMES_MOST) {
        put(frame, count);
        frames++;
    }
    put_now(after, record_length - after, 2);
    for (place = 0; place < RING_BITS; place++) {
        put_number(rings.sensor[place].threshold, 1);
    }
}

static void tell_messages(const struct all_messages *messages)
{
    uint8_t frame[FRAME_MOST];
    size_t after = put_later(2);
    uint8_t seq = messages->seq;

    put(frame, message_hello(frame, seq, &messages->hello));
    put(frame, message_snapshot(frame, seq, messages->time, &messages->readings));
    put(frame, message_settings(frame, seq, &messages->settings));
    put(frame, message_ring_signals(frame, seq, messages->chip, &messages->rings));
    put_now(after, record_length - after, 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct all_messages messages;

    put_number(size, 4);
    put(data, size);
    tell_verdicts(data, size);
    read_messages(&messages, data, size);
    tell_controller(&messages, data, size);
    tell_messages(&messages);
    send_record();
    return 0;
}
