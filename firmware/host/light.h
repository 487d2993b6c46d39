/* Light as physics, for tests of the core: what shines on a ring sensor, what its transistor makes of it, and what its
   converter reads. It is the emulator's model (../emulator/sensors.c): one state a transistor, gain that grows with light,
   a load of 680 ohms, saturation, noise, and ground and reference that give way a little while a bank is lit. */
#ifndef TAMSK_LIGHT_H
#define TAMSK_LIGHT_H

#include <stdbool.h>
#include <stdint.h>

/* What the four values are: */
enum light_kind {
    LIGHT_STEADY,     /* microamperes */
    LIGHT_SINE,       /* mean microamperes, hertz, depth (1: dark in between), phase */
    LIGHT_PWM,        /* peak microamperes, hertz, share of a turn for which it is on, phase */
    LIGHT_TELEVISION, /* peak microamperes, hertz of the backlight */
    LIGHT_SLOPE,      /* microamperes from and to, seconds that it takes to change, seconds from one change to the next */
    LIGHT_PATCH       /* microamperes inside and outside, width, speed, in places and places a second */
};

/* A light, by the photo-current that it gives a bare sensor. tests/disturbances/light.py lays it out as here. */
struct light {
    int32_t kind;
    uint32_t seed;   /* of a television's pictures */
    double switched; /* seconds: dark for so long, then on, and so on; 0: always on */
    double values[4];
};

/* A board's patches go round after so many places. */
#define LIGHT_PLACES 8.0

/* A sensor: the light on it, its place, the share of outside light that gets to it, and the microamperes that its own
   emitter makes while it is lit. */
struct lit_sensor {
    const struct light *lights;
    uint8_t count;
    double place;
    double share;
    double reflected;
};

struct chance {
    uint64_t state; /* never 0 */
};

/* Microamperes of a light on a bare sensor at this place. */
double light_at(const struct light *light, double seconds, double place);

/* A visit's three readings, made at these times, so many seconds after the light was switched (a first dark reading
   excepted). `noise`: counts, standard deviation of a conversion. */
void light_read(const struct lit_sensor *sensor, const double *times, bool inverted, double settles, double noise,
                struct chance *chance, uint16_t *readings);

#endif
