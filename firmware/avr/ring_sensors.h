/* The ring sensors: eight MCP3008 and the TPIC6B595 of their emitters on one SPI clock of 2 MHz. A 74HC138 selects the
   converter that the lower select lines name, while `ring_select` is low. */
#ifndef TAMSK_RING_SENSORS_H
#define TAMSK_RING_SENSORS_H

#include <stdbool.h>
#include <stdint.h>

#include "scan_plan.h"
#include "scan_schedule.h"

/* Pins and SPI; all banks dark, no converter selected. */
void ring_sensors_start(void);

/* Go to a bank: its emitters are those that light from now on. */
void ring_sensors_begin(uint8_t bank);

/* The bank's emitters on or off, at once. */
void ring_sensors_light(bool on);

/* Read the plan's bank of all converters, in its order, and convert the fields of a round meanwhile. The readings, 0 to
   1023, go to every third place of `readings`, by converter; what is not answered is RING_NO_READING, and its
   converter's bit is set in what this gives back. */
uint8_t ring_sensors_read(const struct bank_plan *plan, const struct schedule *schedule, uint8_t round,
                          uint16_t *readings, uint8_t *analog);

#endif
