/* An MCP3008 as its data sheet has it, clock by clock: a start bit, single-ended, three bits of the input; the sample is
 * held at the end of the next clock; a zero, and ten bits, the highest first. */
#ifndef EMULATOR_MCP3008_H
#define EMULATOR_MCP3008_H

#include <stdbool.h>
#include <stdint.h>

enum { MCP3008_INPUTS = 8, MCP3008_MOST = 1023 };

/* The reading of an input, held in this cycle: 0 to MCP3008_MOST. */
typedef uint16_t (*mcp3008_sample)(void *board, unsigned chip, unsigned input, uint64_t cycle);

struct mcp3008 {
    mcp3008_sample sample;
    void *board;
    unsigned number;
    bool started;     /* the start bit has come since /CS fell */
    unsigned clocks;  /* since then */
    bool single;
    unsigned input;
    uint16_t reading;
};

/* /CS falls: whatever was under way is over. */
void mcp3008_select(struct mcp3008 *chip);

/* A rising edge of the clock with this bit at DIN, `falling` being the cycle of the falling one after it: the bit at DOUT;
 * true as well while nothing drives it, for the line is pulled up. */
bool mcp3008_clock(struct mcp3008 *chip, bool in, uint64_t falling);

#endif
