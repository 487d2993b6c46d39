/* The controller's SPI as a master. */
#ifndef EMULATOR_SPI_H
#define EMULATOR_SPI_H

#include <simavr/avr_spi.h>

#include "machine.h"

/* Eight clocks of `bit` cycles have passed: takes the byte that went out and gives the one that came in; both in the
 * order of the line, the first bit being the most significant. */
typedef uint8_t (*spi_exchange)(void *rings, uint64_t cycle, uint64_t bit, uint8_t out);

struct spi {
    struct machine *machine;
    avr_spi_t *module;
    spi_exchange exchange;
    void *rings;
    bool busy;
    uint8_t out, in;
    uint8_t seen; /* flags that a read of SPSR has shown: the next access to SPDR clears them */
};

/* Takes over the SPI's registers; each byte goes to `exchange` with `rings`. */
void spi_open(struct spi *spi, struct machine *machine, spi_exchange exchange, void *rings);

#endif
