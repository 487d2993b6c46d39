/* simavr's own UART sends eleven bits a byte and has no second buffer; everything is done here but the interrupts. */
#include "uart.h"

#include <simavr/sim_interrupts.h>
#include <string.h>

#include "registers.h"

enum { STOP_BIT = 8 }; /* behind a byte's eight bits */

static uint8_t *flags(struct uart *uart) { return &uart->machine->avr->data[REGISTER_UCSR0A]; }

static bool enabled(struct uart *uart, uint8_t bit) { return (uart->machine->avr->data[REGISTER_UCSR0B] & bit) != 0; }

/* Cycles of one bit at the programmed speed. */
static uint64_t bit_cycles(struct uart *uart) {
    const uint8_t *data = uart->machine->avr->data;
    uint64_t divisor = (data[REGISTER_UBRR0L] | (uint64_t)(data[REGISTER_UBRR0H] & 0x0F) << 8) + 1;
    return divisor * ((data[REGISTER_UCSR0A] & UCSRA_U2X) ? 8 : 16);
}

/* RXC and UDRE ask for their interrupts as long as they are set. */
static void set_level(struct uart *uart, avr_int_vector_t *vector, bool high) {
    avr_t *avr = uart->machine->avr;
    if (high) {
        avr_regbit_set(avr, vector->raised);
        if (avr_regbit_get(avr, vector->enable)) {
            avr_raise_interrupt(avr, vector);
        }
    } else {
        avr_clear_interrupt(avr, vector);
        avr_regbit_clear(avr, vector->raised);
    }
}

static void interrupt_ended(avr_irq_t *irq, uint32_t running, void *model) {
    struct uart *uart = model;
    (void)irq;
    if (running == 0) {
        uint8_t now = *flags(uart);
        if (now & UCSRA_RXC) {
            set_level(uart, &uart->module->rxc, true);
        }
        if (now & UCSRA_UDRE) {
            set_level(uart, &uart->module->udrc, true);
        }
    }
}

/* ---- to the host ---- */

static avr_cycle_count_t byte_sent(avr_t *avr, avr_cycle_count_t when, void *model) {
    struct uart *uart = model;
    uart->output(uart->receiver, when, uart->shifted);
    if (!uart->waiting) {
        uart->shifting = false;
        avr_raise_interrupt(avr, &uart->module->txc);
        return 0;
    }
    uart->shifted = uart->buffered;
    uart->waiting = false;
    set_level(uart, &uart->module->udrc, true);
    return when + UART_LINE_BITS * bit_cycles(uart);
}

static void write_data(avr_t *avr, avr_io_addr_t address, uint8_t value, void *model) {
    struct uart *uart = model;
    (void)address;
    if (!enabled(uart, UCSRB_TXEN)) {
        checks_add(&uart->machine->checks, avr->cycle, "uart_lost", "byte 0x%02x written while the sender is off", value);
    } else if (!uart->shifting) {
        uint64_t start = machine_write_cycle(avr);
        uart->shifting = true;
        uart->shifted = value;
        set_level(uart, &uart->module->udrc, true);
        machine_timer_at(uart->machine, start + UART_LINE_BITS * bit_cycles(uart), byte_sent, uart);
    } else if (!uart->waiting) {
        uart->waiting = true;
        uart->buffered = value;
        set_level(uart, &uart->module->udrc, false);
    } else {
        checks_add(&uart->machine->checks, avr->cycle, "uart_lost", "byte 0x%02x written while UDRE was 0", value);
    }
}

/* ---- from the host ---- */

static avr_cycle_count_t line_is_free(avr_t *avr, avr_cycle_count_t when, void *model);

static void make_room(struct uart *uart, uint64_t start) {
    if (uart->received_count == 3) { /* the byte in the shift register gives way to the new one */
        uart->received_count = 2;
        *flags(uart) |= UCSRA_DOR;
        checks_add(&uart->machine->checks, start, "uart_overrun", "the firmware did not fetch a byte in time");
    }
}

static void start_byte(struct uart *uart, uint64_t start) {
    make_room(uart, start);
    uart->receiving = true;
    uart->line_free = start + UART_LINE_BITS * HOST_BIT_CYCLES;
    /* a stop bit is judged at its middle */
    machine_timer_at(uart->machine, uart->line_free - HOST_BIT_CYCLES / 2, line_is_free, uart);
}

/* Which bits of a byte that began at `start` the receiver finds low, its stop bit being the ninth: it looks at each in
 * its middle. */
