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

/* The board id as it stands in the EEPROM now; 0 as above. To be asked only while nothing is being written. */
uint32_t identity_board_id(void);

/* Begin to write another board id; `identity_written` does it. Called again before that is done, the later number
   takes the place of the earlier. A reset in between may leave the board without an id, but its boot ids as they
   are. */
void identity_set_board_id(uint32_t board_id);

/* Write one more byte of what is still to be written, the boot id first, when the EEPROM is ready (each takes 3.4 ms);
   whether all is there. After a reset HELLO may only be sent then, or a reset in between could give the same id
   twice. */
bool identity_written(void);

#endif
