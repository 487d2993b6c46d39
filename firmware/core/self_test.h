/* The self-test: for each ring sensor the shortest light time that sees its ring (PROTOCOL.md section 5.3). */
#ifndef TAMSK_SELF_TEST_H
#define TAMSK_SELF_TEST_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

#define SELF_TEST_LIGHT_TIMES 6
#define SELF_TEST_SCANS 3 /* at each light time; all of them must see the ring */
#define SELF_TEST_UNSEEN 0
#define SELF_TEST_DARK 255

struct self_test {
    bool running;
    uint8_t light;                /* which light time of the sweep, 0 to 5 */
    uint8_t scan;                 /* which scan at this light time, 0 to 2 */
    uint8_t seen[CHAIN_CHIPS];    /* bits that all scans at this light time have seen */
    uint8_t dark[CHAIN_CHIPS];    /* bits that any scan has seen while dark */
    uint8_t shortest[CHAIN_BITS]; /* the report; whole once `running` is false again */
};

/* Begin a sweep. */
void self_test_start(struct self_test *test);

/* The light time of the next scan of a running test, in microseconds. */
uint8_t self_test_light_time(const struct self_test *test);

/* Take a scan made with that light time; the last one ends the test. */
void self_test_scan(struct self_test *test, const uint8_t *rings, const uint8_t *dark);

#endif
