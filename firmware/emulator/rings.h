/* The ring sensors: eight MCP3008 behind a 74HC138 that selects one of them by the lower select lines, and the TPIC6B595
 * that lights the banks; all on one SPI clock. */
#ifndef EMULATOR_RINGS_H
#define EMULATOR_RINGS_H

#include "mcp3008.h"
#include "multiplexers.h"
#include "noise.h"
#include "pins.h"
#include "sensors.h"
#include "spi.h"

enum { RING_CHIPS = 8, NO_CHIP = RING_CHIPS, LONGEST_LIGHT = 500 * CYCLES_PER_MICROSECOND };

/* What is at the place of a converter. */
enum ring_chip { CHIP_FITTED, CHIP_MISSING, CHIP_LOW }; /* nothing; something that holds the line at 0 */

struct rings {
    struct machine *machine;
    const struct pins *pins;
    const struct spi *spi;
    const struct multiplexers *multiplexers; /* whose select lines these are */
    const double *supply;                    /* volts, the reference too */
    struct sensor sensors[SENSORS]; /* 8 * chip + input; bank n lights input n of every chip */
    struct lamps lamps;
    struct mcp3008 converters[RING_CHIPS];
    unsigned chips; /* of the whole board, 1 to RING_CHIPS */
    enum ring_chip fitted[RING_CHIPS];
    unsigned wired[RING_CHIPS]; /* the converter that an output of the 74HC138 selects: its own when the wires are right */
    double noise;               /* counts, standard deviation of a conversion */
    struct noise chance;
    unsigned selected;          /* by the 74HC138; NO_CHIP: none */
    uint64_t deselected;        /* cycle in which the last one was */
    uint8_t pattern;            /* in the TPIC6B595's shift register */
    uint8_t latched;            /* in its output register */
    bool latch_high;
    uint8_t lit;                /* banks that give light now */
    uint64_t lit_since;         /* cycle */
    bool reported;              /* this light has been told of as too long */
};

/* All converters in the dark, with nothing on their sensors. */
void rings_open(struct rings *rings, struct pins *pins, const struct spi *spi, const struct multiplexers *multiplexers,
                const double *supply, struct machine *machine);

/* An spi_exchange. */
uint8_t rings_exchange(void *rings, uint64_t cycle, uint64_t bit, uint8_t out);

/* Photo-currents in microamperes, 0 to 10000. */
void rings_set_reflected(struct rings *rings, unsigned sensor, double microampere);
void rings_set_ambient(struct rings *rings, unsigned sensor, double microampere);

/* Brings all sensors up to now, before a lamp changes. */
void rings_settle(struct rings *rings);

/* From now on there are so many converters, and nothing is wrong. */
void rings_fit(struct rings *rings, unsigned chips);

/* The supply was off: the registers hold ones, which is what would do most harm if the program showed them. */
void rings_power_up(struct rings *rings);

#endif
