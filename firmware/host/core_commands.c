#include "core_commands.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "boot_record.h"
#include "controller.h"
#include "crc16.h"
#include "messages.h"
#include "protocol.h"
#include "receiver.h"
#include "reset_cause.h"
#include "ring_filter.h"
#include "scan_plan.h"
#include "scan_schedule.h"
#include "settings.h"
#include "tables.h"
#include "words.h"

/* Bytes of a sensor in RING_SIGNALS. */
#define SIGNAL_BYTES 5

/* The most bytes that `crc` takes: what fits in a line of the controller's program. */
#define CRC_MOST 120

/* The controller's, and that of the commands to a filter. */
static struct ring_filter rings;

static void read_hello(struct hello *hello)
{
    hello->protocol_major = number_8();
    hello->protocol_minor = number_8();
    hello->firmware[0] = number_8();
    hello->firmware[1] = number_8();
    hello->firmware[2] = number_8();
    hello->board_id = number_32();
    hello->boot_id = number_32();
    hello->reset_cause = number_8();
    hello->wiring_hash = number_32();
    hello->ring_sensors = number_8();
    hello->fields = number_8();
    hello->references = number_8();
    hello->holders = number_8();
    hello->silent_chips = number_8();
}

static void read_scan(struct readings *readings)
{
    memset(readings, 0, sizeof *readings);
    read_bytes(readings->rings, RING_CHIPS);
    read_bytes(readings->unknown, RING_CHIPS);
    read_bytes(readings->analog, ANALOG_COUNT);
}

/* The commands that need nothing from before. */

static void command_crc(void)
{
    uint8_t bytes[CRC_MOST];
    uint8_t count = 0;
    uint8_t byte;
    uint16_t crc;

    begin_word();
    while (byte_of_word(&byte)) {
        if (count == sizeof bytes) {
            filter_fail("too many bytes");
        }
        bytes[count++] = byte;
    }
    crc = crc16_of(bytes, count);
    bytes[0] = (uint8_t)(crc >> 8);
    bytes[1] = (uint8_t)crc;
    put_bytes(bytes, 2);
}

static void command_hello(void)
{
    uint8_t frame[FRAME_MOST];
    uint8_t seq = number_8();
    struct hello hello;

    read_hello(&hello);
    put_bytes(frame, message_hello(frame, seq, &hello));
}

static void command_snapshot(void)
{
    uint8_t frame[FRAME_MOST];
    uint8_t seq = number_8();
    uint32_t time = number_32();
    struct readings readings;

    read_scan(&readings);
    readings.holders[0] = signed_number();
    readings.holders[1] = signed_number();
    readings.faults = number_16();
    put_bytes(frame, message_snapshot(frame, seq, time, &readings));
}

static void command_settings(void)
{
    uint8_t frame[FRAME_MOST];
    uint8_t seq = number_8();
    struct settings settings;

    settings.field_deadband = number_8();
    settings.holder_deadband = number_16();
    settings.shortest_interval = number_16();
    settings.longest_interval = number_16();
    put_bytes(frame, message_settings(frame, seq, &settings));
}

static void command_signals(void)
{
    uint8_t frame[FRAME_MOST];
    uint8_t signals[RING_INPUTS * SIGNAL_BYTES];
    uint8_t seq = number_8();
    uint8_t chip = (uint8_t)(number_8() % RING_CHIPS);
    uint8_t input;

    read_bytes(signals, sizeof signals);
    for (input = 0; input < RING_INPUTS; input++) {
        const uint8_t *signal = signals + input * SIGNAL_BYTES;
        struct ring_sensor *sensor = &rings.sensor[chip * RING_INPUTS + input];

        sensor->mean = (int16_t)(uint16_t)(signal[0] | (uint16_t)((uint16_t)signal[1] << 8));
        sensor->deviation = signal[2];
        sensor->threshold = signal[3];
        sensor->dark = signal[4];
    }
    put_bytes(frame, message_ring_signals(frame, seq, chip, &rings));
}

