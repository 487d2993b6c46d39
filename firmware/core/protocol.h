/* The numbers of the wire protocol, version 2.0 (firmware/PROTOCOL.md). */
#ifndef TAMSK_PROTOCOL_H
#define TAMSK_PROTOCOL_H

#include <stdint.h>

#define PROTOCOL_MAJOR 2
#define PROTOCOL_MINOR 0

/* Bytes of a frame: at most, its zero byte included; at least and at most without it. */
#define FRAME_MOST 90
#define FRAME_ENCODED_LEAST 5
#define FRAME_ENCODED_MOST 89

/* Types, the first byte of a content. */
#define TYPE_HELLO 0x01
#define TYPE_SNAPSHOT 0x02
#define TYPE_SETTINGS 0x03
#define TYPE_RING_SIGNALS 0x05
#define TYPE_IDENTIFY 0x11
#define TYPE_SET 0x12
#define TYPE_SELF_TEST 0x13
#define TYPE_HEARTBEAT 0x14
#define TYPE_SET_BOARD_ID 0x15
#define TYPE_SET_THRESHOLDS 0x16

/* The board ids that an erased memory gives: the board has none (section 3.1). */
#define BOARD_ID_NONE UINT32_C(0)
#define BOARD_ID_ERASED UINT32_C(0xFFFFFFFF)

/* Bytes of the payload of SET_BOARD_ID (section 5.5). */
#define BOARD_ID_BYTES 4

/* Bytes of the payload of SET_THRESHOLDS: a chip, and a threshold for each of its inputs (section 5.6). */
#define THRESHOLDS_BYTES 9

/* What a board has. Ring sensor n is input n % 8 of the converter n / 8. */
#define RING_CHIPS 8
#define RING_BITS 64
#define RING_INPUTS 8 /* of a chip; input n of every chip is lit by bank n */
#define FIELDS 38
#define REFERENCES 3
#define ANALOG_COUNT (FIELDS + REFERENCES)
#define HOLDERS 2

/* Fault flags of a snapshot (section 4). Those of FAULT_EVENTS are set in the one snapshot after the event. */
#define FAULT_SUPPLY_LOW UINT16_C(0x0001)
#define FAULT_HOLDER_RED_SILENT UINT16_C(0x0002)
#define FAULT_HOLDER_BLACK_SILENT UINT16_C(0x0004)
#define FAULT_SCAN_OVERRUN UINT16_C(0x0008)
#define FAULT_RECEIVE_ERROR UINT16_C(0x0010)
#define FAULT_HOST_SILENT UINT16_C(0x0020)
#define FAULT_EVENTS (FAULT_SUPPLY_LOW | FAULT_SCAN_OVERRUN | FAULT_RECEIVE_ERROR)

/* Times of the protocol, in microseconds. */
#define HOST_SILENCE_MICROSECONDS UINT32_C(3000000)
#define HOLDER_SILENCE_MICROSECONDS UINT32_C(100000)
#define FOLLOW_MICROSECONDS UINT32_C(100000)        /* for so long after a change … */
#define FOLLOW_INTERVAL_MICROSECONDS UINT16_C(5000) /* … this is the longest interval */
#define SIGNALS_MICROSECONDS UINT32_C(125000) /* from the RING_SIGNALS of a chip to those of the next */
#define SCAN_MICROSECONDS UINT16_C(2500)
#define SCAN_VARIES_MICROSECONDS UINT16_C(250) /* by so much at most the time from scan to scan differs from it */

#endif
