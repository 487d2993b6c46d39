#include "scan_plan.h"

#define TURNS (RING_INPUTS / SCAN_BANKS)
#define WAIT_UNIT 5
#define SETTLES_UNIT 4

void scan_plan_start(struct scan_plan *plan, uint16_t chance)
{
    plan->chance = chance == 0 ? 1 : chance; /* from 0 it would not move */
    plan->turn = 0;
}

/* Some bits by chance, the lowest of a number; 16 bits that come again after 65 535 (Marsaglia 2003). */
static uint8_t chance_of(struct scan_plan *plan, uint8_t mask)
{
    uint16_t bits = plan->chance;

    bits = (uint16_t)(bits ^ (uint16_t)(bits << 7));
    bits = (uint16_t)(bits ^ (uint16_t)(bits >> 9));
    bits = (uint16_t)(bits ^ (uint16_t)(bits << 8));
    plan->chance = bits;
    return (uint8_t)((uint8_t)(bits >> 8) & mask);
}

void scan_plan_next(struct scan_plan *plan)
{
    uint8_t swapped = chance_of(plan, 1);
    uint8_t inverted = chance_of(plan, 1);
    uint8_t place;

    for (place = 0; place < SCAN_BANKS; place++) {
        struct bank_plan *bank = &plan->banks[place];

        bank->bank = (uint8_t)(plan->turn * SCAN_BANKS + (place ^ swapped));
        bank->inverted = place == inverted;
        bank->wait = (uint8_t)(chance_of(plan, 7) * WAIT_UNIT);
        bank->settles = (uint8_t)(chance_of(plan, 7) * SETTLES_UNIT);
        bank->first_chip = chance_of(plan, 7);
        bank->chip_step = (uint8_t)(chance_of(plan, 6) + 1);
    }
    plan->turn = (uint8_t)((plan->turn + 1) % TURNS);
}
