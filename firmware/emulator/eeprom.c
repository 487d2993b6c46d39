/* simavr's own EEPROM writes in no time; here EEPE stays set for as long as on the chip. */
#include "eeprom.h"

#include <simavr/avr_eeprom.h>
#include <stdlib.h>
#include <string.h>

#include "registers.h"

enum {
    PERMIT_CYCLES = 4,
    READ_HALT = 4,  /* cycles that the processor stands still */
    WRITE_HALT = 2,
    ERASE_AND_WRITE = 3400 * CYCLES_PER_MICROSECOND,
    ONE_OF_THEM = 1800 * CYCLES_PER_MICROSECOND,
};

static avr_cycle_count_t write_ended(avr_t *avr, avr_cycle_count_t when, void *model) {
    (void)when, (void)model;
    avr->data[REGISTER_EECR] &= (uint8_t)~EECR_EEPE;
    return 0;
}

static void begin_write(struct eeprom *eeprom, uint8_t *byte, uint64_t now) {
    avr_t *avr = eeprom->machine->avr;
    uint8_t value = avr->data[REGISTER_EEDR];
    unsigned mode = (unsigned)(avr->data[REGISTER_EECR] & EECR_EEPM) >> 4; /* 0 erase and write, 1 erase, 2 write */
    if (!eeprom->worn[byte - eeprom->bytes]) {
        *byte = mode == 0 ? value : mode == 1 ? 0xFF : (uint8_t)(*byte & value);
    }
    eeprom->written = byte;
    eeprom->finished = now + (mode == 0 ? ERASE_AND_WRITE : ONE_OF_THEM);
    avr->data[REGISTER_EECR] |= EECR_EEPE;
    machine_halt(eeprom->machine, WRITE_HALT);
    machine_timer_at(eeprom->machine, eeprom->finished, write_ended, eeprom);
}

static void write_control(avr_t *avr, avr_io_addr_t address, uint8_t value, void *model) {
    struct eeprom *eeprom = model;
    struct checks *checks = &eeprom->machine->checks;
    uint64_t now = machine_write_cycle(avr);
    bool busy = (avr->data[address] & EECR_EEPE) != 0;
    bool permitted = avr->cycle < eeprom->permit;
    unsigned place = avr->data[REGISTER_EEARL] | (avr->data[REGISTER_EEARH] & 0x03u) << 8;
    uint8_t modes = busy ? avr->data[address] & EECR_EEPM : value & EECR_EEPM;
    avr->data[address] = (uint8_t)(modes | (value & EECR_EERIE) | (busy ? EECR_EEPE : 0));
    if (value & EECR_EERIE) {
        checks_add(checks, now, "eeprom_interrupt", "the EEPROM's interrupt is not modelled");
    }
    if (busy && (value & EECR_EERE)) {
        checks_add(checks, now, "eeprom_busy", "place %u read while a byte is written", place);
    } else if ((value & EECR_EEPE) && !busy && permitted) {
        begin_write(eeprom, &eeprom->bytes[place], now);
    } else if ((value & EECR_EEPE) && (!busy || permitted)) { /* a read-modify-write may well repeat EEPE while busy */
        checks_add(checks, now, "eeprom_lost", "place %u: %s", place, busy ? "a byte is being written" : "no EEMPE before");
    } else if (value & EECR_EERE) {
        avr->data[REGISTER_EEDR] = eeprom->bytes[place];
        machine_halt(eeprom->machine, READ_HALT);
    }
    eeprom->permit = (value & EECR_EEMPE) && !(value & EECR_EEPE) ? now + PERMIT_CYCLES : 0;
}

static uint8_t read_control(avr_t *avr, avr_io_addr_t address, void *model) {
    const struct eeprom *eeprom = model;
    return (uint8_t)((avr->data[address] & (uint8_t)~EECR_EEMPE) | (avr->cycle < eeprom->permit ? EECR_EEMPE : 0));
}

/* A write that has begun is finished by the EEPROM's own clock. */
static void controller_was_reset(void *model) {
    struct eeprom *eeprom = model;
    avr_t *avr = eeprom->machine->avr;
    eeprom->permit = 0;
    if (eeprom->finished > avr->cycle) {
        avr->data[REGISTER_EECR] |= EECR_EEPE;
        machine_timer_at(eeprom->machine, eeprom->finished, write_ended, eeprom);
    }
}

void eeprom_open(struct eeprom *eeprom, struct machine *machine) {
    memset(eeprom, 0, sizeof *eeprom);
    eeprom->machine = machine;
    avr_eeprom_desc_t store = {.ee = NULL, .offset = 0, .size = EEPROM_BYTES};
    (void)avr_ioctl(machine->avr, AVR_IOCTL_EEPROM_GET, &store); /* gives -1 whether it succeeds or not */
    if (store.ee == NULL) {
        abort();
    }
    eeprom->bytes = store.ee;
    machine_take_write(machine, REGISTER_EECR, write_control, eeprom);
    machine_take_read(machine, REGISTER_EECR, read_control, eeprom);
    machine_on_reset(machine, controller_was_reset, eeprom);
}

void eeprom_power_down(struct eeprom *eeprom) {
    uint64_t now = eeprom->machine->avr->cycle;
    if (eeprom->finished > now) {
        if (!eeprom->worn[eeprom->written - eeprom->bytes]) {
            *eeprom->written = 0xFF;
        }
        eeprom->finished = now;
    }
}

void eeprom_wear_out(struct eeprom *eeprom, unsigned place) { eeprom->worn[place] = true; }

void eeprom_mend(struct eeprom *eeprom) { memset(eeprom->worn, 0, sizeof eeprom->worn); }
