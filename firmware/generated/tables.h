/* Made from the wiring map by `python -m wiring.make.firmware_tables`; do not edit.
   Pins are written as in PROTOCOL.md section 6: 0x10 + n for PBn, 0x20 + n for PCn, 0x30 + n for PDn, 0x40 + n for
   ADCn. */
#ifndef TAMSK_TABLES_H
#define TAMSK_TABLES_H

#define WIRING_HASH UINT32_C(0xD26E7B07)
#define WIRING_CHIPS 8
#define WIRING_FIELDS 38
#define WIRING_REFERENCES 3
#define WIRING_HOLDERS 2

#define PIN_MOSI 0x13
#define PIN_MISO 0x14
#define PIN_SCK 0x15
#define PIN_LATCH 0x12
#define PIN_RING_SELECT 0x11
#define PIN_EMITTER_ENABLE 0x10
#define PIN_SELECT_0 0x34
#define PIN_SELECT_1 0x35
#define PIN_SELECT_2 0x36
#define PIN_SELECT_3 0x37
#define PIN_HOLDER_RED_CLOCK 0x32
#define PIN_HOLDER_RED_DATA 0x23
#define PIN_HOLDER_BLACK_CLOCK 0x33
#define PIN_HOLDER_BLACK_DATA 0x24

/* The ADC inputs of the multiplexers, the first one's first. */
#define WIRING_MUX_INPUTS 0x40, 0x41, 0x42

/* The ADC input of the 2.5 V reference, as a number. */
#define WIRING_SUPPLY_INPUT 7

/* Conversions in the order in which a scan makes them: multiplexer address, ADC input, place among the
   readings (the fields, then the references). Those with one address come together, so the select lines
   move as little as can be. */
#define WIRING_CONVERSIONS \
    {0, 0, 0}, \
    {0, 1, 13}, \
    {0, 2, 26}, \
    {1, 0, 1}, \
    {1, 1, 14}, \
    {1, 2, 27}, \
    {2, 0, 2}, \
    {2, 1, 15}, \
    {2, 2, 28}, \
    {3, 0, 3}, \
    {3, 1, 16}, \
    {3, 2, 29}, \
    {4, 0, 4}, \
    {4, 1, 17}, \
    {4, 2, 30}, \
    {5, 0, 38}, \
    {5, 1, 18}, \
    {5, 2, 31}, \
    {6, 0, 5}, \
    {6, 1, 19}, \
    {6, 2, 32}, \
    {7, 1, 20}, \
    {7, 2, 37}, \
    {8, 0, 6}, \
    {8, 1, 21}, \
    {8, 2, 33}, \
    {9, 0, 7}, \
    {9, 1, 22}, \
    {9, 2, 34}, \
    {10, 0, 8}, \
    {10, 1, 40}, \
    {10, 2, 35}, \
    {11, 0, 9}, \
    {12, 0, 10}, \
    {12, 1, 23}, \
    {12, 2, 36}, \
    {13, 1, 24}, \
    {14, 0, 11}, \
    {15, 0, 12}, \
    {15, 1, 25}, \
    {15, 2, 39}

#endif
