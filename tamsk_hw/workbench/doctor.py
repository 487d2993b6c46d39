"""``tamsk-hw doctor``: the judgements on configuration, computer and board, each a function of plain data."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from rich.console import Console

from tamsk_hw import __version__
from tamsk_hw.board.calibration import KnownCalibration
from tamsk_hw.board.link_events import NoAnswer
from tamsk_hw.board.protocol import PROTOCOL_MAJOR, PROTOCOL_MINOR, FaultFlag, Hello
from tamsk_hw.board.session import DOUBLED_BAD
from tamsk_hw.board.timeline import REFERENCE_READINGS
from tamsk_hw.configuration import Places
from tamsk_hw.errors import Finding
from tamsk_hw.panel.hardware import PinFactory
from tamsk_hw.words.hardware import flag_words, link_advice, link_cause, reset_remedy, reset_words
from tamsk_hw.workbench.findings import OK, PROBLEM, WARNING, print_findings
from tamsk_hw.workbench.gathering import (
    ClockFacts,
    DiskFacts,
    Facts,
    LinkFacts,
    PinFacts,
    PortFacts,
    Surroundings,
    gather,
)

#: Snapshots that a board at rest sends in a second: one every 50 ms (PROTOCOL.md section 4).
REST_RATE: Final = 20.0

#: A controller's resonator may be off by 0.5 %; beyond this share it is another one, or the host is overloaded.
CLOCK_ERROR: Final = 0.01

#: Bytes that should be free for the journal, and below which it will soon stop. A game takes some 50 KiB.
ENOUGH_FREE, LEAST_FREE = 100 * 2**20, 5 * 2**20

#: Seconds after which a calibration should be checked: magnets age and tables move.
OLD_CALIBRATION: Final = 730 * 86400.0

#: No computer that runs this has an earlier year, unless its clock was never set.
FIRST_YEAR: Final = 2024

_CALIBRATE: Final = "tamsk-hw calibrate sensors"


def show_doctor(config: Path | None) -> int:
    """Print all findings; the program's exit status: 0 without problems, 1 with some."""
    return print_findings(examine(gather(config, Places.of(os.environ), Surroundings())), Console())


def examine(facts: Facts) -> list[Finding]:
    """All findings; what others rest on comes first."""
    configuration, link = facts.configuration, facts.link
    asked, wanted = facts.port is not None, configuration.board.board_id
    found = check_configuration(facts)
    if facts.port is not None or facts.refusal is None:
        found.append(check_port(facts.port))
    if facts.pins is not None:
        found.append(check_pins(facts.pins))
    if link is not None:
        found += check_link(link)
    hello = None if link is None else link.hello
    found += check_versions(hello, facts.wiring_hash, asked=asked, wanted=wanted)
    if link is not None:
        found += check_board(link, configuration.sensing.reference_margin)
    if facts.calibration is not None:
        found.append(check_calibration(facts.calibration, configuration.calibration_file, facts.now))
    return [*found, check_disk(facts.disk), check_clock(facts.clock)]


def check_configuration(facts: Facts) -> list[Finding]:
    """The configuration can be read; the lights and the places that it names can be used here."""
    if facts.refusal is not None:
        advice = "correct it; tamsk-hw config check says the same"
        return [Finding(PROBLEM, "configuration", str(facts.refusal), advice)]
    return [Finding(OK, "configuration", facts.configuration.origin), *facts.warnings]


def check_port(port: PortFacts | None) -> Finding:
    """The port is there, may be used, and is free."""
    severity = PROBLEM
    if port is None:
        severity, cause = WARNING, "no board is configured; tamsk-hw run plays on the simulated one"
        advice = "set board.port to the board's line (ls /dev/serial/by-id)"
    elif not port.exists:
        cause, advice = f"{port.path} is not there", "plug in the board, or correct board.port"
    elif not port.is_line:
        cause, advice = f"{port.path} is no serial line", "correct board.port"
    elif not port.may_use:
        cause = f"user {port.user} may not use {port.path}, which belongs to the group {port.group}"
        if not port.group_may or port.group == "root":
            advice = "install the udev rule that comes with the program: it gives the port to a group for users"
        elif port.in_group:
            advice = "look at the port's owner and mode (ls -lL)"
        else:
            advice = f"sudo usermod -aG {port.group} {port.user}, and log in again"
    elif port.holders:
        cause, advice = f"{port.path} is in use by {program_words(port.holders)}", "end that program"
        if set(port.holders.values()) == {"tamsk-hw"}:
            severity = WARNING
            advice = "to look at the link end it first (the service: sudo systemctl stop tamsk-hw)"
    else:
        severity, cause, advice = OK, port.path + (f", group {port.group}" if port.group else ""), ""
    return Finding(severity, "port", cause, advice)


