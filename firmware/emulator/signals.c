#define _GNU_SOURCE /* ppoll */
#include "signals.h"

#include <signal.h>
#include <time.h>

enum { NANOSECONDS = 1000000000 };

static const int endings[] = {SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t ended;
static sigset_t while_waiting; /* blocked signals */

static void end(int signal_number) {
    (void)signal_number;
    ended = 1;
}

void signals_open(void) {
    signal(SIGPIPE, SIG_IGN);
    struct sigaction action = {.sa_handler = end};
    sigemptyset(&action.sa_mask);
    sigset_t blocked;
    sigemptyset(&blocked);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        struct sigaction before;
        sigaction(endings[i], NULL, &before);
        if (before.sa_handler == SIG_IGN) {
            continue; /* nohup, or a job in the background */
        }
        sigaction(endings[i], &action, NULL);
        sigaddset(&blocked, endings[i]);
    }
    sigprocmask(SIG_BLOCK, &blocked, &while_waiting);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        sigdelset(&while_waiting, endings[i]);
    }
}

bool signals_ended(void) { return ended; }

bool signals_look(void) {
    sigset_t pending;
    if (!ended && sigpending(&pending) == 0) {
        for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
            ended = ended || sigismember(&pending, endings[i]) == 1;
        }
    }
    return ended;
}

void signals_wait(struct pollfd *set, nfds_t count, int64_t nanoseconds) {
    for (nfds_t i = 0; i < count; i++) {
        set[i].revents = 0;
    }
    struct timespec most = {.tv_sec = nanoseconds / NANOSECONDS, .tv_nsec = nanoseconds % NANOSECONDS};
    if (ppoll(set, count, nanoseconds < 0 ? NULL : &most, &while_waiting) >= 0) {
        (void)signals_look(); /* a wait that finds a descriptor ready leaves a signal pending */
    }
}
