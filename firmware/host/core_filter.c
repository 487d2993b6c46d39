/* The portable core as a program on the host, for the tests: a command a line in, an answer a line out. Bytes are
   written in hexadecimal, "-" for none; numbers in decimal. Built with the sanitisers: whatever the core does wrong
   ends the program. A line that is no command ends it too.

   crc BYTES                                  the CRC-16
   hello SEQ 8 numbers and the four counts    a frame of each message; the numbers as in `struct hello`
   snapshot SEQ TIME RINGS DARK ANALOG RED BLACK FAULTS
   settings SEQ 5 numbers
   report SEQ BYTES
   receiver                                   a new receiver
   receive BYTES                              its verdicts: F:COMMAND:PAYLOAD LENGTH:KEPT, M (malformed), C (CRC)
   set BYTES                                  a payload of SET: 1 or 0 (allowed or not) and the five numbers
   schedule                                   ADDRESS:ADC:INTO for each conversion, then the counts of the slots
   wiring                                     the hash and the pins of the tables
   record NUMBER                              an EEPROM record
   boot CHANCE RECORDS                        the next boot id and the record to write
   cause MCUSR PASSED HUNG                    the reset cause
   start NOW 12 numbers                       a controller, and what follows is done to it
   bytes NOW BYTES · event BITS · holder NOW WHICH READING · scan NOW RINGS DARK ANALOG
   light                                      the light time of its next scan
   frame NOW                                  its next frame */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boot_record.h"
#include "controller.h"
#include "crc16.h"
#include "messages.h"
#include "protocol.h"
#include "receiver.h"
#include "reset_cause.h"
#include "scan_schedule.h"
#include "settings.h"
#include "tables.h"

/* The longest line that the tests send: a stream of bytes for the receiver. */
#define LINE_MOST 400000

static char line[LINE_MOST];
static uint8_t bytes[LINE_MOST / 2];

static void fail(const char *what)
{
    fprintf(stderr, "core_filter: %s\n", what);
    exit(1);
}

static const char *word(void)
{
    const char *found = strtok(NULL, " \n");

    if (found == NULL) {
        fail("a word is missing");
    }
    return found;
}

static int64_t number(void)
{
    char *end;
    const char *text = word();
    int64_t value = strtoll(text, &end, 10);

    if (*end != '\0') {
        fail("that is no number");
    }
    return value;
}

static uint8_t number_8(void)
{
    return (uint8_t)number();
}

static uint32_t number_32(void)
{
    return (uint32_t)number();
}

/* The next word as bytes, at `into`, and how many they are. */
static size_t hexadecimal(uint8_t *into, size_t most)
{
    const char *text = word();
    size_t count = 0;

    if (strcmp(text, "-") == 0) {
        return 0;
    }
    while (*text != '\0') {
        unsigned int value;

        if (count == most || sscanf(text, "%2x", &value) != 1 || text[1] == '\0') {
            fail("those are no bytes, or too many");
        }
        into[count++] = (uint8_t)value;
        text += 2;
    }
    return count;
}

static void exactly(uint8_t *into, size_t count)
{
    if (hexadecimal(into, count) != count) {
        fail("too few bytes");
    }
}

static void show(const uint8_t *shown, size_t count)
{
    size_t place;

    if (count == 0) {
        putchar('-');
    }
    for (place = 0; place < count; place++) {
        printf("%02x", shown[place]);
    }
}

static struct hello read_hello(void)
{
    struct hello hello;

    hello.protocol_major = number_8();
    hello.protocol_minor = number_8();
    hello.firmware[0] = number_8();
    hello.firmware[1] = number_8();
    hello.firmware[2] = number_8();
    hello.board_id = number_32();
    hello.boot_id = number_32();
    hello.reset_cause = number_8();
    hello.wiring_hash = number_32();
    hello.ring_sensors = number_8();
    hello.fields = number_8();
    hello.references = number_8();
    hello.holders = number_8();
    return hello;
}

static void read_scan(struct readings *readings)
{
    memset(readings, 0, sizeof *readings);
    exactly(readings->rings, CHAIN_CHIPS);
    exactly(readings->dark, CHAIN_CHIPS);
    exactly(readings->analog, ANALOG_COUNT);
}

static void show_verdict(enum receiver_verdict verdict, const struct receiver *receiver)
{
    size_t kept = (size_t)receiver->payload_length + 2;

    switch (verdict) {
    case RECEIVER_FRAME:
        printf(" F:%d:%u:", (int)receiver_command(receiver), receiver->payload_length);
        show(receiver->kept, kept < RECEIVER_KEPT ? kept : RECEIVER_KEPT);
        break;
    case RECEIVER_MALFORMED:
        printf(" M");
        break;
    case RECEIVER_CRC_ERROR:
        printf(" C");
        break;
    case RECEIVER_NOTHING:
        break;
    }
}

static void show_settings(bool allowed, const struct settings *settings)
{
    printf("%d %u %u %u %u %u", allowed, settings->field_deadband, settings->holder_deadband,
           settings->shortest_interval, settings->longest_interval, settings->light_time);
}

static void show_schedule(void)
{
    uint8_t place;

    for (place = 0; place < ANALOG_COUNT; place++) {
        struct conversion conversion = schedule_conversion(place);

        printf("%u:%u:%u ", conversion.address, conversion.adc, conversion.into);
    }
    for (place = 0; place < BANK_COUNT; place++) {
        printf("%u ", schedule_count(place));
    }
}