static uint16_t bits_between(uint64_t start, uint64_t begin, uint64_t end) {
    uint16_t bits = 0;
    for (unsigned bit = 0; bit <= STOP_BIT; bit++) {
        uint64_t middle = start + (bit + 1) * HOST_BIT_CYCLES + HOST_BIT_CYCLES / 2;
        bits |= (uint16_t)((middle >= begin && middle < end) << bit);
    }
    return bits;
}

static uint16_t with_low_bits(uint8_t byte, uint16_t low) {
    return (uint16_t)((byte & ~low & 0xFF) | ((low >> STOP_BIT & 1) ? UCSRA_FE << 8 : 0));
}

static uint8_t next_byte(struct uart *uart) {
    uint8_t byte = uart->queue[uart->queue_begin];
    uart->queue_begin = (uart->queue_begin + 1) % UART_QUEUE;
    uart->queue_length--;
    if (uart->damaged > 0) {
        uart->damaged--;
        byte ^= (uint8_t)(1 << (noise_bits(&uart->chance) >> 61));
    }
    return byte;
}

static void byte_arrived(struct uart *uart, uint64_t when, uint16_t data) {
    if (!enabled(uart, UCSRB_RXEN)) {
        return; /* as on the board: nobody listens */
    }
    /* beyond 2 % the samples of the last bits fall into the next ones */
    uint64_t here = bit_cycles(uart) * 50;
    if (here > HOST_BIT_CYCLES * 51 || here < HOST_BIT_CYCLES * 49) {
        checks_add(&uart->machine->checks, when, "uart_baud", "a bit is %u cycles, the host's is %d",
                   (unsigned)bit_cycles(uart), HOST_BIT_CYCLES);
        data |= UCSRA_FE << 8;
    }
    uart->received[uart->received_count++] = data;
    set_level(uart, &uart->module->rxc, true);
}

static avr_cycle_count_t line_is_free(avr_t *avr, avr_cycle_count_t when, void *model) {
    struct uart *uart = model;
    (void)avr;
    if (uart->receiving) {
        uart->receiving = false;
        byte_arrived(uart, when, with_low_bits(next_byte(uart), uart->held_low));
        uart->held_low = 0;
        return uart->line_free;
    }
    if (uart->queue_length > 0 && when < uart->line_mended) {
        (void)next_byte(uart);
        uart->line_free = when + UART_LINE_BITS * HOST_BIT_CYCLES;
        return uart->line_free;
    }
    if (uart->queue_length > 0) {
        start_byte(uart, when);
    }
    return 0;
}

bool uart_send(struct uart *uart, const uint8_t *bytes, size_t length) {
    if (length > UART_QUEUE - uart->queue_length) {
        return false;
    }
    bool idle = uart->queue_length == 0;
    for (size_t i = 0; i < length; i++) {
        uart->queue[(uart->queue_begin + uart->queue_length++) % UART_QUEUE] = bytes[i];
    }
    uint64_t now = uart->machine->avr->cycle;
    if (idle && length > 0 && now >= uart->line_free) {
        if (now < uart->line_mended) {
            (void)next_byte(uart);
            uart->line_free = now + UART_LINE_BITS * HOST_BIT_CYCLES;
            machine_timer_at(uart->machine, uart->line_free, line_is_free, uart);
        } else {
            start_byte(uart, now);
        }
    } /* otherwise the timer at the end of the byte on the line finds them */
    return true;
}

void uart_damage(struct uart *uart, uint64_t bytes) { uart->damaged = bytes; }

static avr_cycle_count_t break_heard(avr_t *avr, avr_cycle_count_t when, void *model) {
    struct uart *uart = model;
    (void)avr;
    byte_arrived(uart, when, uart->broken);
    return 0;
}

bool uart_break(struct uart *uart, uint64_t cycles) {
    uint64_t now = uart->machine->avr->cycle, byte = UART_LINE_BITS * HOST_BIT_CYCLES;
    if (now < uart->line_mended) {
        return false;
    }
    uart->line_mended = now + cycles;
    if (uart->receiving) {
        uart->held_low |= bits_between(uart->line_free - byte, now, now + cycles);
    } else if (cycles > HOST_BIT_CYCLES / 2) { /* a start bit */
        make_room(uart, now);
        uart->broken = with_low_bits(0xFF, bits_between(now, now, now + cycles));
        uart->line_mended = now + (cycles > byte ? cycles : byte);
        machine_timer_at(uart->machine, now + byte - HOST_BIT_CYCLES / 2, break_heard, uart);
    }
    return true;
}

