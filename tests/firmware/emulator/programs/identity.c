/* The firmware's identity alone (firmware/avr/identity.h), as its test asks: four bytes from the line, the lowest first,
   are a board id to be set. */
#include <avr/io.h>

#include "identity.h"

/* Marks: behind each the four bytes of a number, the lowest first. */
#define MARK_STARTED 0xB0 /* the board id, then the boot id */
#define MARK_WRITTEN 0xB1 /* the board id as it then is */

static void mark(uint8_t value)
{
    GPIOR0 = value;
}

static void mark_number(uint32_t number)
{
    uint8_t place;

    for (place = 0; place < sizeof number; place++) {
        mark((uint8_t)(number >> 8 * place));
    }
}

int main(void)
{
    struct identity identity;
    uint32_t board_id = 0;
    uint8_t bytes = 0;
    bool written = false;

    UBRR0 = 1;
    UCSR0B = _BV(RXEN0);
    identity_read(&identity);
    mark(MARK_STARTED);
    mark_number(identity.board_id);
    mark_number(identity.boot_id);
    for (;;) {
        bool before = written;

        written = identity_written();
        if (written && !before) {
            mark(MARK_WRITTEN);
            mark_number(identity_board_id());
        }
        if ((UCSR0A & _BV(RXC0)) != 0) {
            board_id = board_id >> 8 | (uint32_t)UDR0 << 24;
            bytes++;
            if (bytes % sizeof board_id == 0) {
                identity_set_board_id(board_id);
            }
        }
    }
}
