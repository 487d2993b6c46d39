/* A share without locks, as NFS without its lock daemon, for the tests: loaded before a program (LD_PRELOAD), it has
 * each lock of a part of a file below the folder UNLOCKED fail. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_unlocked(int fd)
{
    char link[64], path[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0) {
        return 0;
    }
    path[n] = 0;
    const char *folder = getenv("UNLOCKED");
    return folder != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

#define LOCKING(name) \
    int name(int fd, int command, ...) { \
        static int (*real)(int, int, ...); \
        if (!real) real = dlsym(RTLD_NEXT, #name); \
        va_list rest; \
        va_start(rest, command); \
        void *argument = va_arg(rest, void *); \
        va_end(rest); \
        if ((command == F_SETLK || command == F_SETLKW) && is_unlocked(fd)) { \
            errno = ENOLCK; \
            return -1; \
        } \
        return real(fd, command, argument); \
    }

LOCKING(fcntl)
LOCKING(fcntl64)
