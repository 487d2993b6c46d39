"""The judgements of ``tamsk-hw doctor``: pure functions from what was looked at to findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from tamsk_hw.board.link_events import NoAnswer
from tamsk_hw.board.protocol import PROTOCOL_MAJOR, FaultFlag
from tamsk_hw.board.session import DOUBLED_BAD
from tamsk_hw.board.timeline import REFERENCE_READINGS
from tamsk_hw.facts.doctor_findings import (
    BoardSound,
    CalibrationFileFinding,
    CalibrationFileState,
    ClockFinding,
    ClockState,
    ConfigurationRead,
    ConfigurationRefused,
    DiskFinding,
    DiskState,
    DoctorFinding,
    FlagRaised,
    LightsDoubtful,
    LinkFinding,
    LinkResult,
    PinsFinding,
    PinsState,
    PortFinding,
    PortState,
    ReferenceReading,
    ReferenceVoltagesOff,
    ResetFinding,
    ServiceKeptOut,
    TrafficFinding,
    TrafficState,
    VersionsFinding,
    VersionsState,
)
from tamsk_hw.facts.examined import Facts, LinkFacts
from tamsk_hw.facts.severity import Severity
from tamsk_hw.panel.hardware import PinFactory
from tamsk_hw.words.hardware import flag_words, reset_remedy

OK, WARNING, PROBLEM = Severity.OK, Severity.WARNING, Severity.PROBLEM

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


def check_configuration(facts: Facts) -> Iterator[DoctorFinding]:
    """The configuration can be read; the lights and the places that it names can be used here."""
    if facts.refusal is not None:
        yield ConfigurationRefused(facts.refusal)
        return
    yield ConfigurationRead(facts.configuration.origin)
    yield from map(LightsDoubtful, facts.lights)
    yield from map(ServiceKeptOut, facts.kept_out)


def check_port(facts: Facts) -> Iterator[DoctorFinding]:
    """The port is there, may be used, and is free."""
    port = facts.port
    if port is None:
        if facts.refusal is None:
            yield PortFinding(PortState.NOT_CONFIGURED, WARNING)
    elif not port.exists:
        yield PortFinding(PortState.MISSING, PROBLEM, port)
    elif not port.is_line:
        yield PortFinding(PortState.NO_LINE, PROBLEM, port)
    elif not port.may_use:
        yield PortFinding(PortState.CLOSED, PROBLEM, port)
    elif port.holders:
        ours = all(holder.is_ours for holder in port.holders)
        yield PortFinding(PortState.IN_USE, WARNING if ours else PROBLEM, port)
    else:
        yield PortFinding(PortState.FREE, OK, port)


def check_pins(facts: Facts) -> Iterator[DoctorFinding]:
    """Buttons and buzzer can be reached."""
    pins = facts.pins
    if pins is None:
        return
    if not pins.needed:
        yield PinsFinding(PinsState.UNUSED, OK, pins)
    elif pins.problem is not None or pins.hangs:
        # Elsewhere than on a Pi there are no pins to be wrong: the referee plays without them.
        there_should_be = pins.computer.is_pi or pins.factory is PinFactory.SIMULATE
        severity = PROBLEM if there_should_be else WARNING
        yield PinsFinding(PinsState.HANGING if pins.hangs else PinsState.UNUSABLE, severity, pins)
    elif pins.factory is PinFactory.MOCK:
        yield PinsFinding(PinsState.MOCK, WARNING, pins)
    else:
        yield PinsFinding(PinsState.USABLE, OK, pins)


def check_link(facts: Facts) -> Iterator[DoctorFinding]:
    """The board answers, and what it sends arrives whole and at its pace."""
    link = facts.link
    if link is None:
        return
    problem = link.problem
    if problem is None and link.connected_after is None:
        problem = NoAnswer(link.waited, link.statistics.received_bytes, link.statistics.heard)
    if problem is not None:
        yield LinkFinding(LinkResult.UNUSABLE, PROBLEM, replace(link, problem=problem))
    else:
        yield LinkFinding(LinkResult.CONNECTED, OK, link)
        yield from _check_traffic(link)


def _check_traffic(link: LinkFacts) -> Iterator[DoctorFinding]:
    statistics, before = link.statistics, link.before
    found = TrafficFinding(
        TrafficState.SOUND,
        OK,
        link,
        frames=statistics.frames - before.frames,
        damaged=statistics.damaged - before.damaged,
        missing=statistics.missing - before.missing,
        doubled=statistics.doubled - before.doubled,
    )
    if found.damaged or found.missing or found.doubled > DOUBLED_BAD * found.frames:
        yield replace(found, state=TrafficState.LOSSY, severity=WARNING)
    elif link.snapshots < 0.75 * REST_RATE * link.listened:
        yield replace(found, state=TrafficState.SLOW, severity=WARNING)
    else:
        yield found
    if abs(statistics.clock_error) > CLOCK_ERROR:
        yield replace(found, state=TrafficState.CLOCK_OFF, severity=WARNING)


def check_board(facts: Facts) -> Iterator[DoctorFinding]:
    """The faults that the board itself reports, and its reference voltages."""
    link = facts.link
    if link is None or link.snapshot is None:
        return
    raised = [flag for flag in flag_words() if link.faults & flag]
    for flag in raised:
        yield FlagRaised(PROBLEM if flag is FaultFlag.SUPPLY_LOW else WARNING, flag)
    margin = facts.configuration.sensing.reference_margin
    off = tuple(
        ReferenceReading(number, reading, expected)
        for number, (reading, expected) in enumerate(
            zip(link.snapshot.references, REFERENCE_READINGS, strict=True), start=1
        )
        if abs(reading - expected) > margin
    )
    if off:
        yield ReferenceVoltagesOff(off)
    elif not raised:
        yield BoardSound()


def check_versions(facts: Facts) -> Iterator[DoctorFinding]:
    """Program and board belong together."""
    hello = None if facts.link is None else facts.link.hello
    wanted = facts.configuration.board.board_id
    if hello is None:
        state = VersionsState.BOARD_UNKNOWN
    elif hello.protocol[0] != PROTOCOL_MAJOR:
        state = VersionsState.OTHER_PROTOCOL
    elif hello.wiring_hash != facts.wiring_hash:
        state = VersionsState.OTHER_WIRING
    elif wanted is not None and hello.board_id != wanted:
        state = VersionsState.OTHER_BOARD
    else:
        state = VersionsState.FITTING
    severity = OK if state in (VersionsState.BOARD_UNKNOWN, VersionsState.FITTING) else PROBLEM
    asked = facts.port is not None
    yield VersionsFinding(state, severity, facts.program, facts.wiring_hash, hello, asked, wanted)
    if hello is not None:
        yield ResetFinding(OK if reset_remedy(hello.reset_cause) is None else WARNING, hello.reset_cause)


def check_calibration(facts: Facts) -> Iterator[DoctorFinding]:
    """The board was measured, not too long ago."""
    known = facts.calibration
    if known is None:
        return
    file = facts.configuration.calibration_file
    if known.problem is not None:
        yield CalibrationFileFinding(CalibrationFileState.UNUSABLE, PROBLEM, file, problem=known.problem)
    elif known.modified is None:
        yield CalibrationFileFinding(CalibrationFileState.MISSING, WARNING, file)
    elif known.unmeasured:
        yield CalibrationFileFinding(CalibrationFileState.PARTIAL, WARNING, file, unmeasured=known.unmeasured)
    else:
        age = max(0.0, facts.now - known.modified)
        old = age > OLD_CALIBRATION
        state = CalibrationFileState.OLD if old else CalibrationFileState.GOOD
        yield CalibrationFileFinding(state, WARNING if old else OK, file, age=age)


def check_disk(facts: Facts) -> Iterator[DoctorFinding]:
    """Games can be saved."""
    disk = facts.disk
    if not disk.is_folder:
        yield DiskFinding(DiskState.NO_FOLDER, PROBLEM, disk)
    elif not disk.writable:
        yield DiskFinding(DiskState.CLOSED, PROBLEM, disk)
    elif not disk.is_disk:
        yield DiskFinding(DiskState.NO_DISK, PROBLEM, disk)
    elif disk.free is None:
        yield DiskFinding(DiskState.UNKNOWN, WARNING, disk)
    elif disk.free < LEAST_FREE:
        yield DiskFinding(DiskState.FULL, PROBLEM, disk)
    elif disk.free < ENOUGH_FREE:
        yield DiskFinding(DiskState.NEARLY_FULL, WARNING, disk)
    else:
        yield DiskFinding(DiskState.ROOMY, OK, disk)


def check_clock(facts: Facts) -> Iterator[DoctorFinding]:
    """The computer's clocks go forward; the time of day is right, for the games' dates."""
    clock = facts.clock
    if clock.backward > 0:
        yield ClockFinding(ClockState.BACKWARD, PROBLEM, clock)
    elif clock.year < FIRST_YEAR:
        yield ClockFinding(ClockState.UNSET, WARNING, clock)
    elif clock.synchronised is False:
        yield ClockFinding(ClockState.ALONE, WARNING, clock)
    elif clock.synchronised is None:
        yield ClockFinding(ClockState.UNKNOWN, OK, clock)
    else:
        yield ClockFinding(ClockState.SYNCHRONISED, OK, clock)


#: The checks in the order in which they are shown: what others rest on comes first.
CHECKS: Final[tuple[Callable[[Facts], Iterator[DoctorFinding]], ...]] = (
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


def examine(facts: Facts) -> list[DoctorFinding]:
    """All findings."""
    return [finding for check in CHECKS for finding in check(facts)]
