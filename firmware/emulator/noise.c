#include "noise.h"

#include "decay.h"

static const double WIDEST = 3; /* deviations */

static uint64_t mixed(uint64_t bits) {
    bits = (bits ^ bits >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94D049BB133111EB);
    return bits ^ bits >> 31;
}

void noise_seed(struct noise *noise, uint64_t seed, enum noise_stream stream) {
    noise->state = mixed(mixed(seed) + (uint64_t)stream);
}

uint64_t noise_bits(struct noise *noise) {
    noise->state += UINT64_C(0x9E3779B97F4A7C15);
    return mixed(noise->state);
}

/* 0 to 1, without 1: the upper 53 bits. */
static double share(struct noise *noise) { return (double)(noise_bits(noise) >> 11) * 0x1p-53; }

/* A value of the whole width is kept as often as the bell is high there. */
double noise_gauss(struct noise *noise, double deviation) {
    if (deviation <= 0) {
        return 0;
    }
    for (;;) {
        double value = WIDEST * (2 * share(noise) - 1);
        if (share(noise) < decay(value * value / 2)) {
            return deviation * value;
        }
    }
}
