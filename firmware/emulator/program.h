/* The controller's program, an ELF file. */
#ifndef EMULATOR_PROGRAM_H
#define EMULATOR_PROGRAM_H

#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdbool.h>

/* Read a program for an AVR. False, with a line on stderr, when the file is none, whatever else it is. */
bool program_read(const char *path, elf_firmware_t *firmware);

#endif
