#include "controller.h"

#include <string.h>

void controller_start(struct controller *controller, const struct hello *hello, uint32_t now)
{
    uint8_t holder;

    memset(controller, 0, sizeof *controller);
    controller->hello = *hello;
    receiver_start(&controller->receiver);
    settings_reset(&controller->settings);
    controller->shown_time = now;
    controller->host_silent = true; /* no good frame since the reset */
    for (holder = 0; holder < HOLDERS; holder++) {
        controller->holder_time[holder] = now;
    }
}

static void owe(uint8_t *due)
{
    if (*due != UINT8_MAX) {
        (*due)++;
    }
}

static void set_board_id(struct controller *controller)
{
    uint32_t wanted = receiver_board_id(&controller->receiver);

    if (wanted == BOARD_ID_NONE || wanted == BOARD_ID_ERASED) {
        owe(&controller->hellos_due); /* refused: told at once which one the board has */
        return;
    }
    controller->board_id = wanted;
    controller->board_id_due = true;
    owe(&controller->hellos_after_writing);
}

static void set(struct controller *controller)
{
    struct settings wanted;

    settings_read(&wanted, controller->receiver.kept + 2);
    if (settings_allowed(&wanted)) {
        controller->settings = wanted;
    }
    owe(&controller->settings_due);
}

static void obey(struct controller *controller, uint32_t now)
{
    switch (receiver_command(&controller->receiver)) {
    case COMMAND_IDENTIFY:
        owe(&controller->hellos_due);
        break;
    case COMMAND_SET:
        set(controller);
        break;
    case COMMAND_SELF_TEST:
        if (!controller->self_test.running && !controller->report_due) {
            self_test_start(&controller->self_test);
        }
        break;
    case COMMAND_HEARTBEAT:
        break;
    case COMMAND_SET_BOARD_ID:
        set_board_id(controller);
        break;
    case COMMAND_UNKNOWN:
    case COMMAND_MISSHAPEN:
    default:
        return; /* dropped: perhaps a later minor version's */
    }
    controller->host_silent = false;
    controller->heard_time = now;
}

void controller_receive(struct controller *controller, uint8_t byte, uint32_t now)
{
    switch (receiver_take(&controller->receiver, byte)) {
    case RECEIVER_FRAME:
        obey(controller, now);
        break;
    case RECEIVER_MALFORMED:
    case RECEIVER_CRC_ERROR:
        controller_event(controller, FAULT_RECEIVE_ERROR);
        break;
    case RECEIVER_NOTHING:
    default:
        break;
    }
}

bool controller_take_board_id(struct controller *controller, uint32_t *board_id)
{
    if (!controller->board_id_due) {
        return false;
    }
    controller->board_id_due = false;
    *board_id = controller->board_id;
    return true;
}

void controller_board_id_written(struct controller *controller, uint32_t board_id)
{
    uint8_t room = (uint8_t)(UINT8_MAX - controller->hellos_due);
    uint8_t owed = controller->hellos_after_writing;

    controller->hello.board_id = board_id;
    controller->hellos_due = (uint8_t)(controller->hellos_due + (owed < room ? owed : room));
    controller->hellos_after_writing = 0;
}

void controller_event(struct controller *controller, uint16_t event)
{
    controller->events = (uint16_t)(controller->events | (event & FAULT_EVENTS));
}

void controller_holder(struct controller *controller, uint8_t holder, int32_t reading, uint32_t now)
{
    controller->holder[holder] = reading;
    controller->holder_time[holder] = now;
    controller->holder_silent[holder] = false;
}

uint8_t controller_light_time(const struct controller *controller)
{
    return controller->self_test.running ? self_test_light_time(&controller->self_test)
                                         : controller->settings.light_time;
}

/* The faults as they stand at the end of a scan. What is silent is remembered, so that the clock's turn after 71
   minutes does not make it heard. */
static uint16_t faults_at(struct controller *controller, bool testing, uint32_t now)
{
    static const uint16_t silent[HOLDERS] = {FAULT_HOLDER_RED_SILENT, FAULT_HOLDER_BLACK_SILENT};
    uint16_t faults = controller->events;
    uint8_t holder;

    if (now - controller->heard_time >= HOST_SILENCE_MICROSECONDS) {
        controller->host_silent = true;
    }
    if (controller->host_silent) {
        faults = (uint16_t)(faults | FAULT_HOST_SILENT);
    }
    if (testing) {
        faults = (uint16_t)(faults | FAULT_SELF_TEST);
    }
    for (holder = 0; holder < controller->hello.holders && holder < HOLDERS; holder++) {
        if (now - controller->holder_time[holder] >= HOLDER_SILENCE_MICROSECONDS) {
            controller->holder_silent[holder] = true;
        }
        if (controller->holder_silent[holder]) {
            faults = (uint16_t)(faults | silent[holder]);
        }
    }
    return faults;
}

