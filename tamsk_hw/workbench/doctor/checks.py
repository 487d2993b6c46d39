"""The judgements of ``tamsk-hw doctor``: pure functions from what was found out to lines with what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from tamsk_hw.board.protocol.messages import PROTOCOL_MAJOR, PROTOCOL_MINOR, FaultFlag
from tamsk_hw.board.sensing.faults import REFERENCE_READINGS
from tamsk_hw.panel.pins import PinFactory
from tamsk_hw.words.board import FLAG_WORDS, reset_remedy, reset_words
from tamsk_hw.workbench.doctor.facts import Facts

#: Snapshots that a board at rest sends in a second: one every 50 ms (PROTOCOL.md section 4).
REST_RATE: Final = 20.0

#: A controller's resonator may be off by 0.5 %; beyond this share it is another one, or the host is overloaded.
CLOCK_ERROR: Final = 0.01

#: Bytes that should be free for the journal, and below which it will soon stop. A game takes some 50 KiB.
ENOUGH_FREE, LEAST_FREE = 100 * 2**20, 5 * 2**20

#: Seconds after which a calibration should be looked at anew: magnets age and tables move.
OLD_CALIBRATION: Final = 730 * 86400.0

#: No computer that runs this has an earlier year, unless its clock was never set.
FIRST_YEAR: Final = 2024


class Verdict(Enum):
    """How a check ended."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """A line of the doctor's: what was looked at, how it is, in words, and what to do."""

    subject: str
    verdict: Verdict
    words: str
    advice: str = ""


def _ok(subject: str, words: str) -> Finding:
    return Finding(subject, Verdict.OK, words)


def _warning(subject: str, words: str, advice: str) -> Finding:
    return Finding(subject, Verdict.WARNING, words, advice)


def _problem(subject: str, words: str, advice: str) -> Finding:
    return Finding(subject, Verdict.PROBLEM, words, advice)


def check_configuration(facts: Facts) -> Iterator[Finding]:
    """The configuration can be read; the lights that it names can work here."""
    name = "configuration"
    if facts.refusal is not None:
        yield _problem(name, facts.refusal, "correct it; tamsk-hw config check tells the same")
        return
    yield _ok(name, facts.configuration.origin)
    for words in facts.advice:
        what, _, advice = words.rpartition(": ")
        yield _warning("lights", what or words, advice)


def check_port(facts: Facts) -> Iterator[Finding]:
    """The port is there, may be used, and is free."""
    port = facts.port
    if port is None:
        if facts.refusal is None:
            words = "no board is configured; tamsk-hw run plays on the simulated one"
            yield _warning("port", words, "set board.port to the board's line (ls /dev/serial/by-id)")
        return
    if not port.exists:
        yield _problem("port", f"{port.path} is not there", "plug in the board, or correct board.port")
    elif not port.is_line:
        yield _problem("port", f"{port.path} is no serial line", "correct board.port")
    elif not port.may_use:
        words = f"user {port.user} may not use {port.path}, which belongs to the group {port.group}"
        if not port.group_may or port.group == "root":
            advice = "install the udev rule that comes with the program: it gives the port to a group for users"
        elif port.in_group:
            advice = "look at the port's owner and mode (ls -lL)"
        else:
            advice = f"sudo usermod -aG {port.group} {port.user}, and log in anew"
        yield _problem("port", words, advice)
    elif port.holders:
        words = f"{port.path} is in use by {', '.join(port.holders)}"
        if all("tamsk-hw" in holder for holder in port.holders):
            advice = "to look at the link end it first (the service: sudo systemctl stop tamsk-hw)"
            yield _warning("port", words, advice)
        else:
            yield _problem("port", words, "end that program")
    else:
        group = f", group {port.group}" if port.group else ""
        yield _ok("port", f"{port.path}{group}")


def check_pins(facts: Facts) -> Iterator[Finding]:
    """Buttons and buzzer can be reached."""
    pins = facts.pins
    if pins is None:
        return
    name = f"pin factory {pins.factory.value}"
    if not pins.needed:
        yield _ok(name, "not used: buttons and buzzer are switched off")
    elif pins.problem is not None:
        what, _, advice = pins.problem.rpartition(": ")
        # Elsewhere than on a Pi there are no pins to be wrong: the referee plays without them.
        judge = _problem if pins.computer.is_pi else _warning
        yield judge(name, what or pins.problem, advice if what else "switch buttons and buzzer off, or mend it")
    elif pins.factory is PinFactory.MOCK:
        yield _warning(name, "moves no pin: buttons and buzzer do nothing", 'use "lgpio" on a Raspberry Pi')
    else:
        yield _ok(name, pins.computer.model)


