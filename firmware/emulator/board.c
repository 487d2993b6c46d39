#include "board.h"

#include "wiring.h"

static void keep_sent_byte(void *receiver, uint64_t cycle, uint8_t byte) {
    struct board *board = receiver;
    if (board->sent_count == SENT_KEPT) {
        board->sent_lost++;
        return;
    }
    board->sent[board->sent_count++] = (struct sent_byte){cycle, byte};
}

bool board_open(struct board *board, const char *elf_path) {
    board->sent_count = 0;
    board->sent_lost = 0;
    if (!machine_open(&board->machine, elf_path)) {
        return false;
    }
    uart_open(&board->uart, &board->machine, keep_sent_byte, board);
    pins_open(&board->pins, &board->machine);
    spi_open(&board->spi, &board->machine, chain_exchange, &board->chain);
    chain_open(&board->chain, &board->pins, &board->spi, &board->machine);
    multiplexers_open(&board->multiplexers, &board->pins, &board->machine);
    adc_open(&board->adc, &board->multiplexers, &board->machine);
    eeprom_open(&board->eeprom, &board->machine);
    hx711_open(&board->holders[0], "red", WIRING_RED_CLOCK, WIRING_RED_DATA, HX711_RED_PERIOD, &board->pins,
               &board->machine);
    hx711_open(&board->holders[1], "black", WIRING_BLACK_CLOCK, WIRING_BLACK_DATA, HX711_BLACK_PERIOD, &board->pins,
               &board->machine);
    return true;
}

void board_close(struct board *board) { machine_close(&board->machine); }
