#include "messages.h"

#include "frame_writer.h"
#include "protocol.h"

uint8_t message_hello(uint8_t *frame, uint8_t seq, const struct hello *hello)
{
    struct frame_writer writer;

    frame_begin(&writer, frame, TYPE_HELLO, seq);
    frame_put(&writer, hello->protocol_major);
    frame_put(&writer, hello->protocol_minor);
    frame_put_bytes(&writer, hello->firmware, sizeof hello->firmware);
    frame_put_32(&writer, hello->board_id);
    frame_put_32(&writer, hello->boot_id);
    frame_put(&writer, hello->reset_cause);
    frame_put_32(&writer, hello->wiring_hash);
    frame_put(&writer, hello->ring_sensors);
    frame_put(&writer, hello->fields);
    frame_put(&writer, hello->references);
    frame_put(&writer, hello->holders);
    frame_put(&writer, hello->silent_chips);
    return frame_end(&writer);
}

uint8_t message_snapshot(uint8_t *frame, uint8_t seq, uint32_t time, const struct readings *readings)
{
    struct frame_writer writer;
    uint8_t holder;

    frame_begin(&writer, frame, TYPE_SNAPSHOT, seq);
    frame_put_32(&writer, time);
    frame_put_bytes(&writer, readings->rings, RING_CHIPS);
    frame_put_bytes(&writer, readings->unknown, RING_CHIPS);
    frame_put_bytes(&writer, readings->analog, ANALOG_COUNT);
    for (holder = 0; holder < HOLDERS; holder++) {
        frame_put_24(&writer, readings->holders[holder]);
    }
    frame_put_16(&writer, readings->faults);
    return frame_end(&writer);
}

uint8_t message_settings(uint8_t *frame, uint8_t seq, const struct settings *settings)
{
    struct frame_writer writer;

    frame_begin(&writer, frame, TYPE_SETTINGS, seq);
    frame_put(&writer, settings->field_deadband);
    frame_put_16(&writer, settings->holder_deadband);
    frame_put_16(&writer, settings->shortest_interval);
    frame_put_16(&writer, settings->longest_interval);
    return frame_end(&writer);
}

uint8_t message_ring_signals(uint8_t *frame, uint8_t seq, uint8_t chip, const struct ring_filter *rings)
{
    struct frame_writer writer;
    const struct ring_sensor *sensor = &rings->sensor[chip * RING_INPUTS];
    uint8_t left = RING_INPUTS;

    frame_begin(&writer, frame, TYPE_RING_SIGNALS, seq);
    frame_put(&writer, chip);
    while (left != 0) {
        frame_put_16(&writer, (uint16_t)sensor->mean);
        frame_put(&writer, sensor->deviation);
        frame_put(&writer, sensor->threshold);
        frame_put(&writer, sensor->dark);
        sensor++;
        left--;
    }
    return frame_end(&writer);
}
