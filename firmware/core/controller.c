#include "controller.h"

#include <string.h>

void controller_start(struct controller *controller, const struct hello *hello, struct ring_filter *rings,
                      uint32_t now)
{
    uint8_t holder;

    memset(controller, 0, sizeof *controller);
    controller->hello = *hello;
    controller->rings = rings;
    controller->signals_time = now;
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

/* All of a chip's thresholds, or none. */
static void set_thresholds(struct controller *controller)
{
    const uint8_t *wanted = controller->receiver.kept + 2;
    uint8_t chip = *wanted++;
    uint8_t input;

    if (chip >= RING_CHIPS) {
        return;
    }
    controller->signals_due = (uint8_t)(controller->signals_due | 1u << chip);
    for (input = 0; input < RING_INPUTS; input++) {
        if (wanted[input] != 0 && wanted[input] < RING_LEAST_THRESHOLD) {
            return;
        }
    }
    for (input = 0; input < RING_INPUTS; input++) {
        controller->rings->sensor[chip * RING_INPUTS + input].threshold = wanted[input];
    }
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
        controller->signals_due = UINT8_MAX;
        break;
    case COMMAND_HEARTBEAT:
        break;
    case COMMAND_SET_BOARD_ID:
        set_board_id(controller);
        break;
    case COMMAND_SET_THRESHOLDS:
        set_thresholds(controller);
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

void controller_silent_chips(struct controller *controller, uint8_t chips)
{
    controller->hello.silent_chips = chips;
}

/* The faults as they stand at the end of a scan. What is silent is remembered, so that the clock's turn after 71
   minutes does not make it heard. */
static uint16_t faults_at(struct controller *controller, uint32_t now)
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

    controller_keep_sent(controller);
    memcpy(newest->rings, scan->rings, sizeof newest->rings);
    memcpy(newest->unknown, scan->unknown, sizeof newest->unknown);
    memcpy(newest->analog, scan->analog, sizeof newest->analog);
    memcpy(newest->holders, controller->holder, sizeof newest->holders);
    newest->faults = faults_at(controller, now);
    controller->newest_time = now;
    if (now - controller->signals_time >= SIGNALS_MICROSECONDS) {
        controller->signals_time = now;
        controller->signals_due = (uint8_t)(controller->signals_due | 1u << controller->signals_next);
        controller->signals_next = (uint8_t)((controller->signals_next + 1) % RING_CHIPS);
    }
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

bool controller_snapshot_due(const struct controller *controller)
{
    return controller->due || controller->overdue;
}

/* Those of the first chip that is due. */
static uint8_t signals(struct controller *controller, uint8_t *frame)
{
    uint8_t chip = 0;
    uint8_t bit = 1;

    while ((controller->signals_due & bit) == 0) {
        bit = (uint8_t)(bit << 1);
        chip++;
    }
    controller->signals_due &= (uint8_t)~bit;
    return message_ring_signals(frame, controller->seq++, chip, controller->rings);
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
    if (controller->due) {
        return snapshot(controller, frame);
    }
    if (controller->signals_due != 0) {
        return signals(controller, frame);
    }
    return 0;
}
