/* simavr's own ADC takes its sample as the result is read; only its interrupt vector is used here. */
#include "adc.h"

#include <simavr/sim_interrupts.h>
#include <string.h>

#include "registers.h"
#include "wiring.h"

enum { CLOCKS = 13, FIRST_CLOCKS = 25, INPUT_GROUND = 15 };

/* Of the part on the board by which the program measures its supply. */
static const double REFERENCE_VOLT = 2.5;

static uint64_t clock_cycles(const avr_t *avr) {
    unsigned power = avr->data[REGISTER_ADCSRA] & ADCSRA_ADPS;
    return power == 0 ? 2 : UINT64_C(1) << power;
}

static double input_volt(struct adc *adc, uint64_t cycle) {
    static const uint8_t inputs[MULTIPLEXERS] = {WIRING_MUX_0_INPUT, WIRING_MUX_1_INPUT, WIRING_MUX_2_INPUT};
    uint8_t input = adc->mux & ADMUX_MUX;
    for (unsigned mux = 0; mux < adc->multiplexers->fitted; mux++) {
        if (input == inputs[mux]) {
            double unsettled;
            double volt = multiplexers_volt(adc->multiplexers, mux, cycle, &unsettled);
            if (unsettled > adc->supply / 512) { /* half a step of 8 bits */
                checks_add(&adc->machine->checks, cycle, "adc_unsettled", "multiplexer %u, address %u: %d mV away", mux,
                           adc->multiplexers->address, (int)(unsettled * 1000));
            }
            return volt;
        }
    }
    if (input == WIRING_SUPPLY_INPUT) {
        return REFERENCE_VOLT;
    }
    if (input != INPUT_GROUND) {
        checks_add(&adc->machine->checks, cycle, "adc_input", "input %u has no part on it", input);
    }
    return 0.0;
}

static avr_cycle_count_t conversion_ended(avr_t *avr, avr_cycle_count_t when, void *model) {
    struct adc *adc = model;
    (void)when;
    if (!adc->held) {
        adc->result = adc->sampled;
    }
    avr->data[REGISTER_ADCSRA] &= (uint8_t)~ADCSRA_ADSC;
    avr_raise_interrupt(avr, &adc->module->adc);
    avr->data[REGISTER_ADCSRA] |= ADCSRA_ADIF;
    return 0;
}

static avr_cycle_count_t take_sample(avr_t *avr, avr_cycle_count_t when, void *model) {
    struct adc *adc = model;
    (void)avr;
    double volt = input_volt(adc, when) + noise_gauss(&adc->chance, adc->noise);
    double steps = volt * 1024 / adc->supply;
    adc->sampled = steps >= 1023 ? 1023 : steps <= 0 ? 0 : (uint16_t)steps;
    machine_timer_at(adc->machine, adc->end, conversion_ended, adc);
    return 0;
}

static void start_conversion(struct adc *adc, uint64_t written) {
    avr_t *avr = adc->machine->avr;
    uint64_t clock = clock_cycles(avr);
    /* it begins with the next rising edge of the ADC's clock, which has run since ADEN was set */
    uint64_t begin = adc->clock_begin + (written - adc->clock_begin + clock - 1) / clock * clock;
    adc->mux = avr->data[REGISTER_ADMUX];
    adc->end = begin + (adc->fresh ? FIRST_CLOCKS : CLOCKS) * clock;
    /* the sample is held 1.5 clocks after the beginning, 13.5 in a first conversion */
    uint64_t sample = begin + (adc->fresh ? 27 : 3) * clock / 2;
    adc->fresh = false;
    if ((adc->mux & ADMUX_REFS) != ADMUX_REFS_AVCC) {
        checks_add(&adc->machine->checks, written, "adc_reference", "ADMUX is 0x%02x, the board has AVCC", adc->mux);
    }
    machine_timer_at(adc->machine, sample, take_sample, adc);
}

static void write_control(avr_t *avr, avr_io_addr_t address, uint8_t value, void *model) {
    struct adc *adc = model;
    uint8_t old = avr->data[address];
    uint64_t now = machine_write_cycle(avr);
    if (value & ADCSRA_ADIF) { /* cleared by writing a one */
        avr_clear_interrupt(avr, &adc->module->adc);
        old &= (uint8_t)~ADCSRA_ADIF;
    }
    avr->data[address] = (value & (uint8_t)~(ADCSRA_ADIF | ADCSRA_ADSC)) | (old & (ADCSRA_ADIF | ADCSRA_ADSC));
    if (!(value & ADCSRA_ADEN)) {
        avr_cycle_timer_cancel(avr, take_sample, adc);
        avr_cycle_timer_cancel(avr, conversion_ended, adc);
        avr->data[address] &= (uint8_t)~ADCSRA_ADSC;
        return;
    }
    if (!(old & ADCSRA_ADEN)) {
        adc->clock_begin = now;
        adc->fresh = true;
    }
    if (value & ADCSRA_ADATE) {
        checks_add(&adc->machine->checks, now, "adc_trigger", "automatic triggers are not modelled");
    }
    if ((value & ADCSRA_ADSC) && !(old & ADCSRA_ADSC)) {
        avr->data[address] |= ADCSRA_ADSC;
        start_conversion(adc, now);
    }
}

static uint16_t result_bits(const struct adc *adc) {
    bool left = (adc->machine->avr->data[REGISTER_ADMUX] & ADMUX_ADLAR) != 0;
    return (uint16_t)(left ? adc->result << 6 : adc->result);
}

static uint8_t read_low(avr_t *avr, avr_io_addr_t address, void *model) {
    struct adc *adc = model;
    (void)avr, (void)address;
    adc->held = true;
    return (uint8_t)result_bits(adc);
}

static uint8_t read_high(avr_t *avr, avr_io_addr_t address, void *model) {
    struct adc *adc = model;
    (void)avr, (void)address;
    adc->held = false;
    return (uint8_t)(result_bits(adc) >> 8);
}

static void adc_was_reset(void *model) {
    struct adc *adc = model;
    adc->fresh = adc->held = false;
    adc->result = 0;
}

void adc_open(struct adc *adc, struct multiplexers *multiplexers, struct machine *machine) {
    memset(adc, 0, sizeof *adc);
    adc->machine = machine;
    adc->module = (avr_adc_t *)machine_module(machine, "adc");
    adc->multiplexers = multiplexers;
    adc->supply = 5.0;
    machine_take_write(machine, REGISTER_ADCSRA, write_control, adc);
    machine_take_read(machine, REGISTER_ADCL, read_low, adc);
    machine_take_read(machine, REGISTER_ADCH, read_high, adc);
    machine_on_reset(machine, adc_was_reset, adc);
}
