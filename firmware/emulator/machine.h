/* The emulated ATmega328P and its clock. Emulated time is counted in cycles of 16 MHz (62.5 ns) and moves only in
 * machine_run_to. */
#ifndef EMULATOR_MACHINE_H
#define EMULATOR_MACHINE_H

#include <simavr/sim_avr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "checks.h"
#include "noise.h"

enum {
    CYCLES_PER_SECOND = 16000000,
    CYCLES_PER_MICROSECOND = 16,
    INTERRUPT_ENTRY_CYCLES = 4,
    RESET_LISTENERS = 8,
    MARKS_KEPT = 4096,
};

/* Called after each reset, watchdog's included. simavr deletes every cycle timer when it resets: what must go on
 * outside the controller (a byte on the line, a converting load cell) registers its timer again here. */
typedef void (*after_reset)(void *model);

/* A byte written to GPIOR0, a register without a pin: how a program says "here" to its test, in one cycle. */
struct mark {
    uint64_t cycle;
    uint8_t value;
};

struct machine {
    avr_t *avr;
    struct checks checks;
    uint64_t stop;
    unsigned resets;
    struct {
        after_reset function;
        void *model;
    } listeners[RESET_LISTENERS];
    size_t listener_count;
    struct mark marks[MARKS_KEPT];
    size_t mark_count;
    struct {
        bool due;        /* as soon as interrupts are on */
        bool there;
        uint8_t *place;  /* of the instruction in whose place it loops */
        uint8_t word[2]; /* of that instruction */
    } loop; /* of a program that hangs with its interrupts on */
};

/* Loads the ELF and leaves the controller as after power on, at cycle 0. False, with a line on stderr, when it cannot. */
bool machine_open(struct machine *machine, const char *elf_path);

void machine_close(struct machine *machine);

/* Runs until the cycle, and beyond it only for the rest of an instruction (at most 3 cycles; 5 when it makes the EEPROM
 * read) or of an interrupt's entry (4). Does nothing when the cycle is past. */
void machine_run_to(struct machine *machine, uint64_t cycle);

/* Pulls the reset pin for an instant. RAM and EEPROM keep what they held. */
void machine_reset(struct machine *machine);

/* The supply falls below the brown-out detector's limit for an instant, and not so far that RAM forgets. */
void machine_brown_out(struct machine *machine);

/* Power off and on: RAM and the working registers hold whatever `chance` gives, MCUSR power on alone. */
void machine_power_up(struct machine *machine, struct noise *chance);

/* From now on the program loops in place, interrupts off, until a reset. */
void machine_hang(struct machine *machine);

/* The same with interrupts on, from now or from the end of what has them off; nothing where the program sleeps. */
void machine_hang_running(struct machine *machine);

/* Whether the program went where no program is; time then passes without it until a reset. */
bool machine_crashed(const struct machine *machine);

/* Calls the function with the model after each reset from now on; RESET_LISTENERS at most. */
void machine_on_reset(struct machine *machine, after_reset function, void *model);

/* The cycle in which what the running instruction writes holds: OUT takes one cycle; STS, ST, SBI and CBI take two. For
 * use in write handlers, where avr->cycle is still the instruction's first. */
uint64_t machine_write_cycle(const avr_t *avr);

/* The processor stands still for so many cycles after the running instruction; everything else goes on. */
void machine_halt(struct machine *machine, unsigned cycles);

/* Take a register over from simavr's own model of it. */
void machine_take_write(struct machine *machine, uint16_t address, avr_io_write_t handler, void *model);
void machine_take_read(struct machine *machine, uint16_t address, avr_io_read_t handler, void *model);

/* simavr's module of that kind ("uart", "spi", "adc"): models use its interrupt vectors. */
avr_io_t *machine_module(struct machine *machine, const char *kind);

/* A cycle timer at a cycle, not after one as simavr has it; at once when the cycle is past. */
void machine_timer_at(struct machine *machine, uint64_t cycle, avr_cycle_timer_t timer, void *model);

#endif