static void show_wiring(void)
{
    static const uint8_t inputs[] = {WIRING_MUX_INPUTS};
    static const uint8_t pins[] = {
        PIN_MOSI,
        PIN_MISO,
        PIN_SCK,
        PIN_LATCH,
        PIN_CHAIN_LOAD,
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

    printf("%" PRIu32 " %d ", (uint32_t)WIRING_HASH, WIRING_HOLDERS);
    show(inputs, sizeof inputs);
    putchar(' ');
    show(pins, sizeof pins);
}

/* The commands that need nothing from before; whether `command` was one. */
static bool stateless(const char *command)
{
    uint8_t frame[FRAME_MOST];
    uint8_t seq;

    if (strcmp(command, "crc") == 0) {
        size_t count = hexadecimal(bytes, UINT8_MAX);

        printf("%04x", crc16_of(bytes, (uint8_t)count));
    } else if (strcmp(command, "hello") == 0) {
        struct hello hello;

        seq = number_8();
        hello = read_hello();
        show(frame, message_hello(frame, seq, &hello));
    } else if (strcmp(command, "snapshot") == 0) {
        struct readings readings;
        uint32_t time;

        seq = number_8();
        time = number_32();
        read_scan(&readings);
        readings.holders[0] = (int32_t)number();
        readings.holders[1] = (int32_t)number();
        readings.faults = (uint16_t)number();
        show(frame, message_snapshot(frame, seq, time, &readings));
    } else if (strcmp(command, "settings") == 0) {
        struct settings settings;

        seq = number_8();
        settings.field_deadband = number_8();
        settings.holder_deadband = (uint16_t)number();
        settings.shortest_interval = (uint16_t)number();
        settings.longest_interval = (uint16_t)number();
        settings.light_time = number_8();
        show(frame, message_settings(frame, seq, &settings));
    } else if (strcmp(command, "report") == 0) {
        seq = number_8();
        exactly(bytes, CHAIN_BITS);
        show(frame, message_self_test_report(frame, seq, bytes));
    } else if (strcmp(command, "set") == 0) {
        struct settings settings;

        exactly(bytes, SETTINGS_BYTES);
        settings_read(&settings, bytes);
        show_settings(settings_allowed(&settings), &settings);
    } else if (strcmp(command, "schedule") == 0) {
        show_schedule();
    } else if (strcmp(command, "wiring") == 0) {
        show_wiring();
    } else if (strcmp(command, "record") == 0) {
        record_write(bytes, number_32());
        show(bytes, RECORD_BYTES);
    } else if (strcmp(command, "boot") == 0) {
        uint32_t chance = number_32();
        uint32_t id;
        uint8_t place;

        exactly(bytes, RECORD_BYTES * BOOT_RECORDS);
        id = boot_record_next(bytes, chance, &place);
        printf("%" PRIu32 " %u", id, place);
    } else if (strcmp(command, "cause") == 0) {
        uint8_t mcusr = number_8();
        uint8_t passed = number_8();

        printf("%u", reset_cause(mcusr, passed, number() != 0));
    } else {
        return false;
    }
    return true;
}

/* The commands to a receiver or controller; whether `command` was one. */
static bool stateful(const char *command)
{
    static struct receiver receiver;
    static struct controller controller;
    size_t place;
    uint32_t now;

    if (strcmp(command, "receiver") == 0) {
        memset(&receiver, 0xA5, sizeof receiver);
        receiver_start(&receiver);
    } else if (strcmp(command, "receive") == 0) {
        size_t count = hexadecimal(bytes, sizeof bytes);

        for (place = 0; place < count; place++) {
            show_verdict(receiver_take(&receiver, bytes[place]), &receiver);
        }
    } else if (strcmp(command, "start") == 0) {
        struct hello hello;

        now = number_32();
        hello = read_hello();
        memset(&controller, 0xA5, sizeof controller);
        controller_start(&controller, &hello, now);
    } else if (strcmp(command, "bytes") == 0) {
        size_t count;

        now = number_32();
        count = hexadecimal(bytes, sizeof bytes);
        for (place = 0; place < count; place++) {
            controller_receive(&controller, bytes[place], now);
        }
    } else if (strcmp(command, "event") == 0) {
        controller_event(&controller, (uint16_t)number());
    } else if (strcmp(command, "holder") == 0) {
        uint8_t which;

        now = number_32();
        which = number_8();
        if (which >= HOLDERS) {
            fail("no such holder");
        }
        controller_holder(&controller, which, (int32_t)number(), now);
    } else if (strcmp(command, "scan") == 0) {
        struct readings readings;

        now = number_32();
        read_scan(&readings);
        controller_scan(&controller, &readings, now);
    } else if (strcmp(command, "light") == 0) {
        printf("%u", controller_light_time(&controller));
    } else if (strcmp(command, "frame") == 0) {
        /* A room of exactly the promised size, so that a byte too many is seen. */
        uint8_t *frame = malloc(CONTROLLER_FRAME_ROOM);

        if (frame == NULL) {
            fail("no memory");
        }
        show(frame, controller_frame(&controller, frame, number_32()));
        free(frame);
    } else {
        return false;
    }
    return true;
}

int main(void)
{
    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *command = strtok(line, " \n");

        if (command == NULL || (!stateless(command) && !stateful(command))) {
            fail("no such command");
        }
        putchar('\n');
        fflush(stdout);
    }
    return 0;
}
