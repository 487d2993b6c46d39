#include "ring_filter.h"

#include <string.h>

#define COUNTS(count) ((count) * RING_FRACTIONS)

/* A deviation is counted in eighths; in sixteenths it is this. */
#define EIGHTHS(count) ((count) * RING_DEVIATION_FRACTIONS)
#define WIDTH(deviation) ((uint16_t)((deviation) * (RING_FRACTIONS / RING_DEVIATION_FRACTIONS)))

/* The mean follows by an eighth of a visit's distance, and by two counts a visit at most; the first visits after it has
   gone elsewhere move it by half of theirs. */
#define FOLLOWED_SHIFT 3
#define FOLLOWED_HALF (1 << (FOLLOWED_SHIFT - 1))
#define FOLLOWED_MOST COUNTS(2)
#define FRESH_SHIFT 1

/* So does the deviation, but it grows by a quarter when the visit was far off, and goes back by a sixteenth only while
   light is not quiet, by half of that while it is far from quiet. */
#define FAR_OFF EIGHTHS(8)
#define GROWN_SHIFT 2
#define SHRUNK_SHIFT 4
#define SHRUNK_LITTLE_SHIFT 5
#define QUIET_DEVIATION 15
#define DEVIATION_MOST EIGHTHS(31)

/* A visit stands beside the mean when it is farther from it than three deviations and a count. When several in a row
   do, all on one side, the signal has changed and the mean goes there: after 3 while the light is quiet, else after
   6. When they do not agree it is the light that is not quiet: each time that adds two counts to the deviation. */
#define BESIDE_DEVIATIONS 3
#define BESIDE_MORE COUNTS(1)
#define AGREE_QUIET 3
#define AGREE_UNQUIET 6
#define DISAGREED EIGHTHS(2)

/* A visit decides alone when its distance from the threshold exceeds 5 counts, three deviations, and half of the
   difference of its two outer readings: light that changes once between them adds no more than that. */
#define ALONE_MORE COUNTS(5)
#define ALONE_DEVIATIONS 3

/* While no visit stands beside it, the mean decides when it is a count and one deviation from the threshold,
   and keeps a decision with half of that. */
#define SURE_LEAST COUNTS(1)

/* With a wider deviation than this, which may be wider than can be kept, nothing is known. */
#define WILD_DEVIATION EIGHTHS(20)

/* A sensor's first deviation; that of one without any visit, which no other has. */
#define DEVIATION_FIRST EIGHTHS(4)
#define DEVIATION_NONE UINT8_MAX

/* Visits without a decision after which the last one does not hold any more; while light is not quiet each counts
   twice. */
#define DOUBTS_MOST 5

/* A state is the number of visits in a row beside the mean, their side, and the number of visits without a decision. */
#define STATE_AGREE 0x0F
#define STATE_FRESH 13 /* in place of the first: from here to 15 the visits since the mean went elsewhere */
#define STATE_ABOVE 0x10
#define STATE_DOUBT 0xE0
#define STATE_ONE_DOUBT 0x20
#define STATE_UNKNOWN (DOUBTS_MOST * STATE_ONE_DOUBT)

enum verdict { UNDECIDED, NO_RING, RING };

/* Apart from each other these get by with the registers that there are. */
#define NOT_INLINE __attribute__((noinline))

void ring_filter_start(struct ring_filter *filter)
{
    uint8_t place;

    memset(filter, 0, sizeof *filter);
    for (place = 0; place < RING_BITS; place++) {
        filter->sensor[place].deviation = DEVIATION_NONE;
        filter->sensor[place].state = STATE_UNKNOWN;
    }
    for (place = 0; place < RING_CHIPS; place++) {
        filter->decided[place].unknown = UINT8_MAX;
    }
}

static uint16_t magnitude(int16_t value)
{
    return value < 0 ? (uint16_t)-value : (uint16_t)value;
}

static void widen(struct ring_sensor *sensor)
{
    bool widest = sensor->deviation > DEVIATION_MOST - DISAGREED;

    sensor->deviation = widest ? DEVIATION_MOST : (uint8_t)(sensor->deviation + DISAGREED);
}

/* Follow a visit that does not stand beside the mean. */
static void follow(struct ring_sensor *sensor, int16_t off)
{
    bool fresh = (sensor->state & STATE_AGREE) != 0;
    int16_t step = (int16_t)(fresh ? off >> FRESH_SHIFT : (off + FOLLOWED_HALF) >> FOLLOWED_SHIFT);
    uint16_t distance = magnitude(off) / (RING_FRACTIONS / RING_DEVIATION_FRACTIONS);
    int16_t wider = (int16_t)((distance > DEVIATION_MOST ? DEVIATION_MOST : (int16_t)distance) - sensor->deviation);

    step = step > FOLLOWED_MOST ? FOLLOWED_MOST : step < -FOLLOWED_MOST ? -FOLLOWED_MOST : step;
    sensor->mean = (int16_t)(sensor->mean + step);
    if (wider > FAR_OFF) {
        wider >>= GROWN_SHIFT;
    } else if (wider < 0 && sensor->deviation > QUIET_DEVIATION) {
        wider = (int16_t)(sensor->deviation > FAR_OFF ? wider >> SHRUNK_LITTLE_SHIFT : wider >> SHRUNK_SHIFT);
    } else {
        wider = (int16_t)((wider + FOLLOWED_HALF) >> FOLLOWED_SHIFT);
    }
    sensor->deviation = (uint8_t)(sensor->deviation + wider);
}

