#include "watch.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "reset_cause.h"

/* These stand in memory that no start clears. */
#define KEPT __attribute__((section(".noinit")))
static uint8_t mcusr_at_start KEPT;
static uint8_t passed_at_start __attribute__((section(".noinit"), used));
static volatile uint32_t hang_note KEPT;

#define HANG_NOTED UINT32_C(0x48414E47)

/* Overflows of timer 0, 16.4 ms each, since the main loop was last alive; at the sixth it hangs (82 to 98 ms;
   the watchdog's 120 ms may be 108). */
#define OVERFLOWS_OF_A_HANG 6
static volatile uint8_t overflows;

void keep_reset_cause(void) __attribute__((naked, used, section(".init3")));

/* Before main, the watchdog must be stopped: after its reset it runs on, with its shortest time. Old bootloaders
   (ATmegaBOOT) do not stop it and then reset for ever: use Optiboot. Register 2 is what Optiboot passes; behind one
   that passes nothing it is what this program has left there, which is no cause (nothing else uses it: -ffixed-r2). */
void keep_reset_cause(void)
{
    __asm__ __volatile__("sts %0, r2" : : "i"(&passed_at_start) : "memory");
    mcusr_at_start = MCUSR;
    MCUSR = 0;
    wdt_disable();
    __asm__ __volatile__("clr r2\n\tdec r2");
}

uint8_t watch_reset_cause(void)
{
    uint8_t cause = reset_cause(mcusr_at_start, passed_at_start, hang_note == HANG_NOTED);

    hang_note = 0;
    return cause;
}

ISR(TIMER0_OVF_vect)
{
    overflows++;
    if (overflows == OVERFLOWS_OF_A_HANG) {
        hang_note = HANG_NOTED; /* the watchdog is about to reset */
    }
}

void watch_start(void)
{
    TCCR0A = 0;
    TCCR0B = _BV(CS02) | _BV(CS00); /* 16 MHz / 1024 */
    TIMSK0 = _BV(TOIE0);
    wdt_enable(WDTO_120MS);
}

void watch_alive(void)
{
    wdt_reset();
    overflows = 0;
    hang_note = 0; /* it only stood still for a while: no later reset is this one's */
}
