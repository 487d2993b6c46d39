"""The doctor's findings in words: subject, cause and advice."""

from __future__ import annotations

from typing import Final, assert_never

from tamsk_hw.board.protocol import PROTOCOL_MAJOR, PROTOCOL_MINOR
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
    ReferenceVoltagesOff,
    ResetFinding,
    ServiceKeptOut,
    TrafficFinding,
    TrafficState,
    VersionsFinding,
    VersionsState,
)
from tamsk_hw.facts.examined import PortFacts, RunningProgram, Said
from tamsk_hw.panel.hardware import PinFactory
from tamsk_hw.words.hardware import (
    driver_advice,
    driver_cause,
    flag_words,
    link_advice,
    link_cause,
    reset_remedy,
    reset_words,
)
from tamsk_hw.words.translating import Wording

_CALIBRATE: Final = "tamsk-hw calibrate sensors"


def doctor_words(finding: DoctorFinding) -> Wording:
    """A finding of the doctor in words."""
    match finding:
        case ConfigurationRead(origin):
            return Wording("configuration", origin)
        case ConfigurationRefused(refusal):
            return Wording("configuration", said_words(refusal), "correct it; tamsk-hw config check says the same")
        case LightsDoubtful(warning):
            return Wording("lights", warning.cause, warning.advice or "")
        case ServiceKeptOut(warning):
            return Wording("service", warning.cause, warning.advice or "")
        case PortFinding():
            return _port(finding)
        case PinsFinding():
            return _pins(finding)
        case LinkFinding():
            return _link(finding)
        case TrafficFinding():
            return _traffic(finding)
        case VersionsFinding():
            return _versions(finding)
        case ResetFinding(cause=cause):
            return Wording("reset", f"last reset: {reset_words(cause)}", reset_remedy(cause) or "")
        case FlagRaised(flag=flag):
            return Wording("board", *flag_words()[flag])
        case ReferenceVoltagesOff(references):
            off = ", ".join(f"{each.number}/4 reads {each.reading}, not {each.expected}" for each in references)
            return Wording("board", f"references: {off}", "check the multiplexers and their select lines")
        case BoardSound():
            return Wording("board", "no fault flags, references as they should be")
        case CalibrationFileFinding():
            return _calibration(finding)
        case DiskFinding():
            return _disk(finding)
        case ClockFinding():
            return _clock(finding)
        case _:
            assert_never(finding)


def said_words(said: Said) -> str:
    """Cause and advice in one line."""
    return said.cause if said.advice is None else f"{said.cause}: {said.advice}"


def program_words(program: RunningProgram) -> str:
    """A running program, so that it can be ended."""
    return f"{program.name or 'a program'} (process {program.process})"


def _port(finding: PortFinding) -> Wording:
    port = finding.port or PortFacts(path="")
    match finding.state:
        case PortState.NOT_CONFIGURED:
            cause = "no board is configured; tamsk-hw run plays on the simulated one"
            advice = "set board.port to the board's line (ls /dev/serial/by-id)"
        case PortState.MISSING:
            cause, advice = f"{port.path} is not there", "plug in the board, or correct board.port"
        case PortState.NO_LINE:
            cause, advice = f"{port.path} is no serial line", "correct board.port"
        case PortState.CLOSED:
            cause = f"user {port.user} may not use {port.path}, which belongs to the group {port.group}"
            if not port.group_may or port.group == "root":
                advice = (
                    "install the udev rule that comes with the program: it gives the port to a group for users"
                )
            elif port.in_group:
                advice = "look at the port's owner and mode (ls -lL)"
            else:
                advice = f"sudo usermod -aG {port.group} {port.user}, and log in again"
        case PortState.IN_USE:
            cause = f"{port.path} is in use by {', '.join(map(program_words, port.holders))}"
            advice = "end that program"
            if all(holder.is_ours for holder in port.holders):
                advice = "to look at the link end it first (the service: sudo systemctl stop tamsk-hw)"
        case PortState.FREE:
            cause, advice = port.path + (f", group {port.group}" if port.group else ""), ""
        case _:
            assert_never(finding.state)
    return Wording("port", cause, advice)


def _pins(finding: PinsFinding) -> Wording:
    pins = finding.pins
    is_simulated = pins.factory is PinFactory.SIMULATE
    subject = "simulated panel" if is_simulated else f"pin factory {pins.factory.value}"
    match finding.state:
        case PinsState.UNUSED:
            return Wording(subject, "not used: buttons and buzzer are switched off")
        case PinsState.UNUSABLE:
            assert pins.problem is not None
            advice = driver_advice(pins.problem) or "switch buttons and buzzer off, or mend it"
            return Wording(subject, driver_cause(pins.problem), advice)
        case PinsState.HANGING:
            return Wording(subject, "its driver gives no answer", "restart the computer")
        case PinsState.MOCK:
            return Wording(subject, "moves no pin: buttons and buzzer do nothing", 'use "lgpio" on a Raspberry Pi')
        case PinsState.USABLE:
            if is_simulated:
                return Wording(subject, "the simulated board answers")
            return Wording(subject, pins.computer.model)
        case _:
            assert_never(finding.state)


def _link(finding: LinkFinding) -> Wording:
    link = finding.link
    match finding.state:
        case LinkResult.UNUSABLE:
            assert link.problem is not None
            return Wording("link", link_cause(link.problem), link_advice(link.problem) or "")
        case LinkResult.CONNECTED:
            return Wording("link", f"connected after {link.connected_after or 0.0:.1f} s")
        case _:
            assert_never(finding.state)


