/* simavr crashes on an ELF file of another processor, and takes what is no ELF file for an empty program. */
#include "program.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { HEADER = 52 }; /* bytes of an ELF file of 32 bits */

/* The places and values there that make it an AVR's program. */
static const struct {
    uint8_t place, value;
} expected[] = {
    {0, 0x7F}, {1, 'E'}, {2, 'L'}, {3, 'F'},
    {4, 1}, {5, 1},    /* 32 bits, little-endian */
    {16, 2}, {17, 0},  /* can be executed: linked */
    {18, 83}, {19, 0}, /* AVR */
};

static bool is_avr_program(FILE *file) {
    uint8_t header[HEADER];
    if (fread(header, 1, sizeof header, file) != sizeof header) {
        return false;
    }
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        if (header[expected[i].place] != expected[i].value) {
            return false;
        }
    }
    return true;
}

bool program_read(const char *path, elf_firmware_t *firmware) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    bool taken = is_avr_program(file);
    fclose(file);
    memset(firmware, 0, sizeof *firmware);
    if (!taken || elf_read_firmware(path, firmware) != 0 || firmware->flashsize == 0) {
        fprintf(stderr, "%s: no ELF file for an AVR (make -C firmware builds build/tamsk.elf)\n", path);
        return false;
    }
    return true;
}
