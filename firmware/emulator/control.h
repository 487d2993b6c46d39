/* The control socket: lines in, answers out. It serves one client, and never waits for it once that one is there. */
#ifndef EMULATOR_CONTROL_H
#define EMULATOR_CONTROL_H

#include <stdbool.h>
#include <stdio.h>

#include "uart.h"

enum {
    CONTROL_LINE = 2 * UART_QUEUE + 64, /* the longest is a `send` of all bytes that the line's queue holds */
    CONTROL_UNREAD = 1 << 20,           /* answers' bytes that wait for the client before its next command is done */
};

struct control {
    int client;
    char line[CONTROL_LINE];
    size_t used, taken;   /* bytes in `line`; those of them that were given out */
    bool overlong;        /* the rest of a line that was too long is still coming */
    bool no_more;         /* the client sends nothing any more */
    bool gone;            /* nor does it hear anything */
    FILE *answers;        /* write answers here; in memory until control_write sends them */
    char *text;           /* of `answers` */
    size_t size, written; /* of `text` */
};

/* Makes the Unix socket at this path, waits for a client, and removes it. False when there is none: with a line on
 * stderr when something failed, without when the emulator was asked to end. */
bool control_open(struct control *control, const char *path);
void control_close(struct control *control);

/* Takes what the client has sent. */
void control_read(struct control *control);

/* Its next whole line, without the newline, good until the next control_read; NULL when there is none, or while too
 * many answers wait. */
char *control_line(struct control *control);

/* Sends answers, as far as the client takes them. */
void control_write(struct control *control);

/* Whether a whole line can be taken now, without a word more from the client. */
bool control_ready(struct control *control);

/* What to poll the client for. */
short control_events(struct control *control);

/* Whether the client is served: it has gone, or it sends no more and has all its answers. */
bool control_ended(struct control *control);

/* Whether nobody is there to hear an answer: for looks in the middle of a command. */
bool control_deserted(const struct control *control);

#endif
