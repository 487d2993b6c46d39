#include "control.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "signals.h"

/* A client's descriptor; -1 when it failed, or when the emulator is asked to end. */
static int accept_one_client(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (listener < 0) {
        return -1;
    }
    int client = -1;
    if (bind(listener, (struct sockaddr *)&address, sizeof address) == 0) {
        if (listen(listener, 1) == 0) {
            struct pollfd calls = {.fd = listener, .events = POLLIN};
            while (calls.revents == 0 && !signals_ended()) {
                signals_wait(&calls, 1, -1);
            }
            if (calls.revents != 0) {
                client = accept(listener, NULL, NULL);
            }
        }
        int reason = errno;
        unlink(path);
        errno = reason;
    }
    int reason = errno;
    close(listener);
    errno = reason;
    return client;
}

bool control_open(struct control *control, const char *path) {
    memset(control, 0, sizeof *control);
    control->client = accept_one_client(path);
    if (control->client >= 0) {
        control->answers = open_memstream(&control->text, &control->size);
    }
    if (control->answers == NULL) {
        if (!signals_ended()) {
            fprintf(stderr, "%s: %s\n", path, strerror(errno));
        }
        if (control->client >= 0) {
            close(control->client);
        }
        return false;
    }
    return true;
}

void control_close(struct control *control) {
    fclose(control->answers);
    free(control->text);
    close(control->client);
}

/* ---- lines in ---- */

static void make_room(struct control *control) {
    memmove(control->line, control->line + control->taken, control->used - control->taken);
    control->used -= control->taken;
    control->taken = 0;
    if (control->used == CONTROL_LINE && memchr(control->line, '\n', CONTROL_LINE) == NULL) {
        if (!control->overlong) {
            fprintf(control->answers, "error a line of more than %d characters\n", CONTROL_LINE - 1);
        }
        control->overlong = true;
        control->used = 0;
    }
}

void control_read(struct control *control) {
    make_room(control);
    if (control->no_more || control->gone || control->used == CONTROL_LINE) {
        return;
    }
    ssize_t length = recv(control->client, control->line + control->used, CONTROL_LINE - control->used, MSG_DONTWAIT);
    if (length > 0) {
        control->used += (size_t)length;
    } else if (length == 0) {
        control->no_more = true;
    } else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
        control->gone = true;
    }
}

/* Answers' bytes that the client has not taken. */
static size_t unread(struct control *control) {
    if (fflush(control->answers) != 0) {
        control->gone = true; /* no memory for them */
        return 0;
    }
    return control->size - control->written;
}

char *control_line(struct control *control) {
    while (!control->gone && unread(control) < CONTROL_UNREAD) {
        char *line = control->line + control->taken;
        char *end = memchr(line, '\n', control->used - control->taken);
        if (end == NULL) {
            return NULL; /* what a client leaves unfinished is not done */
        }
        *end = '\0';
        control->taken = (size_t)(end + 1 - control->line);
        if (!control->overlong) {
            return line;
        }
        control->overlong = false;
    }
    return NULL;
}

/* ---- answers out ---- */

void control_write(struct control *control) {
    while (!control->gone && unread(control) > 0) {
        ssize_t length = send(control->client, control->text + control->written, control->size - control->written,
                              MSG_DONTWAIT | MSG_NOSIGNAL);
        if (length < 0) {
            control->gone = errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR;
            return;
        }
        control->written += (size_t)length;
    }
    if (control->written > 0) {
        rewind(control->answers); /* all are out: begin the memory anew */
        control->written = 0;
    }
}

short control_events(struct control *control) {
    size_t waiting = unread(control);
    bool wanted = !control->no_more && waiting < CONTROL_UNREAD;
    return (short)((wanted ? POLLIN : 0) | (waiting > 0 ? POLLOUT : 0));
}

/* A whole line has come and was not taken. */
static bool has_line(const struct control *control) {
    return memchr(control->line + control->taken, '\n', control->used - control->taken) != NULL;
}

bool control_ready(struct control *control) {
    return !control->gone && has_line(control) && unread(control) < CONTROL_UNREAD;
}

bool control_ended(struct control *control) {
    return control->gone || (control->no_more && unread(control) == 0 && !has_line(control));
}

bool control_deserted(const struct control *control) {
    struct pollfd look = {.fd = control->client};
    return poll(&look, 1, 0) > 0 && (look.revents & (POLLHUP | POLLERR)) != 0;
}
