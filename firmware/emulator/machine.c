#include "machine.h"

#include <simavr/sim_core.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "registers.h"

enum { WORKING_REGISTERS = 32, REGISTERS_END = 0x100 }; /* in data space; RAM begins at the latter */
enum { RUN_WITHOUT_A_LOOK = 100000 }; /* cycles that simavr may run between two looks at its timers, when none is due */

static void log_to_stderr(avr_t *avr, const int level, const char *format, va_list arguments) {
    if (level <= LOG_ERROR && (avr == NULL || avr->log >= level)) {
        vfprintf(stderr, format, arguments);
    }
}

/* In place of simavr's own run function: that sleeps in real time, one cycle too long, and lets interrupts begin in no
 * time at all, where the controller takes four cycles. */
static void run_instructions(avr_t *avr) {
    avr_flashaddr_t next = avr->pc;
    if (avr->state == cpu_Running) {
        next = avr_run_one(avr);
    }
    avr_cycle_count_t idle = avr_cycle_timer_process(avr);
    avr->pc = next;
    if (avr->run != run_instructions) {
        return; /* the watchdog has put its reset there: no time may pass before */
    }
    if (avr->state != cpu_Running && avr->state != cpu_Sleeping) {
        avr->cycle += idle; /* crashed: only time goes on */
        return;
    }
    if (avr->state == cpu_Sleeping) {
        avr->cycle += idle;
        (void)avr_cycle_timer_process(avr);
    }
    if (avr->interrupt_state != 0) {
        avr_service_interrupts(avr);
        if (avr->pc != next) {
            avr->cycle += INTERRUPT_ENTRY_CYCLES;
            (void)avr_cycle_timer_process(avr);
        }
    }
}

/* In place of the function above while the program hangs. */
static void loop_in_place(avr_t *avr) {
    avr_cycle_count_t idle = avr_cycle_timer_process(avr);
    if (avr->run == loop_in_place) {
        avr->cycle += idle;
    }
}

static avr_cycle_count_t stop_here(avr_t *avr, avr_cycle_count_t when, void *model) {
    (void)avr, (void)when, (void)model;
    return 0; /* that it is due makes simavr look up from running instructions */
}

static void write_mark(avr_t *avr, avr_io_addr_t address, uint8_t value, void *model) {
    struct machine *machine = model;
    avr->data[address] = value;
    if (machine->mark_count < MARKS_KEPT) {
        machine->marks[machine->mark_count++] = (struct mark){machine_write_cycle(avr), value};
    }
}

static void end_loop(struct machine *machine) {
    if (machine->loop.there) {
        memcpy(machine->loop.place, machine->loop.word, sizeof machine->loop.word);
    }
    machine->loop.due = machine->loop.there = false;
}

/* With interrupts on, that is not within one of them: a jump to itself takes the next instruction's place. simavr looks up
 * from running instructions whenever they are switched on. */
static void begin_loop_when_due(struct machine *machine) {
    static const uint8_t jump_here[2] = {0xFF, 0xCF};
    avr_t *avr = machine->avr;
    if (machine->loop.due && avr->sreg[S_I] && avr->state == cpu_Running) {
        machine->loop.due = false;
        machine->loop.there = true;
        machine->loop.place = avr->flash + avr->pc;
        memcpy(machine->loop.word, machine->loop.place, sizeof machine->loop.word);
        memcpy(machine->loop.place, jump_here, sizeof jump_here);
    }
}

static void tell_listeners(struct machine *machine) {
    end_loop(machine);
    machine->resets++;
    machine->avr->run = run_instructions;
    machine->avr->run_cycle_limit = RUN_WITHOUT_A_LOOK;
    for (size_t i = 0; i < machine->listener_count; i++) {
        machine->listeners[i].function(machine->listeners[i].model);
    }
    machine_timer_at(machine, machine->stop, stop_here, machine);
}

bool machine_open(struct machine *machine, const char *elf_path) {
    memset(machine, 0, sizeof *machine);
    avr_global_logger_set(log_to_stderr);
    elf_firmware_t firmware;
    if (!program_read(elf_path, &firmware)) {
        return false;
    }
    machine->avr = avr_make_mcu_by_name("atmega328p");
    if (machine->avr == NULL) {
        fprintf(stderr, "this libsimavr knows no atmega328p\n");
        return false;
    }
    avr_init(machine->avr);
    firmware.frequency = CYCLES_PER_SECOND;
    avr_load_firmware(machine->avr, &firmware);
    machine->avr->run = run_instructions;
    machine->avr->log = LOG_ERROR;
    machine->avr->data[REGISTER_MCUSR] = RESET_POWER_ON;
    machine->avr->run_cycle_limit = RUN_WITHOUT_A_LOOK;
    machine_take_write(machine, REGISTER_GPIOR0, write_mark, machine);
    return true;
}