def check_link(facts: Facts) -> Iterator[Finding]:
    """The board answers, and what it sends arrives whole and at its pace."""
    link = facts.link
    if link is None:
        return
    statistics = link.statistics
    if link.unreachable is not None:
        what, _, advice = link.unreachable.rpartition(": ")
        yield _problem("link", what or link.unreachable, advice)
    elif link.refused is not None:
        what, _, advice = link.refused.rpartition(": ")
        yield _problem("link", what or link.refused, advice)
    elif link.connected_after is None:
        if statistics.received_bytes == 0:
            words = f"the board says nothing for {link.waited:g} s"
            advice = "check its supply and cable; a new board needs its program (tamsk-hw flash)"
        elif statistics.frames == 0:
            words = f"{statistics.received_bytes} bytes came in {link.waited:g} s, and no frame among them"
            advice = (
                "it may be another device, or need its program (tamsk-hw flash): correct board.port, or flash it"
            )
        else:
            words = (
                f"frames come, but no HELLO within {link.waited:g} s: what is sent to the board does not arrive"
            )
            advice = "check the cable, and flash the board (tamsk-hw flash)"
        yield _problem("link", words, advice)
    else:
        yield _ok("link", f"connected after {link.connected_after:.1f} s")
        yield from _check_traffic(facts)


def _check_traffic(facts: Facts) -> Iterator[Finding]:
    link = facts.link
    if link is None:
        return
    statistics = link.statistics
    # What was on its way when the port was opened has lost its beginning.
    damaged = max(0, statistics.crc_errors + statistics.malformed - statistics.opens)
    words = f"{statistics.frames} frames, {damaged} damaged, {statistics.missing} missing"
    if damaged or statistics.missing:
        yield _warning("traffic", words, "use a shorter or better cable, and no hub; look with tamsk-hw frames")
    elif link.snapshots < 0.75 * REST_RATE * link.listened:
        words = f"{link.snapshots} snapshots in {link.listened:g} s; a board at rest sends {REST_RATE:g} a second"
        yield _warning(
            "traffic", words, "see whether this computer is overloaded (top), and look with tamsk-hw frames"
        )
    else:
        yield _ok("traffic", f"{words}, {link.snapshots} snapshots in {link.listened:g} s")
    if abs(statistics.clock_error) > CLOCK_ERROR:
        words = f"the controller's clock is {100 * statistics.clock_error:+.1f} % off"
        yield _warning("traffic", words, "its crystal is not the 16 MHz one, or this computer is overloaded")


def check_board(facts: Facts) -> Iterator[Finding]:
    """What the board itself complains of, and its reference voltages."""
    link = facts.link
    if link is None or link.snapshot is None:
        return
    found = False
    for flag, (words, advice) in FLAG_WORDS.items():
        if link.faults & flag:
            found = True
            judge = _problem if flag is FaultFlag.SUPPLY_LOW else _warning
            yield judge("board", words, advice)
    margin = facts.configuration.sensing.reference_margin
    off = [
        f"{place + 1}/4 reads {reading}, not {expected}"
        for place, (reading, expected) in enumerate(zip(link.snapshot.references, REFERENCE_READINGS, strict=True))
        if abs(reading - expected) > margin
    ]
    if off:
        yield _problem("board", f"references: {', '.join(off)}", "check the multiplexers and their select lines")
    elif not found:
        yield _ok("board", "no fault flags, references as they should be")


