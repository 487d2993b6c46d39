/* Up to three 74HC4067 with shared select lines, and the fields on their inputs. */
#ifndef EMULATOR_MULTIPLEXERS_H
#define EMULATOR_MULTIPLEXERS_H

#include "pins.h"

enum { MULTIPLEXERS = 3, ADDRESSES = 16, SELECT_LINES = 4 };

struct multiplexers {
    struct machine *machine;
    const struct pins *pins;
    unsigned fitted; /* multiplexers 0 and so on that are there, 1 to MULTIPLEXERS */
    struct {
        double volt; /* at `since` */
        bool open;   /* it goes down to 0 V from there; else it stays */
        uint64_t since;
    } input[MULTIPLEXERS][ADDRESSES];
    enum level stuck[SELECT_LINES]; /* LEVEL_FLOATING: the pin decides */
    unsigned address;
    double common[MULTIPLEXERS]; /* volts at the common outputs at `since` */
    uint64_t since;              /* cycle */
};

/* All of them fitted, all inputs at 0 V, no select line stuck. */
void multiplexers_open(struct multiplexers *multiplexers, struct pins *pins, struct machine *machine);

/* 0 to 5.5 V. */
void multiplexers_set(struct multiplexers *multiplexers, unsigned mux, unsigned address, double volt);

/* The sensor's wire is broken: the input's capacitor keeps its charge, which leaks away. A voltage set mends it. */
void multiplexers_set_open(struct multiplexers *multiplexers, unsigned mux, unsigned address);

/* A select line that stays low or high whatever its pin does; LEVEL_FLOATING mends it. */
void multiplexers_set_stuck(struct multiplexers *multiplexers, unsigned line, enum level level);

/* The voltage at a common output, and how far it still is from the input's: both in volts. */
double multiplexers_volt(struct multiplexers *multiplexers, unsigned mux, uint64_t cycle, double *unsettled);

#endif
