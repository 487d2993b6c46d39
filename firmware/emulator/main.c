/* emulator ELF SOCKET: the board with the program of the ELF file, controlled over a Unix socket that is made at that
 * path. It serves one client and ends when that one closes the connection.
 * emulator ELF --pty PATH: the board at rest in real time, its serial port a symlink at that path, until a signal. */
#include <string.h>

#include "board.h"
#include "control.h"
#include "running.h"
#include "signals.h"
#include "wiring.h"

static struct board board;

static int serve_a_client(const char *socket_path) {
    static struct control control;
    if (!control_open(&control, socket_path)) {
        return signals_ended() ? 0 : 1;
    }
    running_serve(&board, &control);
    control_close(&control);
    return 0;
}

/* No ring, no glass, nothing in the holders, and the references where the wiring has them. */
static void put_at_rest(void) {
    static const double no_ring = 9, no_field = 2.5; /* microamperes, volts */
    for (unsigned sensor = 0; sensor < SENSORS; sensor++) {
        rings_set_reflected(&board.rings, sensor, no_ring);
    }
    for (unsigned mux = 0; mux < MULTIPLEXERS; mux++) {
        for (unsigned address = 0; address < ADDRESSES; address++) {
            multiplexers_set(&board.multiplexers, mux, address, no_field);
        }
    }
    multiplexers_set(&board.multiplexers, 0, 5, 1.25);
    multiplexers_set(&board.multiplexers, 1, 10, 3.75);
}

static int serve_a_port(const char *port_path) {
    char problem[PTY_PROBLEM];
    if (!pty_make(&board.pty, port_path, false, problem)) {
        fprintf(stderr, "%s\n", problem);
        return 1;
    }
    put_at_rest();
    printf("the board's port is %s; end it with Ctrl-C\n", port_path);
    fflush(stdout);
    pace_follow(&board.pace, board.machine.avr->cycle, running_clock(), 1);
    running_serve(&board, NULL);
    return 0;
}

int main(int argument_count, char **arguments) {
    bool on_socket = argument_count == 3 && strncmp(arguments[2], "--", 2) != 0;
    bool on_port = argument_count == 4 && strcmp(arguments[2], "--pty") == 0;
    if (!on_socket && !on_port) {
        fprintf(stderr, "usage: emulator ELF SOCKET, or emulator ELF --pty PATH\n");
        return 2;
    }
    signals_open();
    if (!board_open(&board, arguments[1])) {
        return 1;
    }
    int status = on_port ? serve_a_port(arguments[3]) : serve_a_client(arguments[2]);
    board_close(&board);
    return status;
}
