/* The controller's EEPROM: 1024 bytes, each of which takes 3.4 ms to write. */
#ifndef EMULATOR_EEPROM_H
#define EMULATOR_EEPROM_H

#include "machine.h"

enum { EEPROM_BYTES = 1024 };

struct eeprom {
    struct machine *machine;
    uint8_t *bytes;    /* simavr's own store: it has loaded the ELF's part into it */
    uint64_t permit;   /* cycle until which EEMPE lets a write begin */
    uint64_t finished; /* cycle in which the write that runs, or the last one, ends */
};

void eeprom_open(struct eeprom *eeprom, struct machine *machine);

#endif
