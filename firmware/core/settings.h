/* What the host may set (PROTOCOL.md section 5.2). */
#ifndef TAMSK_SETTINGS_H
#define TAMSK_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of the payload of SET and SETTINGS. */
#define SETTINGS_BYTES 7

struct settings {
    uint8_t field_deadband;     /* steps of 8 bits, 0 to 255 */
    uint16_t holder_deadband;   /* counts of the HX711, 0 to 65535 */
    uint16_t shortest_interval; /* microseconds between two snapshots, 2500 to 50000 */
    uint16_t longest_interval;  /* microseconds, 5000 to 60000, no less than the shortest */
};

/* The settings after a reset. */
void settings_reset(struct settings *settings);

/* Read SETTINGS_BYTES of a payload. */
void settings_read(struct settings *settings, const uint8_t *payload);

/* Whether the board takes them: all or nothing. */
bool settings_allowed(const struct settings *settings);

#endif
