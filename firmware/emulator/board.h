/* The emulated board: the controller and the parts around it. */
#ifndef EMULATOR_BOARD_H
#define EMULATOR_BOARD_H

#include "adc.h"
#include "eeprom.h"
#include "hx711.h"
#include "machine.h"
#include "multiplexers.h"
#include "pace.h"
#include "pins.h"
#include "pty.h"
#include "rings.h"
#include "spi.h"
#include "uart.h"

enum { SENT_KEPT = 65536, HOLDERS = 2 };

/* A byte that the controller has sent. */
struct sent_byte {
    uint64_t cycle; /* in which its stop bit ends */
    uint8_t byte;
};

struct board {
    struct machine machine;
    struct uart uart;
    struct spi spi;
    struct pins pins;
    struct rings rings;
    struct multiplexers multiplexers;
    struct adc adc;
    struct eeprom eeprom;
    struct hx711 holders[HOLDERS]; /* red, black */
    struct pty pty;                /* at the other end of the line */
    struct pace pace;              /* at which all of it runs */
    struct sent_byte sent[SENT_KEPT]; /* while there is no pty */
    size_t sent_count;
    struct noise ram_chance; /* what RAM holds when the supply comes back */
    uint64_t sent_lost; /* that came when the list was full */
};

/* The board with the program of that ELF, as after power on. False, with a line on stderr, when there is none. */
bool board_open(struct board *board, const char *elf_path);
/* Removes its port and frees the controller. */
void board_close(struct board *board);

/* Begins everything that is left to chance anew; 0 is what it begins with. */
void board_seed(struct board *board, uint64_t seed);

/* The supply goes off and on again in an instant, for all parts. */
void board_power_cycle(struct board *board);

#endif