def program_words(holders: Mapping[int, str]) -> str:
    """Running programs, so that they can be ended."""
    return ", ".join(f"{name or 'a program'} (process {process})" for process, name in holders.items())


def check_pins(pins: PinFacts) -> Finding:
    """Buttons and buzzer can be reached."""
    is_simulated = pins.factory is PinFactory.SIMULATE
    subject = "simulated panel" if is_simulated else f"pin factory {pins.factory.value}"
    if not pins.needed:
        return Finding(OK, subject, "not used: buttons and buzzer are switched off")
    if pins.problem is not None:
        # Elsewhere than on a Pi there are no pins to be wrong: the referee plays without them.
        return Finding(PROBLEM if pins.computer.is_pi or is_simulated else WARNING, subject, *pins.problem)
    if pins.factory is PinFactory.MOCK:
        cause = "moves no pin: buttons and buzzer do nothing"
        return Finding(WARNING, subject, cause, 'use "lgpio" on a Raspberry Pi')
    return Finding(OK, subject, "the simulated board answers" if is_simulated else pins.computer.model)


def check_link(link: LinkFacts) -> list[Finding]:
    """The board answers, and what it sends arrives whole and at its pace."""
    statistics, before = link.statistics, link.before
    problem = link.problem
    if problem is None and link.connected_after is None:
        problem = NoAnswer(link.waited, statistics.received_bytes, statistics.heard)
    if problem is not None:
        return [Finding(PROBLEM, "link", link_cause(problem), link_advice(problem) or "")]
    found = [Finding(OK, "link", f"connected after {link.connected_after or 0.0:.1f} s")]
    frames, damaged = statistics.frames - before.frames, statistics.damaged - before.damaged
    missing, doubled = statistics.missing - before.missing, statistics.doubled - before.doubled
    counted = f"{frames} frames, {damaged} damaged, {missing} missing" + f", {doubled} doubled" * bool(doubled)
    snapshots = f"{link.snapshots} snapshots in {link.listened:g} s"
    if damaged or missing or doubled > DOUBLED_BAD * frames:
        advice = "use a shorter or better cable, and no hub; look with tamsk-hw frames"
        found.append(Finding(WARNING, "traffic", counted, advice))
    elif link.snapshots < 0.75 * REST_RATE * link.listened:
        advice = "check whether this computer is overloaded (top), and look with tamsk-hw frames"
        found.append(Finding(WARNING, "traffic", f"{snapshots}; a board at rest sends 20 a second", advice))
    else:
        found.append(Finding(OK, "traffic", f"{counted}, {snapshots}"))
    if abs(statistics.clock_error) > CLOCK_ERROR:
        cause = f"the controller's clock is {100 * statistics.clock_error:+.1f} % off"
        advice = "its crystal is not the 16 MHz one, or this computer is overloaded"
        found.append(Finding(WARNING, "traffic", cause, advice))
    return found


def check_versions(
    hello: Hello | None, wiring_hash: int | None, *, asked: bool, wanted: int | None
) -> list[Finding]:
    """Program and board belong together. ``asked``: a board is configured; ``wanted``: the id it must have."""
    cause = f"program {__version__}, protocol {PROTOCOL_MAJOR}.{PROTOCOL_MINOR}"
    if wiring_hash is not None:
        cause += f", wiring {wiring_hash:08x}"
    if hello is None:
        return [Finding(OK, "versions", cause + "; the board did not report its own" * asked)]
    cause += (
        f"; board {hello.board_id:08x}: firmware {'.'.join(map(str, hello.firmware))}, "
        f"protocol {'.'.join(map(str, hello.protocol))}, wiring {hello.wiring_hash:08x}"
    )
    advice = ""
    if hello.protocol[0] != PROTOCOL_MAJOR:
        advice = "flash the firmware that belongs to this program (tamsk-hw flash)"
    elif hello.wiring_hash != wiring_hash:
        advice = "flash the firmware built from this map, or name the board's in board.wiring"
    elif wanted is not None and hello.board_id != wanted:
        advice = f"board.board_id asks for board {wanted:08x}: connect that one, or correct it"
    remedy = reset_remedy(hello.reset_cause)
    reset = f"last reset: {reset_words(hello.reset_cause)}"
    return [
        Finding(PROBLEM if advice else OK, "versions", cause, advice),
        Finding(OK if remedy is None else WARNING, "reset", reset, remedy or ""),
    ]


