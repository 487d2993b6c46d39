/* What the ring sensors see, judged by the difference that their own light makes (docs/design.md, Sensors and light).

   A visit measures a sensor three times: dark, lit and dark again, or lit, dark and lit. Its signal is lit minus dark;
   the mean of the two outer readings stands for the instant of the inner one, so that light which only rises or falls
   leaves nothing. What a lamp that comes and goes leaves changes from visit to visit, for visits are not in step with
   anything, and its sign is turned over by chance. So each sensor has a running mean of its signal, which stays right
   in such light, and a running deviation, which says how far the mean can be believed.

   A signal is told as soon as it is clear: by a single visit when it is far beyond the threshold for the deviation that
   the sensor has shown, else by the mean. Between the two nothing is decided: the last decision holds for a few visits,
   and then the sensor is unknown. A sensor that is too bright to be read is unknown at once. */
#ifndef TAMSK_RING_FILTER_H
#define TAMSK_RING_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

/* Means are counted in sixteenths of a count of the converter, deviations in eighths. */
#define RING_FRACTIONS 16
#define RING_DEVIATION_FRACTIONS 8

/* The threshold of a sensor that was given none, in counts; the light that is there anyway, divided by so much, is
   added, for it makes what neighbours reflect look like more. */
#define RING_COMMON_THRESHOLD 12
#define RING_DARK_DIVISOR 64

/* The least threshold that a sensor can be given, in counts. */
#define RING_LEAST_THRESHOLD 5

/* From this reading on a photo-transistor or its converter may be at its end. A converter that does not answer reads
   RING_NO_READING. */
#define RING_BRIGHT 900
#define RING_NO_READING 1023

struct ring_sensor {
    int16_t mean;      /* of the signal, in sixteenths, -16368 to 16368 */
    uint8_t deviation; /* mean distance of a visit from it, in eighths; 255: there was no visit yet */
    uint8_t threshold; /* its own, in counts; 0: the common one */
    uint8_t dark;      /* the last visit's reading without light, in steps of 4 counts */
    uint8_t state;     /* visits beside the mean, and visits without a decision: ring_filter.c */
};

/* What is decided of a chip's sensors, bit per input. */
struct ring_decisions {
    uint8_t seen;
    uint8_t unknown; /* 1: nothing is; `seen` has the last decision */
};

struct ring_filter {
    struct ring_sensor sensor[RING_BITS];
    struct ring_decisions decided[RING_CHIPS];
};

/* All sensors unknown, and none with a threshold of its own. */
void ring_filter_start(struct ring_filter *filter);

/* One visit of a sensor, an input of a chip (each 0 to 7): its three readings (0 to 1023) in the order of time;
   `inverted`: the outer ones are lit, else the inner one is. */
void ring_filter_visit(struct ring_filter *filter, uint8_t chip, uint8_t input, const uint16_t *readings,
                       bool inverted);

#endif
