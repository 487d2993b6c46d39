/* The messages from the board, as frames (PROTOCOL.md section 3). Each function writes a whole frame at `frame`,
   which has room for FRAME_MOST bytes, and gives its length. */
#ifndef TAMSK_MESSAGES_H
#define TAMSK_MESSAGES_H

#include <stdint.h>

#include "readings.h"
#include "ring_filter.h"
#include "settings.h"

struct hello {
    uint8_t protocol_major;
    uint8_t protocol_minor;
    uint8_t firmware[3];   /* major, minor, patch */
    uint32_t board_id;     /* BOARD_ID_NONE or BOARD_ID_ERASED: it has none */
    uint32_t boot_id;      /* new at every reset */
    uint8_t reset_cause;   /* MCUSR's bits; 0: not known */
    uint32_t wiring_hash;
    uint8_t ring_sensors;
    uint8_t fields;
    uint8_t references;
    uint8_t holders;       /* 2, or 0 where none are fitted */
    uint8_t silent_chips;  /* bit per converter of ring sensors: 1 = it does not answer */
};

/* Who the board is (PROTOCOL.md section 3.1). */
uint8_t message_hello(uint8_t *frame, uint8_t seq, const struct hello *hello);

/* `time`: controller microseconds modulo 2^32 at the end of the scan. */
uint8_t message_snapshot(uint8_t *frame, uint8_t seq, uint32_t time, const struct readings *readings);

/* The settings in force (PROTOCOL.md section 3.3). */
uint8_t message_settings(uint8_t *frame, uint8_t seq, const struct settings *settings);

/* The signals of a chip's sensors (PROTOCOL.md section 3.4). */
uint8_t message_ring_signals(uint8_t *frame, uint8_t seq, uint8_t chip, const struct ring_filter *rings);

#endif
