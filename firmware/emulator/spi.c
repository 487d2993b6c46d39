/* simavr's own SPI takes 100 us a byte whatever the clock; only its interrupt vector is used here. */
#include "spi.h"

#include <simavr/sim_interrupts.h>
#include <string.h>

#include "registers.h"

enum { SLAVE_SELECT = 0x04 }; /* PB2 */

static uint8_t reversed(uint8_t byte) {
    uint8_t result = 0;
    for (int bit = 0; bit < 8; bit++) {
        result = (uint8_t)(result << 1 | (byte >> bit & 1));
    }
    return result;
}

static uint64_t bit_cycles(const avr_t *avr) {
    static const uint64_t dividers[] = {4, 16, 64, 128};
    uint64_t divider = dividers[avr->data[REGISTER_SPCR] & SPCR_SPR];
    return (avr->data[REGISTER_SPSR] & SPSR_SPI2X) ? divider / 2 : divider;
}

static void clear_seen_flags(struct spi *spi) {
    avr_t *avr = spi->machine->avr;
    if (spi->seen & SPSR_SPIF) {
        avr_clear_interrupt(avr, &spi->module->spi);
    }
    avr->data[REGISTER_SPSR] &= (uint8_t)~spi->seen;
    spi->seen = 0;
}

static avr_cycle_count_t byte_exchanged(avr_t *avr, avr_cycle_count_t when, void *model) {
    struct spi *spi = model;
    bool lowest_first = (avr->data[REGISTER_SPCR] & SPCR_DORD) != 0;
    uint8_t in = spi->exchange(spi->rings, when, bit_cycles(avr), lowest_first ? reversed(spi->out) : spi->out);
    spi->in = lowest_first ? reversed(in) : in;
    spi->busy = false;
    spi->seen = 0;
    avr_raise_interrupt(avr, &spi->module->spi);
    avr_regbit_set(avr, spi->module->spi.raised);
    return 0;
}

static void write_data(avr_t *avr, avr_io_addr_t address, uint8_t value, void *model) {
    struct spi *spi = model;
    (void)address;
    struct checks *checks = &spi->machine->checks;
    clear_seen_flags(spi);
    if (spi->busy) {
        avr->data[REGISTER_SPSR] |= SPSR_WCOL;
        checks_add(checks, avr->cycle, "spi_collision", "byte 0x%02x written before the last had gone out", value);
        return;
    }
    uint8_t control = avr->data[REGISTER_SPCR];
    if (!(avr->data[REGISTER_DDRB] & SLAVE_SELECT) && !(avr->data[REGISTER_PORTB] & SLAVE_SELECT)) {
        control &= (uint8_t)~SPCR_MSTR; /* SS as an input reads low: the SPI becomes a slave */
        avr->data[REGISTER_SPCR] = control;
    }
    if ((control & (SPCR_SPE | SPCR_MSTR)) != (SPCR_SPE | SPCR_MSTR)) {
        checks_add(checks, avr->cycle, "spi_no_master", "byte 0x%02x written, SPCR is 0x%02x", value, control);
        return;
    }
    if (((control & SPCR_CPOL) != 0) != ((control & SPCR_CPHA) != 0)) {
        checks_add(checks, avr->cycle, "spi_mode", "the converters need mode 0 or 3, SPCR is 0x%02x", control);
    }
    spi->busy = true;
    spi->out = value;
    machine_timer_at(spi->machine, machine_write_cycle(avr) + 8 * bit_cycles(avr), byte_exchanged, spi);
}

static uint8_t read_data(avr_t *avr, avr_io_addr_t address, void *model) {
    struct spi *spi = model;
    (void)avr, (void)address;
    clear_seen_flags(spi);
    return spi->in;
}

static uint8_t read_flags(avr_t *avr, avr_io_addr_t address, void *model) {
    struct spi *spi = model;
    spi->seen = avr->data[address] & (SPSR_SPIF | SPSR_WCOL);
    return avr->data[address];
}

static void write_flags(avr_t *avr, avr_io_addr_t address, uint8_t value, void *model) {
    (void)model;
    avr->data[address] = (avr->data[address] & (uint8_t)~SPSR_SPI2X) | (value & SPSR_SPI2X);
}

static void write_control(avr_t *avr, avr_io_addr_t address, uint8_t value, void *model) {
    struct spi *spi = model;
    avr->data[address] = value;
    if (!(value & SPCR_SPE) && spi->busy) {
        avr_cycle_timer_cancel(avr, byte_exchanged, spi);
        spi->busy = false;
        checks_add(&spi->machine->checks, avr->cycle, "spi_cut", "switched off before the byte had gone out");
    }
}

static void spi_was_reset(void *model) {
    struct spi *spi = model;
    spi->busy = false;
    spi->seen = 0;
    spi->in = 0;
}

void spi_open(struct spi *spi, struct machine *machine, spi_exchange exchange, void *rings) {
    memset(spi, 0, sizeof *spi);
    spi->machine = machine;
    spi->module = (avr_spi_t *)machine_module(machine, "spi");
    spi->exchange = exchange;
    spi->rings = rings;
    machine_take_write(machine, REGISTER_SPDR, write_data, spi);
    machine_take_read(machine, REGISTER_SPDR, read_data, spi);
    machine_take_write(machine, REGISTER_SPSR, write_flags, spi);
    machine_take_read(machine, REGISTER_SPSR, read_flags, spi);
    machine_take_write(machine, REGISTER_SPCR, write_control, spi);
    machine_on_reset(machine, spi_was_reset, spi);
}
