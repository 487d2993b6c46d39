/* Pins by their code of PROTOCOL.md section 6 (0x10 + n for PBn and so on). A code is a constant, so each of these
   becomes one or two instructions. Nothing here is used from an interrupt. */
#ifndef TAMSK_PINS_H
#define TAMSK_PINS_H

#include <avr/io.h>
#include <stdint.h>

#include "tables.h"

/* PINx, DDRx and PORTx of ports B, C and D follow each other in I/O space from 0x03 on. */
#define PIN_BIT(code) ((uint8_t)(1u << ((code)&0x0F)))
#define PIN_INPUT_REGISTER(code) _SFR_IO8(0x03 + 3 * (((code) >> 4) - 1))
#define PIN_DIRECTION_REGISTER(code) _SFR_IO8(0x04 + 3 * (((code) >> 4) - 1))
#define PIN_OUTPUT_REGISTER(code) _SFR_IO8(0x05 + 3 * (((code) >> 4) - 1))

#define PIN_HIGH(code) (PIN_OUTPUT_REGISTER(code) |= PIN_BIT(code))
#define PIN_LOW(code) (PIN_OUTPUT_REGISTER(code) &= (uint8_t)~PIN_BIT(code))
#define PIN_SET(code, high) ((high) ? PIN_HIGH(code) : PIN_LOW(code))
#define PIN_IS_HIGH(code) ((PIN_INPUT_REGISTER(code) & PIN_BIT(code)) != 0)
#define PIN_MAKE_OUTPUT(code) (PIN_DIRECTION_REGISTER(code) |= PIN_BIT(code))
#define PIN_MAKE_INPUT(code) (PIN_DIRECTION_REGISTER(code) &= (uint8_t)~PIN_BIT(code))

#endif