def check_versions(facts: Facts) -> Iterator[Finding]:
    """Program and board belong together."""
    ours = f"program {facts.program}, protocol {PROTOCOL_MAJOR}.{PROTOCOL_MINOR}"
    if facts.wiring_hash is not None:
        ours += f", wiring {facts.wiring_hash:08x}"
    hello = None if facts.link is None else facts.link.hello
    if hello is None:
        yield _ok("versions", ours if facts.port is None else f"{ours}; the board did not tell its own")
        return
    theirs = (
        f"board {hello.board_id:08x}: firmware {'.'.join(map(str, hello.firmware))}, "
        f"protocol {'.'.join(map(str, hello.protocol))}, wiring {hello.wiring_hash:08x}"
    )
    words = f"{ours}; {theirs}"
    wanted = facts.configuration.board.board_id
    if hello.protocol[0] != PROTOCOL_MAJOR:
        yield _problem("versions", words, "flash the firmware that belongs to this program (tamsk-hw flash)")
    elif hello.wiring_hash != facts.wiring_hash:
        yield _problem(
            "versions", words, "flash the firmware built from this map, or name the board's in board.wiring"
        )
    elif wanted is not None and hello.board_id != wanted:
        advice = f"board.board_id asks for board {wanted:08x}: connect that one, or correct it"
        yield _problem("versions", words, advice)
    else:
        yield _ok("versions", words)
    cause = hello.reset_cause
    last = f"last reset: {reset_words(cause)}"
    remedy = reset_remedy(cause)
    if remedy is not None:
        yield _warning("reset", last, remedy)
    else:
        yield _ok("reset", last)


def check_calibration(facts: Facts) -> Iterator[Finding]:
    """The board was measured, not too long ago."""
    known = facts.calibration
    if known is None:
        return
    path = facts.configuration.calibration_file
    calibrate = "tamsk-hw calibrate sensors"
    if known.problem is not None:
        yield _problem("calibration", f"{path} {known.problem}", f"correct it, or make it anew: {calibrate}")
    elif known.modified is None:
        words = f"{path} is not there; the reference build's values are used"
        yield _warning("calibration", words, calibrate)
    elif known.unmeasured:
        names = " ".join(known.unmeasured[:8]) + " …" * (len(known.unmeasured) > 8)
        yield _warning("calibration", f"{path}: not calibrated are {names}", calibrate)
    else:
        age = max(0.0, facts.now - known.modified)
        words = f"{path}, {_age(age)} old"
        if age > OLD_CALIBRATION:
            yield _warning("calibration", words, f"{calibrate}, if glasses are not felt well")
        else:
            yield _ok("calibration", words)


def _age(seconds: float) -> str:
    days = int(seconds // 86400)
    return f"{days} day{'s' * (days != 1)}" if days else "less than a day"


def check_disk(facts: Facts) -> Iterator[Finding]:
    """Games can be saved."""
    disk = facts.disk
    if not disk.is_folder:
        yield _problem("disk", f"{disk.nearest} is no folder: games are not saved", "correct journal.folder")
        return
    if not disk.writable:
        words = f"this user may not write in {disk.nearest}: games are not saved"
        yield _problem("disk", words, "correct its owner, or journal.folder; or the disk is read-only")
        return
    if disk.free is None:
        yield _warning(
            "disk", f"{disk.nearest} does not say how much is free", "see whether its disk answers (df)"
        )
        return
    words = f"{disk.folder}: {_size(disk.free)} free"
    if disk.free < LEAST_FREE:
        yield _problem("disk", words, "make room: games will not be saved")
    elif disk.free < ENOUGH_FREE:
        yield _warning("disk", words, "make room soon")
    else:
        yield _ok("disk", words)


def _size(amount: int) -> str:
    return f"{amount / 2**30:.1f} GiB" if amount >= 2**30 else f"{amount / 2**20:.1f} MiB"


def check_clock(facts: Facts) -> Iterator[Finding]:
    """The computer's clocks go forward; the time of day is right, for the games' dates."""
    clock = facts.clock
    if clock.backward > 0:
        words = f"the monotonic clock went back by {clock.backward:g} s"
        yield _problem("clock", words, "this computer cannot time a game: update its system")
    elif clock.year < FIRST_YEAR:
        words = f"the time of day is in {clock.year}: games get wrong dates"
        yield _warning("clock", words, "set it (sudo timedatectl set-ntp true, or set-time)")
    elif clock.synchronised is False:
        words = "the time of day is not set by the network: games may get wrong dates; their times are right"
        yield _warning("clock", words, "sudo timedatectl set-ntp true")
    elif clock.synchronised is None:
        yield _ok("clock", "goes forward; nobody says whether the time of day is set by the network")
    else:
        yield _ok("clock", "goes forward; the time of day is set by the network")


#: The checks in the order in which they are shown: what others rest on comes first.
CHECKS: Final[tuple[Callable[[Facts], Iterator[Finding]], ...]] = (
    check_configuration,
    check_port,
    check_pins,
    check_link,
    check_versions,
    check_board,
    check_calibration,
    check_disk,
    check_clock,
)


def examine(facts: Facts) -> list[Finding]:
    """All findings."""
    return [finding for check in CHECKS for finding in check(facts)]
