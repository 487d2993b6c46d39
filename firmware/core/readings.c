#include "readings.h"

static uint8_t apart(uint8_t one, uint8_t other)
{
    return one > other ? (uint8_t)(one - other) : (uint8_t)(other - one);
}

bool readings_moved(const struct readings *now, const struct readings *sent, const struct settings *settings)
{
    uint8_t place;

    for (place = 0; place < RING_CHIPS; place++) {
        if (now->rings[place] != sent->rings[place] || now->unknown[place] != sent->unknown[place]) {
            return true;
        }
    }
    for (place = 0; place < ANALOG_COUNT; place++) {
        if (apart(now->analog[place], sent->analog[place]) > settings->field_deadband) {
            return true;
        }
    }
    for (place = 0; place < HOLDERS; place++) {
        int32_t difference = now->holders[place] - sent->holders[place];

        if (difference > (int32_t)settings->holder_deadband || -difference > (int32_t)settings->holder_deadband) {
            return true;
        }
    }
    return false;
}