void controller_keep_sent(struct controller *controller)
{
    if (controller->keeping_due) {
        controller->sent = controller->newest;
        controller->sent.faults = (uint16_t)(controller->newest.faults & (uint16_t)~FAULT_EVENTS);
        if (controller->shown_time == controller->moved_time) {
            controller->moved = controller->sent;
        }
        controller->keeping_due = false;
    }
}

/* Whether the newest scan is to be sent (PROTOCOL.md section 4, "When"). */
static void decide(struct controller *controller)
{
    const struct settings *settings = &controller->settings;
    uint32_t since = controller->newest_time - controller->shown_time;

    bool allowed = since + SCAN_VARIES_MICROSECONDS >= settings->shortest_interval;
    bool moved = allowed && controller->snapped && readings_moved(&controller->newest, &controller->sent, settings);
    bool follows;

    if (controller->newest_time - controller->moved_time >= FOLLOW_MICROSECONDS - SCAN_VARIES_MICROSECONDS) {
        controller->following = false; /* remembered, so that the clock's turn does not make it true again */
    }
    follows = allowed && controller->following &&
              since + SCAN_MICROSECONDS > FOLLOW_INTERVAL_MICROSECONDS + SCAN_VARIES_MICROSECONDS;
    if (moved || (follows && readings_moved(&controller->newest, &controller->moved, settings))) {
        controller->following = true;
        controller->moved_time = controller->newest_time;
    }
    controller->overdue =
        allowed && since + SCAN_MICROSECONDS > (uint32_t)settings->longest_interval + SCAN_VARIES_MICROSECONDS;
    controller->due = !controller->snapped || moved || follows ||
                      (allowed && controller->newest.faults != controller->sent.faults);
}

void controller_scan(struct controller *controller, const struct readings *scan, uint32_t now)
{
    struct readings *newest = &controller->newest;
    bool testing = controller->self_test.running;

    controller_keep_sent(controller);
    if (testing) {
        /* The host is shown the ring and dark bits of the last scan before the test. */
        self_test_scan(&controller->self_test, scan->rings, scan->dark);
        controller->report_due = !controller->self_test.running;
    } else {
        memcpy(newest->rings, scan->rings, sizeof newest->rings);
        memcpy(newest->dark, scan->dark, sizeof newest->dark);
    }
    memcpy(newest->analog, scan->analog, sizeof newest->analog);
    memcpy(newest->holders, controller->holder, sizeof newest->holders);
    newest->faults = faults_at(controller, testing, now);
    controller->newest_time = now;
    decide(controller);
}

static uint8_t snapshot(struct controller *controller, uint8_t *frame)
{
    uint16_t told = (uint16_t)(controller->newest.faults & FAULT_EVENTS);

    controller->keeping_due = true;
    controller->events = (uint16_t)(controller->events & (uint16_t)~told);
    controller->shown_time = controller->newest_time;
    controller->snapped = true;
    controller->due = false;
    controller->overdue = false;
    return message_snapshot(frame, controller->seq++, controller->newest_time, &controller->newest);
}

uint8_t controller_frame(struct controller *controller, uint8_t *frame)
{
    if (!controller->greeted) {
        controller->greeted = true;
        frame[0] = 0; /* ends what stood on the line before */
        return (uint8_t)(1 + message_hello(frame + 1, controller->seq++, &controller->hello));
    }
    /* No flood of commands, each with its answer, may keep a snapshot waiting for longer than its interval. */
    if (controller->overdue) {
        return snapshot(controller, frame);
    }
    if (controller->hellos_due != 0) {
        controller->hellos_due--;
        return message_hello(frame, controller->seq++, &controller->hello);
    }
    if (controller->settings_due != 0) {
        controller->settings_due--;
        return message_settings(frame, controller->seq++, &controller->settings);
    }
    if (controller->report_due) {
        controller->report_due = false;
        return message_self_test_report(frame, controller->seq++, controller->self_test.shortest);
    }
    if (controller->due) {
        return snapshot(controller, frame);
    }
    return 0;
}
