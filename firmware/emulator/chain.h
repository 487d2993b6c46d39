/* The ring sensors' chain: up to eight 74HC165 before MISO, and the TPIC6B595 behind MOSI that lights the banks. */
#ifndef EMULATOR_CHAIN_H
#define EMULATOR_CHAIN_H

#include "pins.h"
#include "sensors.h"
#include "spi.h"

enum { CHAIN_CHIPS = 8, LONGEST_LIGHT = 500 * CYCLES_PER_MICROSECOND };

struct chain {
    struct machine *machine;
    const struct pins *pins;
    const struct spi *spi;
    struct sensor sensors[SENSORS]; /* 8 * chip + input; bank n lights input n of every chip */
    uint8_t shift[CHAIN_CHIPS];     /* of the 74HC165s, by the number of the chip; the highest bit leaves first */
    unsigned fitted;                /* chips of the whole chain, 1 to CHAIN_CHIPS */
    unsigned order[CHAIN_CHIPS];    /* the chips from MISO on: 0, 1 and so on when the chain is whole */
    unsigned length;                /* how many there are: one fewer than fitted when one is missing */
    unsigned cut;                   /* nothing comes out of the chip at this place: 8, no chip's, when the wires are whole */
    bool loading;                   /* SH/LD is low */
    uint8_t pattern;                /* in the TPIC6B595's shift register */
    uint8_t latched;                /* in its output register */
    bool latch_high;
    uint8_t lit;                    /* banks that give light now */
    bool reported;                  /* this light has been told of as too long */
};

/* A whole chain of all chips in the dark, with nothing on its sensors. */
void chain_open(struct chain *chain, struct pins *pins, const struct spi *spi, struct machine *machine);

/* An spi_exchange. */
uint8_t chain_exchange(void *chain, uint64_t cycle, uint8_t out);

/* Photo-currents in microamperes, 0 to 10000. */
void chain_set_reflected(struct chain *chain, unsigned sensor, double microampere);
void chain_set_ambient(struct chain *chain, unsigned sensor, double microampere);

/* From now on a whole chain of so many chips. */
void chain_fit(struct chain *chain, unsigned chips);

/* Faults of the chain; chips that are fitted. Each of these mends what another had done before. */
void chain_mend(struct chain *chain);
void chain_remove(struct chain *chain, unsigned chip);
void chain_cut(struct chain *chain, unsigned chip); /* between its output and what stands before it */
void chain_swap(struct chain *chain, unsigned one, unsigned other);

/* The supply was off: the registers hold ones, which is what would do most harm if the program showed them. */
void chain_power_up(struct chain *chain);

#endif
