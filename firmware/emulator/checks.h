/* What the firmware did wrong, as the parts on the board would see it: a list, in order of time. */
#ifndef EMULATOR_CHECKS_H
#define EMULATOR_CHECKS_H

#include <stddef.h>
#include <stdint.h>

enum { CHECKS_KEPT = 256, CHECK_TEXT = 96 };

struct check {
    uint64_t cycle;
    const char *name; /* one word, see README.md */
    char detail[CHECK_TEXT];
};

struct checks {
    struct check kept[CHECKS_KEPT];
    size_t count;    /* kept, at most CHECKS_KEPT */
    uint64_t beyond; /* that came when the list was full */
};

/* Forgets all of them. */
void checks_clear(struct checks *checks);

/* Adds one in that cycle, its detail as by printf. */
void checks_add(struct checks *checks, uint64_t cycle, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