static uint8_t read_data(avr_t *avr, avr_io_addr_t address, void *model) {
    struct uart *uart = model;
    (void)avr;
    if (uart->received_count == 0) {
        return uart->machine->avr->data[address];
    }
    uint8_t data = (uint8_t)uart->received[0];
    memmove(uart->received, uart->received + 1, sizeof uart->received - sizeof uart->received[0]);
    uart->received_count--;
    *flags(uart) &= (uint8_t)~UCSRA_DOR;
    if (uart->received_count == 0) {
        set_level(uart, &uart->module->rxc, false);
    }
    return data;
}

/* ---- registers and reset ---- */

static uint8_t read_flags(avr_t *avr, avr_io_addr_t address, void *model) {
    struct uart *uart = model;
    uint8_t value = avr->data[address] & (uint8_t)~UCSRA_FE;
    if (uart->received_count > 0 && (uart->received[0] >> 8 & UCSRA_FE)) {
        value |= UCSRA_FE;
    }
    return value;
}

static void write_flags(avr_t *avr, avr_io_addr_t address, uint8_t value, void *model) {
    struct uart *uart = model;
    uint8_t kept = avr->data[address] & (uint8_t)~(UCSRA_U2X | 0x01);
    avr->data[address] = kept | (value & (UCSRA_U2X | 0x01));
    if (value & UCSRA_TXC) { /* cleared by writing a one */
        avr_clear_interrupt(avr, &uart->module->txc);
        avr->data[address] &= (uint8_t)~UCSRA_TXC;
    }
}

static void write_control(avr_t *avr, avr_io_addr_t address, uint8_t value, void *model) {
    struct uart *uart = model;
    avr->data[address] = value;
    if (!(value & UCSRB_RXEN)) {
        uart->received_count = 0;
        set_level(uart, &uart->module->rxc, false);
    }
    set_level(uart, &uart->module->udrc, (*flags(uart) & UCSRA_UDRE) != 0);
    set_level(uart, &uart->module->rxc, (*flags(uart) & UCSRA_RXC) != 0);
}

static void write_plain(avr_t *avr, avr_io_addr_t address, uint8_t value, void *model) {
    (void)model;
    avr->data[address] = value;
}

static void uart_was_reset(void *model) {
    struct uart *uart = model;
    avr_t *avr = uart->machine->avr;
    uart->shifting = uart->waiting = false;
    uart->received_count = 0;
    avr->data[REGISTER_UCSR0A] = UCSRA_UDRE;
    avr->data[REGISTER_UCSR0B] = 0;
    avr->data[REGISTER_UCSR0C] = 0x06;
    if (uart->receiving) { /* the host knows nothing of the reset and sends on */
        machine_timer_at(uart->machine, uart->line_free - HOST_BIT_CYCLES / 2, line_is_free, uart);
    } else if (uart->queue_length > 0 || uart->line_free > avr->cycle) {
        machine_timer_at(uart->machine, uart->line_free, line_is_free, uart);
    }
}

void uart_open(struct uart *uart, struct machine *machine, uart_output output, void *receiver) {
    memset(uart, 0, sizeof *uart);
    uart->machine = machine;
    uart->module = (avr_uart_t *)machine_module(machine, "uart");
    uart->output = output;
    uart->receiver = receiver;
    machine_take_write(machine, REGISTER_UDR0, write_data, uart);
    machine_take_read(machine, REGISTER_UDR0, read_data, uart);
    machine_take_write(machine, REGISTER_UCSR0A, write_flags, uart);
    machine_take_read(machine, REGISTER_UCSR0A, read_flags, uart);
    machine_take_write(machine, REGISTER_UCSR0B, write_control, uart);
    machine_take_write(machine, REGISTER_UCSR0C, write_plain, uart);
    machine_take_write(machine, REGISTER_UBRR0L, write_plain, uart);
    machine_take_write(machine, REGISTER_UBRR0H, write_plain, uart);
    avr_irq_register_notify(uart->module->rxc.irq + AVR_INT_IRQ_RUNNING, interrupt_ended, uart);
    avr_irq_register_notify(uart->module->txc.irq + AVR_INT_IRQ_RUNNING, interrupt_ended, uart);
    avr_irq_register_notify(uart->module->udrc.irq + AVR_INT_IRQ_RUNNING, interrupt_ended, uart);
    machine_on_reset(machine, uart_was_reset, uart);
    uart_was_reset(uart);
}
