#include "running.h"

#include <time.h>

#include "commands.h"
#include "signals.h"

enum { LONG_SLICE = 10 * PACE_SLICE }; /* on command: nothing comes in meanwhile */

static struct control *served; /* by running_serve; NULL: nobody commands */

int64_t running_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* What the program at the pseudo-terminal does, in the cycle that it is. */
static void hear(struct board *board) {
    if (pty_look(&board->pty) && board->pty.reset_on_open) {
        machine_reset(&board->machine);
    }
    pty_take(&board->pty, &board->uart);
}

static void run_slice(struct board *board, uint64_t cycle) {
    machine_run_to(&board->machine, cycle);
    pty_give(&board->pty);
}

void running_run_to(struct board *board, uint64_t cycle) {
    const avr_t *avr = board->machine.avr;
    while (avr->cycle < cycle) {
        run_slice(board, cycle - avr->cycle > LONG_SLICE ? avr->cycle + LONG_SLICE : cycle);
        if (avr->cycle < cycle && (signals_look() || (served != NULL && control_deserted(served)))) {
            return;
        }
    }
}

static void do_commands(struct board *board, struct control *control) {
    control_read(control);
    char *line;
    while (!signals_ended() && (line = control_line(control)) != NULL) {
        hear(board);
        commands_do(board, line, control->answers);
        pty_give(&board->pty);
    }
    control_write(control);
}

/* Waits until a slice is due or somebody wants something. */
static void wait_for_work(struct board *board, struct control *control) {
    struct pollfd set[2] = {{.fd = -1}, {.fd = -1}};
    if (control != NULL) {
        set[0] = (struct pollfd){.fd = control->client, .events = control_events(control)};
    }
    if (board->pty.open) { /* a closed one is hung up all the time: poll would never wait */
        bool room = board->uart.queue_length < UART_QUEUE, waiting = board->pty.kept_length > 0;
        set[1] = (struct pollfd){.fd = board->pty.master,
                                 .events = (short)((room ? POLLIN : 0) | (waiting ? POLLOUT : 0))};
    }
    int64_t wait = pace_wait(&board->pace, board->machine.avr->cycle, running_clock());
    if (control != NULL && control_ready(control)) {
        wait = 0; /* nothing more need come for that */
    }
    signals_wait(set, 2, wait);
}

void running_serve(struct board *board, struct control *control) {
    served = control;
    while (!signals_ended()) {
        hear(board);
        uint64_t cycle = board->machine.avr->cycle;
        uint64_t until = pace_until(&board->pace, cycle, running_clock());
        if (until > cycle) {
            run_slice(board, until);
        } else {
            pty_give(&board->pty);
        }
        if (control != NULL) {
            do_commands(board, control);
            if (control_ended(control)) {
                break;
            }
        }
        wait_for_work(board, control);
    }
    served = NULL;
}
