/* The controller's ADC: single conversions against AVCC, of the three multiplexers, the 2.5 V reference or ground. */
#ifndef EMULATOR_ADC_H
#define EMULATOR_ADC_H

#include <simavr/avr_adc.h>

#include "multiplexers.h"
#include "noise.h"

struct adc {
    struct machine *machine;
    avr_adc_t *module;
    struct multiplexers *multiplexers;
    double supply; /* volts, AVCC and reference */
    double noise;  /* volts, standard deviation of a sample */
    struct noise chance;
    uint64_t clock_begin; /* cycle in which the ADC's clock began to run */
    bool fresh;           /* the next conversion is the first: 25 ADC clocks */
    uint8_t mux;          /* ADMUX as the conversion began */
    uint64_t end;         /* cycle in which the conversion that runs ends */
    uint16_t sampled;     /* 10 bits */
    uint16_t result;      /* 10 bits */
    bool held;            /* ADCL has been read, ADCH not yet: the result waits */
};

/* Takes over the ADC's registers; a supply of 5 V, no noise. */
void adc_open(struct adc *adc, struct multiplexers *multiplexers, struct machine *machine);

#endif