void machine_close(struct machine *machine) {
    avr_terminate(machine->avr);
    free(machine->avr);
    machine->avr = NULL;
}

void machine_run_to(struct machine *machine, uint64_t cycle) {
    avr_t *avr = machine->avr;
    if (cycle <= avr->cycle) {
        return;
    }
    machine->stop = cycle;
    machine_timer_at(machine, cycle, stop_here, machine);
    bool crashed = machine_crashed(machine);
    while (avr->cycle < cycle) {
        begin_loop_when_due(machine);
        if (avr->run != run_instructions && avr->run != loop_in_place) { /* the watchdog has put its reset there */
            uint8_t causes = avr->data[REGISTER_MCUSR]; /* they add up until the program clears them */
            avr->run(avr);
            avr->data[REGISTER_MCUSR] |= causes;
            tell_listeners(machine);
        } else {
            avr->run(avr);
        }
        if (!crashed && machine_crashed(machine)) {
            crashed = true;
            checks_add(&machine->checks, avr->cycle, "crash", "at program address 0x%04x", (unsigned)avr->pc);
        }
    }
    avr_cycle_timer_cancel(avr, stop_here, machine);
}

static void reset_with(struct machine *machine, uint8_t causes) {
    avr_t *avr = machine->avr;
    avr_reset(avr);
    avr->data[REGISTER_MCUSR] = causes;
    machine->stop = avr->cycle;
    tell_listeners(machine);
}

void machine_reset(struct machine *machine) {
    reset_with(machine, machine->avr->data[REGISTER_MCUSR] | RESET_EXTERNAL);
}

void machine_brown_out(struct machine *machine) {
    reset_with(machine, machine->avr->data[REGISTER_MCUSR] | RESET_BROWN_OUT);
}

void machine_power_up(struct machine *machine, struct noise *chance) {
    avr_t *avr = machine->avr;
    for (unsigned place = 0; place < WORKING_REGISTERS; place++) {
        avr->data[place] = (uint8_t)noise_bits(chance);
    }
    for (unsigned place = REGISTERS_END; place <= avr->ramend; place++) {
        avr->data[place] = (uint8_t)noise_bits(chance);
    }
    reset_with(machine, RESET_POWER_ON);
}

void machine_hang(struct machine *machine) {
    if (machine->avr->run == run_instructions) { /* else the watchdog resets it in this cycle */
        machine->avr->run = loop_in_place;
    }
}

void machine_hang_running(struct machine *machine) {
    machine->loop.due = !machine->loop.there;
}

bool machine_crashed(const struct machine *machine) {
    return machine->avr->state != cpu_Running && machine->avr->state != cpu_Sleeping;
}

void machine_on_reset(struct machine *machine, after_reset function, void *model) {
    if (machine->listener_count == RESET_LISTENERS) {
        abort();
    }
    machine->listeners[machine->listener_count].function = function;
    machine->listeners[machine->listener_count].model = model;
    machine->listener_count++;
}

uint64_t machine_write_cycle(const avr_t *avr) {
    unsigned opcode = avr->flash[avr->pc] | (unsigned)avr->flash[avr->pc + 1] << 8;
    bool is_out = (opcode & 0xF800) == 0xB800;
    return avr->cycle + (is_out ? 1 : 2);
}

void machine_halt(struct machine *machine, unsigned cycles) {
    avr_t *avr = machine->avr;
    avr->cycle += cycles;
    avr_cycle_timer_cancel(avr, NULL, NULL); /* makes simavr look again how long it may run */
}

void machine_take_write(struct machine *machine, uint16_t address, avr_io_write_t handler, void *model) {
    machine->avr->io[AVR_DATA_TO_IO(address)].w.c = handler;
    machine->avr->io[AVR_DATA_TO_IO(address)].w.param = model;
}

void machine_take_read(struct machine *machine, uint16_t address, avr_io_read_t handler, void *model) {
    machine->avr->io[AVR_DATA_TO_IO(address)].r.c = handler;
    machine->avr->io[AVR_DATA_TO_IO(address)].r.param = model;
}

avr_io_t *machine_module(struct machine *machine, const char *kind) {
    for (avr_io_t *module = machine->avr->io_port; module != NULL; module = module->next) {
        if (strcmp(module->kind, kind) == 0) {
            return module;
        }
    }
    abort();
}

void machine_timer_at(struct machine *machine, uint64_t cycle, avr_cycle_timer_t timer, void *model) {
    avr_t *avr = machine->avr;
    avr_cycle_timer_register(avr, cycle > avr->cycle ? cycle - avr->cycle : 0, timer, model);
}
