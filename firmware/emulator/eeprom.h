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
    uint8_t *written;  /* the byte of that write */
    bool worn[EEPROM_BYTES]; /* keeps what it holds */
};

/* Begins with what the ELF has for it, else erased. */
void eeprom_open(struct eeprom *eeprom, struct machine *machine);

/* The supply goes off: a byte that is being written stays erased. To be called before the controller's reset. */
void eeprom_power_down(struct eeprom *eeprom);

/* From now on the byte at that place keeps what it holds, whatever the controller writes. */
void eeprom_wear_out(struct eeprom *eeprom, unsigned place);

/* All bytes can be written again. */
void eeprom_mend(struct eeprom *eeprom);

#endif
