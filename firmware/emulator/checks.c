#include "checks.h"

#include <stdarg.h>
#include <stdio.h>

void checks_clear(struct checks *checks) {
    checks->count = 0;
    checks->beyond = 0;
}

void checks_add(struct checks *checks, uint64_t cycle, const char *name, const char *format, ...) {
    if (checks->count == CHECKS_KEPT) {
        checks->beyond++;
        return;
    }
    struct check *check = &checks->kept[checks->count++];
    check->cycle = cycle;
    check->name = name;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->detail, sizeof check->detail, format, arguments);
    va_end(arguments);
}
