/* What a scan has seen. */
#ifndef TAMSK_READINGS_H
#define TAMSK_READINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"
#include "settings.h"

struct readings {
    uint8_t rings[RING_CHIPS];    /* byte per chip, bit per input: 1 = a ring */
    uint8_t unknown[RING_CHIPS];  /* 1 = nothing can be said; the ring bit is then the last that could */
    uint8_t analog[ANALOG_COUNT]; /* 8 bits each, 255 the supply: the fields, then the references */
    int32_t holders[HOLDERS];     /* the HX711s' last readings, -2^23 to 2^23 - 1; 0 before the first */
    uint16_t faults;              /* FAULT_… */
};

/* Whether the sensors of `now` are news to a host that was last sent `sent`: another ring or unknown bit, a field or
   reference beyond the field deadband, a holder beyond the holder deadband (PROTOCOL.md section 4). */
bool readings_moved(const struct readings *now, const struct readings *sent, const struct settings *settings);

#endif