static void command_set(void)
{
    uint8_t payload[SETTINGS_BYTES];
    struct settings settings;

    read_bytes(payload, sizeof payload);
    settings_read(&settings, payload);
    put_number(settings_allowed(&settings));
    filter_put(' ');
    put_number(settings.field_deadband);
    filter_put(' ');
    put_number(settings.holder_deadband);
    filter_put(' ');
    put_number(settings.shortest_interval);
    filter_put(' ');
    put_number(settings.longest_interval);
}

static void command_schedule(void)
{
    struct schedule schedule;
    uint8_t round;
    uint8_t address;

    schedule_start(&schedule);
    for (round = 0; round < SCAN_ROUNDS; round++) {
        put_number(schedule_adc(round));
        filter_put(':');
        put_number(schedule_high(round));
        for (address = 0; address < SCAN_ADDRESSES; address++) {
            filter_put(':');
            put_number(schedule.into[round][address]);
        }
        filter_put(' ');
    }
}

static struct scan_plan plan;

static void command_plan(void)
{
    uint8_t place;

    if (number_8() != 0) {
        scan_plan_start(&plan, number_16());
    } else {
        (void)number_16();
    }
    scan_plan_next(&plan);
    for (place = 0; place < SCAN_BANKS; place++) {
        const struct bank_plan *bank = &plan.banks[place];
        const uint8_t values[] = {bank->bank,    bank->inverted,   bank->wait,
                                  bank->settles, bank->first_chip, bank->chip_step};

        put_bytes(values, sizeof values);
        filter_put(' ');
    }
}

static void command_wiring(void)
{
    static const uint8_t inputs[] = {WIRING_MUX_INPUTS};
    static const uint8_t pins[] = {
        PIN_MOSI,
        PIN_MISO,
        PIN_SCK,
        PIN_LATCH,
        PIN_RING_SELECT,
        PIN_EMITTER_ENABLE,
        PIN_SELECT_0,
        PIN_SELECT_1,
        PIN_SELECT_2,
        PIN_SELECT_3,
        PIN_HOLDER_RED_CLOCK,
        PIN_HOLDER_RED_DATA,
        PIN_HOLDER_BLACK_CLOCK,
        PIN_HOLDER_BLACK_DATA,
    };

    put_number(WIRING_HASH);
    filter_put(' ');
    put_number(WIRING_HOLDERS);
    filter_put(' ');
    put_bytes(inputs, sizeof inputs);
    filter_put(' ');
    put_bytes(pins, sizeof pins);
}

static void command_record(void)
{
    uint8_t record[RECORD_BYTES];

    record_write(record, number_32());
    put_bytes(record, sizeof record);
}

static void command_boot(void)
{
    uint8_t records[RECORD_BYTES * BOOT_RECORDS];
    uint32_t chance = number_32();
    uint8_t place;

    read_bytes(records, sizeof records);
    put_number(boot_record_next(records, chance, &place));
    filter_put(' ');
    put_number(place);
}

static void command_cause(void)
{
    uint8_t mcusr = number_8();
    uint8_t passed = number_8();

    put_number(reset_cause(mcusr, passed, number_8() != 0));
}

/* The commands to a receiver. Before its start it is filled with what no memory is by itself. */

static struct receiver receiver;

static void command_receiver(void)
{
    memset(&receiver, 0xA5, sizeof receiver);
    receiver_start(&receiver);
}

static void put_verdict(enum receiver_verdict verdict)
{
    uint8_t kept = (uint8_t)(receiver.payload_length + 2);

    switch (verdict) {
    case RECEIVER_FRAME:
        put_text(" F:");
        put_number(receiver_command(&receiver));
        filter_put(':');
        put_number(receiver.payload_length);
        filter_put(':');
        put_bytes(receiver.kept, kept < RECEIVER_KEPT ? kept : RECEIVER_KEPT);
        break;
    case RECEIVER_MALFORMED:
        put_text(" M");
        break;
    case RECEIVER_CRC_ERROR:
        put_text(" C");
        break;
    case RECEIVER_NOTHING:
        break;
    }
}

static void command_receive(void)
{
    uint8_t byte;

    begin_word();
    while (byte_of_word(&byte)) {
        put_verdict(receiver_take(&receiver, byte));
    }
}

/* The commands to a controller. */

static struct controller controller;

