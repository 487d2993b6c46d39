#include "scan.h"

#include "clock.h"
#include "converter.h"
#include "mark.h"
#include "ring_sensors.h"
#include "scan_plan.h"
#include "scan_schedule.h"

/* Microseconds from light on or off to a round of readings, whose first sample comes 6 later: a photo-transistor in the
   dark needs 60 to be within 1 in 100 of a weak ring. */
#define SETTLES 54

#define READINGS 3 /* of a visit */

/* Visits that are judged while light settles, about 25 microseconds each. */
#define JUDGED_AT_ONCE 2

/* Of a bank: what its sensors read, to be judged. */
struct visits {
    const struct bank_plan *plan;
    uint16_t readings[RING_CHIPS][READINGS];
    uint8_t left; /* chips that were not judged yet */
};

static struct scan_plan plan;
static struct schedule schedule;
static struct visits visits[SCAN_BANKS] = {{.plan = &plan.banks[0]}, {.plan = &plan.banks[1]}};

void scan_start(uint16_t chance)
{
    scan_plan_start(&plan, chance);
    schedule_start(&schedule);
}

static void judge(struct visits *of_bank, struct ring_filter *rings, uint8_t most)
{
    uint8_t bank = of_bank->plan->bank;
    bool inverted = of_bank->plan->inverted;
    uint8_t chip = of_bank->left;

    while (most != 0 && chip != 0) {
        most--;
        chip--;
        ring_filter_visit(rings, chip, bank, of_bank->readings[chip], inverted);
    }
    of_bank->left = chip;
}

static void wait_until(uint16_t since, uint8_t microseconds)
{
    while ((uint16_t)(clock_ticks() - since) < (uint16_t)(microseconds * TICKS_PER_MICROSECOND)) {
    }
}

/* Let light settle; judge some visits of the bank before, when there is nothing else to do. */
static void settle(bool lit, const struct bank_plan *of_bank, struct visits *before, struct ring_filter *rings,
                   bool (*meanwhile)(void))
{
    uint16_t since;

    ring_sensors_light(lit);
    since = clock_ticks();
    if (!meanwhile()) {
        judge(before, rings, JUDGED_AT_ONCE);
    }
    wait_until(since, (uint8_t)(SETTLES + of_bank->settles));
}

/* Not a part of main: there its loop would get too few registers. */
__attribute__((noinline)) uint8_t scan(struct readings *readings, struct ring_filter *rings, bool (*meanwhile)(void))
{
    uint8_t silent = 0;
    uint8_t round = 0;
    uint8_t place;

    MARK(MARK_SCAN_BEGINS);
    scan_plan_next(&plan);
    for (place = 0; place < SCAN_BANKS; place++) {
        const struct bank_plan *of_bank = &plan.banks[place];
        struct visits *before = &visits[place ^ 1];
        uint16_t since = clock_ticks();
        bool lit = of_bank->inverted;
        uint16_t *readings_of_bank = visits[place].readings[0];
        uint8_t reading;

        ring_sensors_begin(of_bank->bank);
        wait_until(since, of_bank->wait);
        for (reading = 0; reading < READINGS; reading++) {
            if (reading != 0 || lit) {
                settle(lit, of_bank, before, rings, meanwhile);
            }
            silent |= ring_sensors_read(of_bank, &schedule, round, readings_of_bank + reading, readings->analog);
            round++;
            lit = !lit;
        }
        ring_sensors_light(false);
        visits[place].left = RING_CHIPS;
        if (place == 0) {
            continue;
        }
        judge(before, rings, RING_CHIPS);
        judge(&visits[place], rings, RING_CHIPS);
    }
    converter_next(0, SCHEDULE_NOTHING, readings->analog);
    for (place = 0; place < RING_CHIPS; place++) {
        readings->rings[place] = rings->decided[place].seen;
        readings->unknown[place] = rings->decided[place].unknown;
    }
    MARK(MARK_SCAN_ENDS);
    return silent;
}
