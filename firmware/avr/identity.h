/* Who this board is and which boot this is, from EEPROM (core/boot_record.h). */
#ifndef TAMSK_IDENTITY_H
#define TAMSK_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

struct identity {
    uint32_t board_id; /* 0: never set, or its record is damaged */
    uint32_t boot_id;
};

/* Read both. The new boot id is still to be written. */
void identity_read(struct identity *identity);

/* Write one more byte of it, when the EEPROM is ready (each takes 3.4 ms); whether all are written. HELLO may only
   be sent then, or a reset in between could give the same id twice. */
bool identity_written(void);

#endif
