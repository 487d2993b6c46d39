/* SIGINT, SIGTERM and SIGHUP ask the emulator to end; they are heard where it waits and where it looks. */
#ifndef EMULATOR_SIGNALS_H
#define EMULATOR_SIGNALS_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

/* From now on the three are heard instead of ending the process. */
void signals_open(void);

/* Whether the emulator was asked to end, as far as it has waited or looked since. */
bool signals_ended(void);

/* Looks, for who does not wait; then as above. */
bool signals_look(void);

/* Waits for one of the descriptors, as ppoll, for so many nanoseconds at most (-1: for ever), or for a signal. */
void signals_wait(struct pollfd *set, nfds_t count, int64_t nanoseconds);

#endif
