#define _GNU_SOURCE /* ptsname_r, cfmakeraw */
#include "pty.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

static bool cannot(const char *path, char problem[PTY_PROBLEM]) {
    int reason = errno;
    snprintf(problem, PTY_PROBLEM, "%.150s: the board's port cannot be made: %s", path, strerror(reason));
    return false;
}

void pty_open(struct pty *pty) {
    memset(pty, 0, sizeof *pty);
    pty->master = -1;
}

bool pty_there(const struct pty *pty) { return pty->path != NULL; }

const char *pty_state(const struct pty *pty) {
    if (!pty_there(pty)) {
        return "none";
    }
    return pty->master < 0 ? "unplugged" : pty->open ? "open" : "closed";
}

/* ---- the terminal ---- */

/* No echo, no byte changed on its way, and nothing that waits to be read. */
static bool make_raw_and_empty(struct pty *pty) {
    int slave = open(pty->terminal, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (slave < 0) {
        return false;
    }
    struct termios settings;
    bool done = tcgetattr(slave, &settings) == 0;
    if (done) {
        cfmakeraw(&settings);
        done = tcsetattr(slave, TCSANOW, &settings) == 0;
    }
    tcflush(pty->master, TCOFLUSH); /* what is on its way to the terminal */
    tcflush(slave, TCIFLUSH);       /* what has got there */
    int reason = errno;
    close(slave);
    errno = reason;
    return done;
}

static bool make_terminal(struct pty *pty) {
    pty->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    return pty->master >= 0 && grantpt(pty->master) == 0 && unlockpt(pty->master) == 0 &&
           ptsname_r(pty->master, pty->terminal, sizeof pty->terminal) == 0 && make_raw_and_empty(pty) &&
           fcntl(pty->master, F_SETFL, O_NONBLOCK) == 0;
}

static void close_terminal(struct pty *pty) {
    if (pty->master >= 0) {
        close(pty->master);
    }
    pty->master = -1;
    pty->open = false;
    pty->kept_length = 0;
}

/* ---- its name ---- */

static bool make_link(const struct pty *pty, char problem[PTY_PROBLEM]) {
    if (symlink(pty->terminal, pty->path) == 0) {
        return true;
    }
    struct stat found;
    if (errno != EEXIST || lstat(pty->path, &found) != 0) {
        return cannot(pty->path, problem);
    }
    if (!S_ISLNK(found.st_mode)) {
        snprintf(problem, PTY_PROBLEM, "%.150s: is no symlink; allowed is a name that is free for the board's port",
                 pty->path);
        return false;
    }
    char beside[PATH_MAX];
    int length = snprintf(beside, sizeof beside, "%s.%ld.new", pty->path, (long)getpid());
    if (length >= (int)sizeof beside) {
        errno = ENAMETOOLONG;
        return cannot(pty->path, problem);
    }
    if (symlink(pty->terminal, beside) != 0) {
        return cannot(pty->path, problem);
    }
    if (rename(beside, pty->path) != 0) {
        cannot(pty->path, problem);
        unlink(beside);
        return false;
    }
    return true;
}

static void remove_link(const struct pty *pty) {
    char target[sizeof pty->terminal];
    ssize_t length = readlink(pty->path, target, sizeof target);
    /* only our own: another board may have taken the name over */
    if (length == (ssize_t)strlen(pty->terminal) && memcmp(target, pty->terminal, (size_t)length) == 0) {
        unlink(pty->path);
    }
}

/* ---- the cable ---- */

bool pty_replug(struct pty *pty, char problem[PTY_PROBLEM]) {
    if (pty->master >= 0) {
        return true;
    }
    if (!make_terminal(pty)) {
        cannot(pty->path, problem);
        close_terminal(pty);
        return false;
    }
    if (!make_link(pty, problem)) {
        close_terminal(pty);
        return false;
    }
    return true;
}

void pty_unplug(struct pty *pty) {
    if (pty->master >= 0) {
        remove_link(pty); /* before its terminal goes, whose number another program may be given */
        close_terminal(pty);
    }
}

bool pty_make(struct pty *pty, const char *path, bool reset_on_open, char problem[PTY_PROBLEM]) {
    pty->path = strdup(path);
    if (pty->path == NULL) {
        return cannot(path, problem);
    }
    pty->reset_on_open = reset_on_open;
    if (!pty_replug(pty, problem)) {
        pty_close(pty);
        return false;
    }
    return true;
}

void pty_close(struct pty *pty) {
    pty_unplug(pty);
    free(pty->path);
    pty->path = NULL;
}

/* ---- the line ---- */

bool pty_look(struct pty *pty) {
    if (pty->master < 0) {
        return false;
    }
    /* a pseudo-terminal has no modem lines; its master is hung up while no program has it open */
    struct pollfd look = {.fd = pty->master};
    bool open = poll(&look, 1, 0) >= 0 && !(look.revents & POLLHUP);
    bool opened = open && !pty->open, closed = !open && pty->open;
    pty->open = open;
    if (closed) {
        pty->kept_length = 0;
        (void)make_raw_and_empty(pty);
    }
    return opened;
}

void pty_put(struct pty *pty, uint8_t byte) {
    if (!pty->open) {
        return;
    }
    if (pty->kept_length == PTY_KEPT) {
        pty->kept_begin = (pty->kept_begin + 1) % PTY_KEPT;
        pty->kept_length--;
        pty->lost++;
    }
    pty->kept[(pty->kept_begin + pty->kept_length++) % PTY_KEPT] = byte;
}

void pty_give(struct pty *pty) {
    while (pty->kept_length > 0) {
        size_t to_the_end = PTY_KEPT - pty->kept_begin;
        size_t length = pty->kept_length < to_the_end ? pty->kept_length : to_the_end;
        ssize_t written = write(pty->master, pty->kept + pty->kept_begin, length);
        if (written <= 0) {
            return; /* full, or closed: the next look tells */
        }
        pty->kept_begin = (pty->kept_begin + (size_t)written) % PTY_KEPT;
        pty->kept_length -= (size_t)written;
    }
}

void pty_take(struct pty *pty, struct uart *uart) {
    uint8_t bytes[4096];
    while (pty->master >= 0) {
        size_t room = UART_QUEUE - uart->queue_length;
        ssize_t length = room == 0 ? 0 : read(pty->master, bytes, room < sizeof bytes ? room : sizeof bytes);
        if (length <= 0) {
            return; /* no more, or nobody has it open */
        }
        uart_send(uart, bytes, (size_t)length);
    }
}
