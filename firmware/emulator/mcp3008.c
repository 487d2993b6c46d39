#include "mcp3008.h"

enum { SINGLE = 1, LAST_OF_INPUT = 4, HELD = 5, ZERO = 6, HIGHEST_BIT = 7, BITS = 10 };

void mcp3008_select(struct mcp3008 *chip) {
    chip->started = false;
    chip->clocks = 0;
    chip->input = 0;
}

bool mcp3008_clock(struct mcp3008 *chip, bool in, uint64_t falling) {
    if (!chip->started) {
        chip->started = in;
        return true;
    }
    unsigned clock = ++chip->clocks;
    if (clock == SINGLE) {
        chip->single = in;
    } else if (clock <= LAST_OF_INPUT) {
        chip->input = chip->input << 1 | in;
    } else if (clock == HELD) {
        chip->reading = chip->single ? chip->sample(chip->board, chip->number, chip->input, falling) : 0;
    } else if (clock == ZERO) {
        return false;
    } else if (clock < HIGHEST_BIT + BITS) {
        return (chip->reading >> (HIGHEST_BIT + BITS - 1 - clock) & 1) != 0;
    } else {
        unsigned lowest_first = clock - (HIGHEST_BIT + BITS) + 1;
        return lowest_first < BITS && (chip->reading >> lowest_first & 1) != 0;
    }
    return true;
}