def check_board(link: LinkFacts, margin: int) -> list[Finding]:
    """The faults that the board itself reports, and its reference voltages."""
    if link.snapshot is None:
        return []
    found = [
        Finding(PROBLEM if flag is FaultFlag.SUPPLY_LOW else WARNING, "board", *words)
        for flag, words in flag_words().items()
        if link.faults & flag
    ]
    references = enumerate(zip(link.snapshot.references, REFERENCE_READINGS, strict=True), 1)
    off = [
        f"{number}/4 reads {reading}, not {due}"
        for number, (reading, due) in references
        if abs(reading - due) > margin
    ]
    if off:
        advice = "check the multiplexers and their select lines"
        found.append(Finding(PROBLEM, "board", f"references: {', '.join(off)}", advice))
    return found or [Finding(OK, "board", "no fault flags, references as they should be")]


def check_calibration(known: KnownCalibration, file: Path, now: float) -> Finding:
    """The board was measured, not too long ago."""
    severity, cause, advice = WARNING, "", _CALIBRATE
    if known.problem is not None:
        severity, cause, advice = PROBLEM, f"{file} {known.problem}", f"correct it, or measure again: {_CALIBRATE}"
    elif known.modified is None:
        cause = f"{file} is not there; the reference build's values are used"
    elif known.unmeasured:
        names = " ".join(known.unmeasured[:8]) + " …" * (len(known.unmeasured) > 8)
        cause = f"{file}: not calibrated are {names}"
    else:
        age = max(0.0, now - known.modified)
        days = int(age // 86400)
        cause = f"{file}, {f'{days} day' + 's' * (days != 1) if days else 'less than a day'} old"
        severity, advice = OK, ""
        if age > OLD_CALIBRATION:
            severity, advice = WARNING, f"{_CALIBRATE}, if glasses are not felt well"
    return Finding(severity, "calibration", cause, advice)


def check_disk(disk: DiskFacts) -> Finding:
    """Games can be saved."""
    severity, free = PROBLEM, disk.free or 0
    cause = f"{disk.folder}: {f'{free / 2**30:.1f} GiB' if free >= 2**30 else f'{free / 2**20:.1f} MiB'} free"
    advice = "correct journal.folder"
    if not disk.is_folder:
        cause = f"{disk.nearest} is no folder: games are not saved"
    elif not disk.writable:
        cause = f"this user may not write in {disk.nearest}: games are not saved"
        advice = "correct its owner, or journal.folder; or the disk is read-only"
    elif not disk.is_disk:
        cause = f"{disk.folder} cannot be made: {disk.nearest} keeps no files: games are not saved"
    elif disk.free is None:
        severity, cause = WARNING, f"{disk.nearest} does not say how much is free"
        advice = "check whether its disk answers (df)"
    elif free < LEAST_FREE:
        advice = "make room: games will not be saved"
    elif free < ENOUGH_FREE:
        severity, advice = WARNING, "make room soon"
    else:
        severity, advice = OK, ""
    return Finding(severity, "disk", cause, advice)


def check_clock(clock: ClockFacts) -> Finding:
    """The computer's clocks go forward; the time of day is right, for the games' dates."""
    severity, advice = WARNING, "sudo timedatectl set-ntp true"
    if clock.backward > 0:
        severity, cause = PROBLEM, f"the monotonic clock went back by {clock.backward:g} s"
        advice = "this computer cannot time a game: update its system"
    elif clock.year < FIRST_YEAR:
        cause = f"the time of day is in {clock.year}: games get wrong dates"
        advice = "set it (sudo timedatectl set-ntp true, or set-time)"
    elif clock.synchronised is False:
        cause = "the time of day is not set by the network: games may get wrong dates; their times are right"
    else:
        known = "the time of day is set by" if clock.synchronised else "it is not known whether"
        rest = "the network" if clock.synchronised else "the network sets the time of day"
        severity, cause, advice = OK, f"goes forward; {known} {rest}", ""
    return Finding(severity, "clock", cause, advice)
