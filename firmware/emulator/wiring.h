/* The reference board as the models are wired: pins as 16 for PB0, 32 for PC0, 48 for PD0, plus their number. A test
 * holds this against wiring/board.toml. A smaller board has the same pins, and parts left out (`fitted`). */
#ifndef EMULATOR_WIRING_H
#define EMULATOR_WIRING_H

enum {
    WIRING_LATCH = 0x12,          /* TPIC6B595 RCK */
    WIRING_RING_SELECT = 0x11,    /* 74HC138 /E, pulled up */
    WIRING_EMITTER_ENABLE = 0x10, /* TPIC6B595 /G, pulled up */
    WIRING_SELECT_0 = 0x34,
    WIRING_SELECT_1 = 0x35,
    WIRING_SELECT_2 = 0x36,
    WIRING_SELECT_3 = 0x37,
    WIRING_MUX_0_INPUT = 0, /* ADC input of multiplexer 0; 1 and 2 follow */
    WIRING_MUX_1_INPUT = 1,
    WIRING_MUX_2_INPUT = 2,
    WIRING_SUPPLY_INPUT = 7, /* ADC input of the 2.5 V reference */
    WIRING_RED_CLOCK = 0x32,
    WIRING_RED_DATA = 0x23,
    WIRING_BLACK_CLOCK = 0x33,
    WIRING_BLACK_DATA = 0x24,
};

#endif
