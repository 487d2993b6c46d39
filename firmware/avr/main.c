/* The controller's program: a scan every 2.5 ms, and between two scans everything else. Nothing waits for the line,
   the host or a load cell. */
#include <avr/interrupt.h>

#include "clock.h"
#include "controller.h"
#include "converter.h"
#include "identity.h"
#include "load_cells.h"
#include "ring_sensors.h"
#include "scan.h"
#include "serial.h"
#include "tables.h"
#include "version.h"
#include "watch.h"

#define SCAN_TICKS ((uint16_t)(SCAN_MICROSECONDS * TICKS_PER_MICROSECOND))
#define SCAN_VARIES_TICKS ((uint16_t)(SCAN_VARIES_MICROSECONDS * TICKS_PER_MICROSECOND))

/* 256 * 2.5 V / 144 is 4.44 V: below what the rail keeps at its worst, with all tolerances above 4.37 V
   (electrics.md of make wiring, References, ribbon and the shared rail). */
#define SUPPLY_LOW_READING 144

/* A frame is made within so long: one that can be put off is not begun so shortly before a scan. */
#define FRAME_TICKS ((int16_t)(350 * TICKS_PER_MICROSECOND))

/* Bytes from the host that are looked at in one go, about 8 microseconds each. */
#define BYTES_AT_ONCE 8

static struct controller controller;
static struct ring_filter rings;
static struct readings readings;

static void take_bytes(void)
{
    uint8_t left = BYTES_AT_ONCE;
    uint8_t byte;

    if (serial_lost()) {
        controller_event(&controller, FAULT_RECEIVE_ERROR);
    }
    while (left != 0 && serial_take(&byte)) {
        controller_receive(&controller, byte, clock_now());
        left--;
    }
}

static void send_frame(void)
{
    uint8_t length;

    if (!serial_idle()) {
        return;
    }
    length = controller_frame(&controller, serial_frame());
    if (length != 0) {
        serial_send(length);
        controller_keep_sent(&controller);
    }
}

/* Take the reading of a holder, one after the other in turn; whether there was one, which takes 60 microseconds. */
static bool take_holder(void)
{
    static uint8_t holder;
    int32_t reading;
    uint8_t turn = holder;

    holder ^= 1;
    if (!load_cell_take(turn, &reading)) {
        return false;
    }
    controller_holder(&controller, turn, reading, clock_now());
    return true;
}

/* Write the board id that the host has sent: a byte at most from scan to scan, and each takes longer. */
static void keep_board_id(void)
{
    static bool writing;
    uint32_t board_id;

    if (controller_take_board_id(&controller, &board_id)) {
        identity_set_board_id(board_id);
        writing = true;
    }
    if (writing && identity_written()) {
        writing = false;
        controller_board_id_written(&controller, identity_board_id());
    }
}

/* The supply's reading, begun before; whether there was one. */
static bool read_supply(void)
{
    if (!converter_supply_ready()) {
        return false;
    }
    if (converter_supply() >= SUPPLY_LOW_READING) {
        controller_event(&controller, FAULT_SUPPLY_LOW);
    }
    return true;
}

/* What is done between two scans, until `due`. What cannot be put off is done first; when that takes until after `due`,
   the scan was too long. */
static void between_scans(uint16_t due)
{
    bool supply_read = false;
    bool first = true;

    converter_supply_begin();
    if (controller_snapshot_due(&controller)) {
        send_frame();
    }
    keep_board_id();
    for (;;) {
        supply_read = supply_read || read_supply();
        take_bytes();
        if (supply_read) {
            int16_t late = (int16_t)(clock_ticks() - due);

            if (late >= 0) {
                if (first && late > 0) {
                    controller_event(&controller, FAULT_SCAN_OVERRUN);
                }
                return;
            }
            first = false;
        }
        if ((int16_t)(due - clock_ticks()) >= FRAME_TICKS || controller_snapshot_due(&controller)) {
            send_frame();
        }
    }
}

static bool nothing(void)
{
    return false;
}

static void start(void)
{
    struct identity identity;
    struct hello hello = {
        .protocol_major = PROTOCOL_MAJOR,
        .protocol_minor = PROTOCOL_MINOR,
        .firmware = {FIRMWARE_MAJOR, FIRMWARE_MINOR, FIRMWARE_PATCH},
        .wiring_hash = WIRING_HASH,
        .ring_sensors = RING_BITS,
        .fields = FIELDS,
        .references = REFERENCES,
        .holders = WIRING_HOLDERS,
    };

    hello.reset_cause = watch_reset_cause();
    ring_sensors_start();
    converter_start();
    load_cells_start();
    clock_start();
    serial_start();
    sei();
    watch_start();
    identity_read(&identity);
    hello.board_id = identity.board_id;
    hello.boot_id = identity.boot_id;
    ring_filter_start(&rings);
    scan_start((uint16_t)identity.boot_id);
    while (!identity_written()) { /* 21 ms; as long again for each worn record */
        watch_alive();
        (void)clock_now();
    }
    hello.silent_chips = scan(&readings, &rings, nothing);
    controller_start(&controller, &hello, &rings, clock_now());
}

int main(void)
{
    uint16_t due;

    start();
    send_frame();
    due = clock_ticks();
    for (;;) {
        uint16_t begun = clock_ticks();

        watch_alive();
        /* On the grid of 2.5 ms while there is time; from here on anew when the last scan took longer. */
        if ((uint16_t)(begun - due) >= SCAN_VARIES_TICKS) {
            due = begun;
        }
        due = (uint16_t)(due + SCAN_TICKS);
        controller_silent_chips(&controller, scan(&readings, &rings, take_holder));
        converter_supply_point(); /* it settles within 10 microseconds */
        controller_scan(&controller, &readings, clock_now());
        between_scans(due);
    }
}
