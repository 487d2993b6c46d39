#include "pins.h"

#include <stdlib.h>
#include <string.h>

#include "registers.h"

/* Each port has its registers PIN, DDR and PORT one after the other. */
static uint16_t pin_register(unsigned port) { return (uint16_t)(REGISTER_PINB + 3 * port); }

static void tell_listeners(struct pins *pins, uint64_t cycle) {
    for (size_t i = 0; i < pins->listener_count; i++) {
        pins->listeners[i].function(pins->listeners[i].model, cycle);
    }
}

static void write_register(avr_t *avr, avr_io_addr_t address, uint8_t value, void *model) {
    avr->data[address] = value;
    tell_listeners(model, machine_write_cycle(avr));
}

static void write_pin(avr_t *avr, avr_io_addr_t address, uint8_t value, void *model) {
    avr->data[address + 2] ^= value; /* a one toggles the output */
    tell_listeners(model, machine_write_cycle(avr));
}

static uint8_t read_pin(avr_t *avr, avr_io_addr_t address, void *model) {
    const struct pins *pins = model;
    unsigned port = (unsigned)(address - REGISTER_PINB) / 3;
    uint8_t outputs = avr->data[address + 1];
    uint8_t latched = avr->data[address + 2]; /* of inputs: the pull-ups */
    uint8_t inputs = (pins->outside[port] & pins->driven[port]) | (latched & (uint8_t)~pins->driven[port]);
    return (latched & outputs) | (inputs & (uint8_t)~outputs);
}

static void pins_were_reset(void *model) {
    struct pins *pins = model;
    tell_listeners(pins, pins->machine->avr->cycle);
}

void pins_open(struct pins *pins, struct machine *machine) {
    memset(pins, 0, sizeof *pins);
    pins->machine = machine;
    for (unsigned port = 0; port < PORTS; port++) {
        uint16_t address = pin_register(port);
        machine_take_write(machine, address, write_pin, pins);
        machine_take_read(machine, address, read_pin, pins);
        machine_take_write(machine, address + 1, write_register, pins);
        machine_take_write(machine, address + 2, write_register, pins);
    }
    machine_on_reset(machine, pins_were_reset, pins);
}

void pins_listen(struct pins *pins, pins_changed function, void *model) {
    if (pins->listener_count == PIN_LISTENERS) {
        abort();
    }
    pins->listeners[pins->listener_count].function = function;
    pins->listeners[pins->listener_count].model = model;
    pins->listener_count++;
}

enum level pins_level(const struct pins *pins, pin which) {
    const uint8_t *data = pins->machine->avr->data;
    uint16_t address = pin_register((which >> 4) - 1u);
    uint8_t bit = (uint8_t)(1 << (which & 7));
    if (!(data[address + 1] & bit)) {
        return LEVEL_FLOATING;
    }
    return (data[address + 2] & bit) ? LEVEL_HIGH : LEVEL_LOW;
}

void pins_drive(struct pins *pins, pin which, bool high) {
    unsigned port = (which >> 4) - 1u;
    uint8_t bit = (uint8_t)(1 << (which & 7));
    pins->driven[port] |= bit;
    pins->outside[port] = high ? (pins->outside[port] | bit) : (pins->outside[port] & (uint8_t)~bit);
}