def _traffic(finding: TrafficFinding) -> Wording:
    link, statistics = finding.link, finding.link.statistics
    counted = f"{finding.frames} frames, {finding.damaged} damaged, {finding.missing} missing"
    if finding.doubled:
        counted += f", {finding.doubled} doubled"
    snapshots = f"{link.snapshots} snapshots in {link.listened:g} s"
    match finding.state:
        case TrafficState.LOSSY:
            advice = "use a shorter or better cable, and no hub; look with tamsk-hw frames"
            return Wording("traffic", counted, advice)
        case TrafficState.SLOW:
            advice = "check whether this computer is overloaded (top), and look with tamsk-hw frames"
            return Wording("traffic", f"{snapshots}; a board at rest sends 20 a second", advice)
        case TrafficState.SOUND:
            return Wording("traffic", f"{counted}, {snapshots}")
        case TrafficState.CLOCK_OFF:
            cause = f"the controller's clock is {100 * statistics.clock_error:+.1f} % off"
            advice = "its crystal is not the 16 MHz one, or this computer is overloaded"
            return Wording("traffic", cause, advice)
        case _:
            assert_never(finding.state)


def _versions(finding: VersionsFinding) -> Wording:
    cause = f"program {finding.program}, protocol {PROTOCOL_MAJOR}.{PROTOCOL_MINOR}"
    if finding.wiring_hash is not None:
        cause += f", wiring {finding.wiring_hash:08x}"
    hello = finding.hello
    if hello is not None:
        cause += (
            f"; board {hello.board_id:08x}: firmware {'.'.join(map(str, hello.firmware))}, "
            f"protocol {'.'.join(map(str, hello.protocol))}, wiring {hello.wiring_hash:08x}"
        )
    advice = ""
    match finding.state:
        case VersionsState.BOARD_UNKNOWN:
            cause += "; the board did not report its own" if finding.asked else ""
        case VersionsState.OTHER_PROTOCOL:
            advice = "flash the firmware that belongs to this program (tamsk-hw flash)"
        case VersionsState.OTHER_WIRING:
            advice = "flash the firmware built from this map, or name the board's in board.wiring"
        case VersionsState.OTHER_BOARD:
            advice = f"board.board_id asks for board {finding.wanted or 0:08x}: connect that one, or correct it"
        case VersionsState.FITTING:
            pass
        case _:
            assert_never(finding.state)
    return Wording("versions", cause, advice)


def _calibration(finding: CalibrationFileFinding) -> Wording:
    file = finding.file
    match finding.state:
        case CalibrationFileState.UNUSABLE:
            return Wording(
                "calibration", f"{file} {finding.problem}", f"correct it, or measure again: {_CALIBRATE}"
            )
        case CalibrationFileState.MISSING:
            cause = f"{file} is not there; the reference build's values are used"
            return Wording("calibration", cause, _CALIBRATE)
        case CalibrationFileState.PARTIAL:
            names = " ".join(finding.unmeasured[:8]) + " …" * (len(finding.unmeasured) > 8)
            return Wording("calibration", f"{file}: not calibrated are {names}", _CALIBRATE)
        case CalibrationFileState.OLD:
            advice = f"{_CALIBRATE}, if glasses are not felt well"
            return Wording("calibration", f"{file}, {_age(finding.age)} old", advice)
        case CalibrationFileState.GOOD:
            return Wording("calibration", f"{file}, {_age(finding.age)} old")
        case _:
            assert_never(finding.state)


def _age(seconds: float) -> str:
    days = int(seconds // 86400)
    return f"{days} day{'s' * (days != 1)}" if days else "less than a day"


def _disk(finding: DiskFinding) -> Wording:
    disk = finding.disk
    free = f"{disk.folder}: {_size(disk.free or 0)} free"
    match finding.state:
        case DiskState.NO_FOLDER:
            return Wording("disk", f"{disk.nearest} is no folder: games are not saved", "correct journal.folder")
        case DiskState.CLOSED:
            cause = f"this user may not write in {disk.nearest}: games are not saved"
            return Wording("disk", cause, "correct its owner, or journal.folder; or the disk is read-only")
        case DiskState.NO_DISK:
            cause = f"{disk.folder} cannot be made: {disk.nearest} keeps no files: games are not saved"
            return Wording("disk", cause, "correct journal.folder")
        case DiskState.UNKNOWN:
            cause = f"{disk.nearest} does not say how much is free"
            return Wording("disk", cause, "check whether its disk answers (df)")
        case DiskState.FULL:
            return Wording("disk", free, "make room: games will not be saved")
        case DiskState.NEARLY_FULL:
            return Wording("disk", free, "make room soon")
        case DiskState.ROOMY:
            return Wording("disk", free)
        case _:
            assert_never(finding.state)


def _size(amount: int) -> str:
    return f"{amount / 2**30:.1f} GiB" if amount >= 2**30 else f"{amount / 2**20:.1f} MiB"


def _clock(finding: ClockFinding) -> Wording:
    clock = finding.clock
    match finding.state:
        case ClockState.BACKWARD:
            cause = f"the monotonic clock went back by {clock.backward:g} s"
            return Wording("clock", cause, "this computer cannot time a game: update its system")
        case ClockState.UNSET:
            cause = f"the time of day is in {clock.year}: games get wrong dates"
            return Wording("clock", cause, "set it (sudo timedatectl set-ntp true, or set-time)")
        case ClockState.ALONE:
            cause = "the time of day is not set by the network: games may get wrong dates; their times are right"
            return Wording("clock", cause, "sudo timedatectl set-ntp true")
        case ClockState.UNKNOWN:
            return Wording("clock", "goes forward; it is not known whether the network sets the time of day")
        case ClockState.SYNCHRONISED:
            return Wording("clock", "goes forward; the time of day is set by the network")
        case _:
            assert_never(finding.state)
