#include "settings.h"

void settings_reset(struct settings *settings)
{
    settings->field_deadband = 2;
    settings->holder_deadband = 500;
    settings->shortest_interval = 2500;
    settings->longest_interval = 50000;
}

static uint16_t read_16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | (uint16_t)((uint16_t)bytes[1] << 8));
}

void settings_read(struct settings *settings, const uint8_t *payload)
{
    settings->field_deadband = payload[0];
    settings->holder_deadband = read_16(payload + 1);
    settings->shortest_interval = read_16(payload + 3);
    settings->longest_interval = read_16(payload + 5);
}

bool settings_allowed(const struct settings *settings)
{
    return settings->shortest_interval >= 2500 && settings->shortest_interval <= 50000 &&
           settings->longest_interval >= 5000 && settings->longest_interval <= 60000 &&
           settings->longest_interval >= settings->shortest_interval;
}