/* A visit beside the mean: `off`, how far. */
static void take_beside(struct ring_sensor *sensor, int16_t off)
{
    uint8_t side = off > 0 ? STATE_ABOVE : 0;
    uint8_t agree = sensor->state & STATE_AGREE;
    uint8_t needed = sensor->deviation <= QUIET_DEVIATION ? AGREE_QUIET : AGREE_UNQUIET;

    if (agree >= STATE_FRESH) {
        agree = 0;
    } else if (agree != 0 && (sensor->state & STATE_ABOVE) != side) {
        widen(sensor);
        agree = 0;
    }
    agree++;
    if (agree >= needed) {
        sensor->mean = (int16_t)(sensor->mean + off);
        agree = STATE_FRESH;
    }
    sensor->state = (uint8_t)((sensor->state & STATE_DOUBT) | side | agree);
}

/* Take a signal, in sixteenths, into mean and deviation. */
static NOT_INLINE void learn(struct ring_sensor *sensor, int16_t signal)
{
    int16_t off = (int16_t)(signal - sensor->mean);

    if (sensor->deviation == DEVIATION_NONE) {
        sensor->mean = signal;
        sensor->deviation = DEVIATION_FIRST;
    } else if (magnitude(off) > (uint16_t)(BESIDE_DEVIATIONS * WIDTH(sensor->deviation) + BESIDE_MORE)) {
        take_beside(sensor, off);
    } else {
        uint8_t agree = sensor->state & STATE_AGREE;

        if (agree != 0 && agree < STATE_FRESH) {
            widen(sensor);
            sensor->state &= STATE_DOUBT;
        }
        follow(sensor, off);
        if (agree >= STATE_FRESH) {
            sensor->state = (uint8_t)((sensor->state & (uint8_t)~STATE_AGREE) | ((agree + 1) & STATE_AGREE));
        }
    }
}

/* What is decided by a mean so far beyond the threshold: more must speak against the last decision than for it. */
static NOT_INLINE enum verdict verdict_of_mean(const struct ring_sensor *sensor, int16_t beyond, enum verdict last)
{
    enum verdict verdict = beyond > 0 ? RING : NO_RING;
    uint16_t needed = (uint16_t)(SURE_LEAST + WIDTH(sensor->deviation));

    return magnitude(beyond) > (verdict == last ? needed >> 1 : needed) ? verdict : UNDECIDED;
}

/* What a visit so far beyond the threshold decides alone; `apart`: the difference of its two outer readings. */
static NOT_INLINE enum verdict verdict_of_visit(const struct ring_sensor *sensor, int16_t beyond, uint16_t apart)
{
    uint16_t needed = (uint16_t)(ALONE_MORE + ALONE_DEVIATIONS * WIDTH(sensor->deviation));

    if (sensor->deviation == DEVIATION_NONE || magnitude(beyond) <= (uint16_t)(apart * (RING_FRACTIONS / 2)) + needed) {
        return UNDECIDED;
    }
    return beyond > 0 ? RING : NO_RING;
}

/* Whether visits stand beside the mean just now. */
static bool is_beside(uint8_t state)
{
    state &= STATE_AGREE;
    return state != 0 && state < STATE_FRESH;
}

static void decide(struct ring_sensor *sensor, struct ring_decisions *decided, uint8_t bit, enum verdict verdict)
{
    bool quiet = sensor->deviation <= QUIET_DEVIATION;

    if (verdict != UNDECIDED) {
        decided->seen = verdict == RING ? decided->seen | bit : decided->seen & (uint8_t)~bit;
        decided->unknown = decided->unknown & (uint8_t)~bit;
        sensor->state &= (uint8_t)~STATE_DOUBT;
    } else if (sensor->state < STATE_UNKNOWN) {
        sensor->state = (uint8_t)(sensor->state + (quiet ? STATE_ONE_DOUBT : 2 * STATE_ONE_DOUBT));
    } else {
        decided->unknown = decided->unknown | bit;
    }
}

void ring_filter_visit(struct ring_filter *filter, uint8_t chip, uint8_t input, const uint16_t *readings,
                       bool inverted)
{
    struct ring_sensor *sensor = &filter->sensor[(uint8_t)(chip * RING_INPUTS + input)];
    struct ring_decisions *decided = &filter->decided[chip];
    uint8_t bit = (uint8_t)(1u << input);
    uint16_t outer = (uint16_t)(readings[0] + readings[2]);
    uint16_t inner = (uint16_t)(readings[1] + readings[1]);
    int16_t signal = (int16_t)(inverted ? outer - inner : inner - outer); /* in half counts */
    int16_t threshold = sensor->threshold;
    enum verdict verdict;

    sensor->dark = (uint8_t)((inverted ? inner : outer) >> 3);
    if (readings[0] >= RING_BRIGHT || readings[1] >= RING_BRIGHT || readings[2] >= RING_BRIGHT) {
        sensor->state = STATE_UNKNOWN;
        decide(sensor, decided, bit, UNDECIDED);
        return;
    }
    if (threshold == 0) {
        threshold = RING_COMMON_THRESHOLD + sensor->dark / (RING_DARK_DIVISOR / 4);
    }
    threshold = (int16_t)(threshold * RING_FRACTIONS);
    signal = (int16_t)(signal * (RING_FRACTIONS / 2));
    verdict = verdict_of_visit(sensor, (int16_t)(signal - threshold), magnitude((int16_t)(readings[0] - readings[2])));
    learn(sensor, signal);
    if (sensor->deviation > WILD_DEVIATION) {
        verdict = UNDECIDED;
        sensor->state |= STATE_UNKNOWN;
    } else if (verdict == UNDECIDED && !is_beside(sensor->state)) {
        enum verdict last = (decided->unknown & bit) != 0 ? UNDECIDED : (decided->seen & bit) != 0 ? RING : NO_RING;

        verdict = verdict_of_mean(sensor, (int16_t)(sensor->mean - threshold), last);
    }
    decide(sensor, decided, bit, verdict);
}
