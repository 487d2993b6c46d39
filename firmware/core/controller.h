/* The board's side of the protocol: what comes in changes settings and asks for answers, what was scanned makes
   snapshots, and one frame at a time goes out. It knows no register and no clock; microseconds come in as numbers. */
#ifndef TAMSK_CONTROLLER_H
#define TAMSK_CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"
#include "readings.h"
#include "receiver.h"
#include "ring_filter.h"
#include "settings.h"

/* Room for a frame and the zero byte before the first one. */
#define CONTROLLER_FRAME_ROOM (FRAME_MOST + 1)

struct controller {
    struct hello hello;
    struct receiver receiver;
    struct settings settings;
    struct ring_filter *rings; /* whose thresholds the host sets, and whose signals it is told */
    struct readings newest;   /* what the next snapshot shows */
    struct readings sent;     /* what the last one showed, without the faults that tell of events */
    struct readings moved;    /* what the last one showed that was news, or had drifted since */
    uint32_t newest_time;     /* end of the newest scan, controller microseconds */
    uint32_t shown_time;      /* end of the scan that the last snapshot showed; before the first, the reset */
    uint32_t moved_time;      /* end of the scan that last was news, or had drifted since */
    uint32_t heard_time;      /* when the host was last heard */
    uint32_t holder_time[HOLDERS]; /* when each HX711 last gave a reading */
    int32_t holder[HOLDERS];  /* its last reading */
    uint16_t events;          /* FAULT_EVENTS that no snapshot has told of yet */
    uint8_t seq;              /* of the next frame */
    uint8_t hellos_due;       /* answers that are owed, 0 to 255 */
    uint8_t settings_due;
    uint8_t signals_due;      /* bit per chip */
    uint8_t signals_next;     /* chip whose turn comes next */
    uint32_t signals_time;    /* when that of the last one came */
    uint8_t hellos_after_writing; /* answers to SET_BOARD_ID, owed when the id is written */
    bool board_id_due;        /* `board_id` is to be written, and was not given out yet */
    uint32_t board_id;        /* the last that the host has sent */
    bool greeted;             /* the HELLO of the reset was given out */
    bool due;                 /* `newest` is to be sent: the last snapshot shows something else */
    bool overdue;             /* `newest` is to be sent before anything else: the longest interval ends */
    bool following;           /* it is so recent that snapshots follow each other quickly */
    bool snapped;             /* a snapshot was sent since the reset */
    bool keeping_due;         /* `newest` was sent, and is not in `sent` yet */
    bool host_silent;
    bool holder_silent[HOLDERS];
};

/* After a reset, at controller time `now`; `rings` is the scans' filter, which goes on for ever. */
void controller_start(struct controller *controller, const struct hello *hello, struct ring_filter *rings,
                      uint32_t now);

/* A byte from the host. */
void controller_receive(struct controller *controller, uint8_t byte, uint32_t now);

/* The board id that the host wants, to be written to where it is kept: true once for each, then `board_id` is set.
   Whatever was asked for before is not wanted any more. */
bool controller_take_board_id(struct controller *controller, uint32_t *board_id);

/* The id last taken is written, and this one read back: HELLO tells it from now on, and is owed to the host. */
void controller_board_id_written(struct controller *controller, uint32_t board_id);

/* Something happened that FAULT_EVENTS has a bit for. */
void controller_event(struct controller *controller, uint16_t event);

/* A reading of an HX711: `holder` 0 is red's, 1 black's; `reading` -2^23 to 2^23 - 1. */
void controller_holder(struct controller *controller, uint8_t holder, int32_t reading, uint32_t now);

/* Which converters did not answer in the last scan, bit per chip. */
void controller_silent_chips(struct controller *controller, uint8_t chips);

/* A whole scan, ended at `now`; of `scan` the ring, unknown and analog readings are taken. Whether it makes a snapshot
   is decided here. */
void controller_scan(struct controller *controller, const struct readings *scan, uint32_t now);

/* Whether the next frame is a snapshot, perhaps behind others: these can be put off. */
bool controller_snapshot_due(const struct controller *controller);

/* The next frame to send, when there is one: its length, else 0. To be asked only when the frame before has left for
   the line. `frame` has room for CONTROLLER_FRAME_ROOM bytes. */
uint8_t controller_frame(struct controller *controller, uint8_t *frame);

/* Remember what was sent. The next scan does it by itself; done here, once the frame is on its way, it costs no time
   between a change and its frame. */
void controller_keep_sent(struct controller *controller);

#endif
