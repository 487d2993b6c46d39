#include "self_test.h"

#include <string.h>

void self_test_start(struct self_test *test)
{
    memset(test, 0, sizeof *test);
    test->running = true;
}

uint8_t self_test_light_time(const struct self_test *test)
{
    switch (test->light) {
    case 0:
        return 60;
    case 1:
        return 90;
    case 2:
        return 120;
    case 3:
        return 160;
    case 4:
        return 200;
    default:
        return 250;
    }
}

/* Note the light time for each sensor that saw its ring in all scans, and in none of a shorter time. */
static void end_light_time(struct self_test *test)
{
    uint8_t light_time = self_test_light_time(test);
    uint8_t bit;

    for (bit = 0; bit < CHAIN_BITS; bit++) {
        if ((test->seen[bit >> 3] >> (bit & 7) & 1) != 0 && test->shortest[bit] == SELF_TEST_UNSEEN) {
            test->shortest[bit] = light_time;
        }
    }
}

static void end_test(struct self_test *test)
{
    uint8_t bit;

    for (bit = 0; bit < CHAIN_BITS; bit++) {
        if ((test->dark[bit >> 3] >> (bit & 7) & 1) != 0) {
            test->shortest[bit] = SELF_TEST_DARK;
        }
    }
    test->running = false;
}

void self_test_scan(struct self_test *test, const uint8_t *rings, const uint8_t *dark)
{
    uint8_t chip;

    for (chip = 0; chip < CHAIN_CHIPS; chip++) {
        test->dark[chip] = (uint8_t)(test->dark[chip] | dark[chip]);
        test->seen[chip] = test->scan == 0 ? rings[chip] : (uint8_t)(test->seen[chip] & rings[chip]);
    }
    test->scan++;
    if (test->scan < SELF_TEST_SCANS) {
        return;
    }
    end_light_time(test);
    test->scan = 0;
    test->light++;
    if (test->light == SELF_TEST_LIGHT_TIMES) {
        end_test(test);
    }
}
