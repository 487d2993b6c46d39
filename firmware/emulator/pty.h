/* The host's end of the controller's line as a pseudo-terminal: what a program sees is a serial port with a board on
 * it, under a symlink's name that stays the same however often the cable is pulled. Nothing here ever blocks. */
#ifndef EMULATOR_PTY_H
#define EMULATOR_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uart.h"

enum {
    PTY_KEPT = 65536, /* bytes kept for a reader that is behind: as many as Linux keeps for a serial port's reader */
    PTY_PROBLEM = 256,
};

struct pty {
    char *path;         /* the symlink's; NULL: there is no pseudo-terminal at all */
    bool reset_on_open; /* whoever opens the port resets the controller */
    int master;         /* -1: the cable is pulled */
    char terminal[64];  /* what the symlink names */
    bool open;          /* a program had the port open when last looked at */
    uint8_t kept[PTY_KEPT];
    size_t kept_begin, kept_length;
    uint64_t lost; /* bytes that a program had the port open for and did not read in time */
};

/* No pseudo-terminal. */
void pty_open(struct pty *pty);

/* Makes it and its symlink. False, with one line in `problem` and nothing made, when that cannot be. */
bool pty_make(struct pty *pty, const char *path, bool reset_on_open, char problem[PTY_PROBLEM]);

/* Pull the cable, put it in again: under the same name, as pty_make. Nothing happens when it is so already. */
void pty_unplug(struct pty *pty);
bool pty_replug(struct pty *pty, char problem[PTY_PROBLEM]);

/* Removes all of it, the symlink only while it is still ours. */
void pty_close(struct pty *pty);

/* Whether the controller's line ends here, plugged in or not. */
bool pty_there(const struct pty *pty);

/* "none", "unplugged", "closed" or "open", as it was when last looked at. */
const char *pty_state(const struct pty *pty);

/* Looks whether a program has the port open: true when one has opened it since the last look. When it was closed in
 * between, what nobody read is lost, and the next program finds the terminal raw and empty. */
bool pty_look(struct pty *pty);

/* A byte from the controller. Lost when nobody has the port open; the oldest is lost when too many wait. */
void pty_put(struct pty *pty, uint8_t byte);

/* Gives the program what waits for it, as far as the terminal takes it. */
void pty_give(struct pty *pty);

/* Puts what the program wrote on the controller's line, as far as there is room in the line's queue. */
void pty_take(struct pty *pty, struct uart *uart);

#endif
