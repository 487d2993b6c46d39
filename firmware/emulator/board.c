#include "board.h"

#include "wiring.h"

static void keep_sent_byte(void *receiver, uint64_t cycle, uint8_t byte) {
    struct board *board = receiver;
    if (pty_there(&board->pty)) {
        pty_put(&board->pty, byte);
        return;
    }
    if (board->sent_count == SENT_KEPT) {
        board->sent_lost++;
        return;
    }
    board->sent[board->sent_count++] = (struct sent_byte){cycle, byte};
}

bool board_open(struct board *board, const char *elf_path) {
    board->sent_count = 0;
    board->sent_lost = 0;
    pty_open(&board->pty);
    pace_step(&board->pace);
    if (!machine_open(&board->machine, elf_path)) {
        return false;
    }
    uart_open(&board->uart, &board->machine, keep_sent_byte, board);
    pins_open(&board->pins, &board->machine);
    spi_open(&board->spi, &board->machine, rings_exchange, &board->rings);
    multiplexers_open(&board->multiplexers, &board->pins, &board->machine);
    rings_open(&board->rings, &board->pins, &board->spi, &board->multiplexers, &board->adc.supply, &board->machine);
    adc_open(&board->adc, &board->multiplexers, &board->machine);
    eeprom_open(&board->eeprom, &board->machine);
    hx711_open(&board->holders[0], "red", WIRING_RED_CLOCK, WIRING_RED_DATA, HX711_RED_PERIOD, &board->pins,
               &board->machine);
    hx711_open(&board->holders[1], "black", WIRING_BLACK_CLOCK, WIRING_BLACK_DATA, HX711_BLACK_PERIOD, &board->pins,
               &board->machine);
    board_seed(board, 0);
    return true;
}

void board_close(struct board *board) {
    pty_close(&board->pty);
    machine_close(&board->machine);
}

void board_seed(struct board *board, uint64_t seed) {
    noise_seed(&board->adc.chance, seed, NOISE_FIELD);
    noise_seed(&board->rings.chance, seed, NOISE_RING);
    noise_seed(&board->holders[0].chance, seed, NOISE_HOLDER_RED);
    noise_seed(&board->holders[1].chance, seed, NOISE_HOLDER_BLACK);
    noise_seed(&board->uart.chance, seed, NOISE_LINE);
    noise_seed(&board->ram_chance, seed, NOISE_RAM);
}

void board_power_cycle(struct board *board) {
    eeprom_power_down(&board->eeprom);
    machine_power_up(&board->machine, &board->ram_chance);
    rings_power_up(&board->rings);
    for (unsigned holder = 0; holder < HOLDERS; holder++) {
        hx711_power_up(&board->holders[holder]);
    }
}