static void command_start(void)
{
    uint32_t now = number_32();
    struct hello hello;

    read_hello(&hello);
    memset(&controller, 0xA5, sizeof controller);
    ring_filter_start(&rings);
    controller_start(&controller, &hello, &rings, now);
}

static void command_bytes(void)
{
    uint32_t now = number_32();
    uint8_t byte;

    begin_word();
    while (byte_of_word(&byte)) {
        controller_receive(&controller, byte, now);
    }
}

static void command_event(void)
{
    controller_event(&controller, number_16());
}

static void command_holder(void)
{
    uint32_t now = number_32();
    uint8_t which = number_8();

    if (which >= HOLDERS) {
        filter_fail("no such holder");
    }
    controller_holder(&controller, which, signed_number(), now);
}

static void command_scan(void)
{
    uint32_t now = number_32();
    struct readings readings;

    read_scan(&readings);
    controller_scan(&controller, &readings, now);
}

static void command_wanted(void)
{
    uint32_t board_id;

    if (controller_take_board_id(&controller, &board_id)) {
        put_number(board_id);
    } else {
        filter_put('-');
    }
}

static void command_written(void)
{
    controller_board_id_written(&controller, number_32());
}

static void command_frame(void)
{
    /* Of exactly the promised size, so that the sanitiser sees a byte too many. */
    uint8_t frame[CONTROLLER_FRAME_ROOM];

    (void)number_32(); /* the controller decides at the end of a scan, and asks for no time here */
    put_bytes(frame, controller_frame(&controller, frame));
}

/* The commands to the filter of the ring sensors. */

static void command_filter(void)
{
    memset(&rings, 0xA5, sizeof rings);
    ring_filter_start(&rings);
}

static uint8_t sensor_number(void)
{
    uint8_t sensor = number_8();

    if (sensor >= RING_BITS) {
        filter_fail("no such sensor");
    }
    return sensor;
}

static void command_threshold(void)
{
    uint8_t sensor = sensor_number();

    rings.sensor[sensor].threshold = number_8();
}

static void command_visit(void)
{
    uint8_t sensor = sensor_number();
    uint8_t chip = sensor / RING_INPUTS;
    uint8_t input = sensor % RING_INPUTS;
    uint8_t inverted = number_8();
    uint16_t readings[3];
    uint8_t place;

    for (place = 0; place < 3; place++) {
        readings[place] = number_16();
    }
    ring_filter_visit(&rings, chip, input, readings, inverted != 0);
    if ((rings.decided[chip].unknown >> input & 1) != 0) {
        filter_put('?');
    } else {
        filter_put((rings.decided[chip].seen >> input & 1) != 0 ? '1' : '0');
    }
    filter_put(' ');
    put_number((uint16_t)(rings.sensor[sensor].mean + INT16_MAX));
    filter_put(' ');
    put_number(rings.sensor[sensor].deviation);
    filter_put(' ');
    put_number(rings.sensor[sensor].dark);
}

static const struct {
    char name[NAME_ROOM];
    void (*obey)(void);
} commands[] = {
    {"crc", command_crc},
    {"hello", command_hello},
    {"snapshot", command_snapshot},
    {"settings", command_settings},
    {"signals", command_signals},
    {"set", command_set},
    {"schedule", command_schedule},
    {"plan", command_plan},
    {"wiring", command_wiring},
    {"record", command_record},
    {"boot", command_boot},
    {"cause", command_cause},
    {"receiver", command_receiver},
    {"receive", command_receive},
    {"start", command_start},
    {"bytes", command_bytes},
    {"event", command_event},
    {"holder", command_holder},
    {"scan", command_scan},
    {"wanted", command_wanted},
    {"written", command_written},
    {"frame", command_frame},
    {"filter", command_filter},
    {"limit", command_threshold},
    {"visit", command_visit},
};

bool core_command(void)
{
    char name[NAME_ROOM];
    uint8_t place;

    if (!begin_line(name)) {
        return false;
    }
    for (place = 0; place < sizeof commands / sizeof commands[0]; place++) {
        if (strcmp(name, commands[place].name) == 0) {
            commands[place].obey();
            end_line();
            filter_put('\n');
            return true;
        }
    }
    filter_fail("no such command");
}
