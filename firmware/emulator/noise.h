/* Chance that is the same on every machine: a stream of numbers for each thing that is left to it. */
#ifndef EMULATOR_NOISE_H
#define EMULATOR_NOISE_H

#include <stdint.h>

/* Streams of one seed that know nothing of each other. */
enum noise_stream { NOISE_FIELD, NOISE_HOLDER_RED, NOISE_HOLDER_BLACK, NOISE_LINE, NOISE_RAM, NOISE_RING };

struct noise {
    uint64_t state;
};

/* Begins that stream of that seed. */
void noise_seed(struct noise *noise, uint64_t seed, enum noise_stream stream);

/* 64 bits: SplitMix64 (Steele, Lea and Flood 2014). */
uint64_t noise_bits(struct noise *noise);

/* Gaussian, mean 0, never beyond three times `deviation`: what falls there is drawn again. 0, and nothing drawn, when
 * `deviation` is 0. */
double noise_gauss(struct noise *noise, double deviation);

#endif
