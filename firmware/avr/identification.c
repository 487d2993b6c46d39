/* What this program is, told by its file before it is on a board (firmware/README.md): `tamsk-hw flash` reads it.
   The linker puts what is in .vectors to the beginning of the program, the C library's vectors first: the record
   stands behind them, at byte 104. The program itself never reads it. */
#include <stdint.h>

#include "protocol.h"
#include "tables.h"
#include "version.h"

#define IDENTIFICATION_VERSION 1

struct identification {
    char magic[5];
    uint8_t version; /* of this record */
    uint8_t protocol_major;
    uint8_t protocol_minor;
    uint8_t firmware[3];
    uint8_t zero;
    uint32_t wiring_hash;
    const void *program_end; /* the linker's: as many bytes as the program has */
};

/* One more byte would move the code to odd addresses, which it cannot have. */
_Static_assert(sizeof(struct identification) == 18, "the record's length is part of its layout");

extern const uint8_t __data_load_end[];

extern const struct identification identification;

const struct identification identification __attribute__((used, section(".vectors"))) = {
    .magic = {'T', 'A', 'M', 'S', 'K'},
    .version = IDENTIFICATION_VERSION,
    .protocol_major = PROTOCOL_MAJOR,
    .protocol_minor = PROTOCOL_MINOR,
    .firmware = {FIRMWARE_MAJOR, FIRMWARE_MINOR, FIRMWARE_PATCH},
    .zero = 0,
    .wiring_hash = WIRING_HASH,
    .program_end = __data_load_end,
};
