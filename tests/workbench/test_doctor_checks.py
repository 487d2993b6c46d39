"""The doctor's judgements, each on facts that differ from those of a sound board or computer in one thing."""

import grp
import os
import stat
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tamsk_hw.board.calibration import KnownCalibration
from tamsk_hw.board.link_events import LinkStatistics, PortNotOpened, PortTrouble
from tamsk_hw.board.protocol import Hello, ResetCause
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.configuration import Configuration, parse_configuration
from tamsk_hw.configuration.settings import GpioSettings
from tamsk_hw.errors import Finding
from tamsk_hw.game.tubes import TUBES
from tamsk_hw.panel.hardware import DriverError, DriverTrouble, DriverTroubleKind, PinFactory
from tamsk_hw.workbench import doctor
from tamsk_hw.workbench.doctor import (
    PI_5_LIGHTS,
    Surroundings,
    bounded,
    check_calibration,
    check_clock,
    check_disk,
    check_panel,
    check_pins,
    check_port,
    clock_finding,
    holders_of,
)
from tamsk_hw.workbench.link_check import LinkFacts, check_board, check_link, check_versions
from tests.workbench.boards import assert_says, snapshot, wrong_among

WIRING = load_wiring()
HASH = WIRING.hash
DAY, NOW = 86400.0, 2_000_000_000.0


def one_says(findings: Finding | Iterable[Finding], expected: str) -> None:
    """One thing is wrong: ``expected`` is its severity and subject, and words of its cause and its advice."""
    found = [findings] if isinstance(findings, Finding) else findings
    assert_says(found, expected.replace(": ", ": … ", 1).replace(" → ", " … → … "))


# ---- the link and the board

HELLO = Hello(0, (2, 0), (1, 0, 0), 0x7A3517, 1, ResetCause.EXTERNAL, HASH)
LINK = LinkFacts(
    connected_after=0.4,
    hello=HELLO,
    snapshot=snapshot(),
    snapshots=20,
    statistics=LinkStatistics(connected=True, received_bytes=1600, frames=22, opens=1),
)
UNREACHED = LinkFacts()


def examined(link: LinkFacts, wanted: int | None = None) -> list[Finding]:
    return [
        *check_link(link),
        *check_versions(link.hello, HASH, asked=True, wanted=wanted),
        *check_board(link, margin=6),
    ]


def counted(**counts: Any) -> LinkFacts:
    return replace(LINK, statistics=replace(LINK.statistics, **counts))


def of_hello(**changes: Any) -> LinkFacts:
    return replace(LINK, hello=replace(HELLO, **changes))


def test_a_sound_board_has_nothing_wrong() -> None:
    findings = examined(LINK)
    assert [finding.subject for finding in findings] == ["link", "traffic", "versions", "reset", "board"]
    assert wrong_among(findings) == []
    assert not any(finding.advice for finding in findings)


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        (
            replace(UNREACHED, problem=PortNotOpened("/dev/x", PortTrouble.IN_USE, "busy")),
            "problem link: /dev/x: in use by another program → end the other program",
        ),
        (of_hello(silent_chips=129), "problem board: no answer from converter 0 7 (MCP3008) → their place"),
        (UNREACHED, "problem link: says nothing for 5 s → supply and cable"),
        (
            replace(UNREACHED, statistics=LinkStatistics(received_bytes=812, frames=100)),
            "problem link: 812 bytes came in 5 s, and no frame of a board → another device",
        ),
        (
            replace(UNREACHED, statistics=LinkStatistics(received_bytes=812, frames=100, heard=True)),
            "problem link: no HELLO → cable",
        ),
        (counted(crc_errors=3, malformed=1), "warning traffic: 4 damaged → cable"),
        (counted(missing=9), "warning traffic: 9 missing → cable"),
        (counted(doubled=11), "warning traffic: 0 missing, 11 doubled → cable"),
        (replace(LINK, snapshots=14), "warning traffic: 14 snapshots in 1 s → overloaded"),
        (counted(clock_error=-0.02), "warning traffic: -2.0 % off → crystal"),
        (replace(LINK, faults=1), "problem board: below about 4.5 V → 5 V, 4 A"),
        (replace(LINK, faults=8), "warning board: 2.5 ms → flash"),
        (replace(LINK, faults=16), "warning board: arrives damaged → cable"),
        (of_hello(protocol=(1, 0)), "problem versions: protocol 1.0 → belongs to this program"),
        (of_hello(reset_cause=ResetCause.BROWN_OUT), "warning reset: brown-out → supply"),
        (of_hello(reset_cause=ResetCause.WATCHDOG), "warning reset: watchdog → flash"),
    ],
)
def test_one_thing_wrong_at_the_board_is_one_finding(link: LinkFacts, expected: str) -> None:
    one_says(examined(link), expected)


def test_another_board_than_the_configured_one() -> None:
    one_says(examined(LINK, wanted=5), "problem versions: board 007a3517 → asks for board 00000005")


# ---- the port


def test_a_port_that_cannot_be_used(tmp_path: Path) -> None:
    one_says(check_port(None, {}), "warning port: simulated one → board.port")
    one_says(check_port(f"{tmp_path}/ttyUSB0", {}), "problem port: not there → plug in")
    (tmp_path / "file").touch()
    for path in (f"{tmp_path}/file", "/dev/null"):
        one_says(check_port(path, {}), f"problem port: {path} is no serial line → board.port")


OURS = os.getegid()
OTHERS = next(each.gr_gid for each in grp.getgrall() if each.gr_gid not in {0, OURS, *os.getgroups()})


@pytest.mark.parametrize(
    ("group", "mode", "expected"),
    [
        (OTHERS, 0o660, f"belongs to the group {grp.getgrgid(OTHERS).gr_name} → usermod -aG"),
        (OTHERS, 0o600, " → udev rule"),
        (0, 0o660, "group root → udev rule"),
        (54321, 0o660, "group 54321 → owner and mode"),
    ],
)
def test_a_port_of_another_group(group: int, mode: int, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    status = SimpleNamespace(st_mode=stat.S_IFCHR | mode, st_rdev=os.makedev(188, 0), st_gid=group)
    monkeypatch.setattr(os, "stat", lambda path: status)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    monkeypatch.setattr(os, "getgroups", lambda: [54321])
    one_says(check_port("/dev/ttyUSB0", {}), f"problem port: {expected}")


def test_a_port_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, expected in (
        ("minicom", "problem port: in use by minicom (process 7) → end that program"),
        ("tamsk-hw", "warning port: in use by tamsk-hw → systemctl stop tamsk-hw"),
    ):
        one_says(check_port("/dev/tty", {7: name}), expected)
    assert wrong_among([check_port("/dev/tty", {})]) == []


def test_the_programs_that_have_it_open(tmp_path: Path) -> None:
    port = tmp_path / "ttyUSB0"
    port.touch()
    link = tmp_path / "by-id"
    link.symlink_to(port)
    processes = tmp_path / "proc"
    for number, words, target in (
        ("12", b"/usr/bin/python3\0-u\0/usr/bin/tamsk-hw\0run\0", port),
        ("13", b"minicom\0", port),
        ("14", b"sh\0", tmp_path),
        (str(os.getpid()), b"doctor\0", port),
    ):
        (processes / number / "fd").mkdir(parents=True)
        (processes / number / "cmdline").write_bytes(words)
        (processes / number / "fd" / "3").symlink_to(target)
    assert holders_of(str(link), processes) == {12: "tamsk-hw", 13: "minicom"}
    with port.open():  # this process has it open, and is not counted
        assert holders_of(str(port), Path("/proc")) == {}


# ---- lights, buttons and buzzer

PI_4 = "Raspberry Pi 4 Model B Rev 1.4"
PI_5 = "Raspberry Pi 5 Model B Rev 1.0"
RADXA = "Radxa ROCK 5B"
SPI = '[lights]\nroute = "spi"\n'
RPIGPIO, MOCK, SIMULATE = (f'[gpio]\nfactory = "{name}"\n' for name in ("rpigpio", "mock", "simulate"))
NO_LIGHTS = '[lights]\nroute = "none"\n'
UNPRESSED = "[buttons]\nenabled = false\n"
SILENT = f"{UNPRESSED}[buzzer]\nenabled = false\n"
NO_BUTTONS = "warning buttons: none will work → tamsk-hw do, or with the keys of tamsk-hw run in a terminal"
NO_LIBRARY = f'warning lights: "gpio" on a Raspberry Pi 5 needs the library {PI_5_LIGHTS} → install it'
NOT_ON_PI_5 = 'warning pin factory rpigpio: does not work on a Raspberry Pi 5 → use "lgpio"'
MOVES_NONE = 'warning pin factory mock: moves no pin → use "lgpio"'
NO_PI = "warning computer: this computer is no Raspberry Pi"


def computer(tmp_path: Path, model: str = "", *missing: str) -> Surroundings:
    """A computer that calls itself so, with all that a Raspberry Pi may have but what is missing."""
    tree = tmp_path / "device-tree"
    if model:
        tree.mkdir()
        (tree / "model").write_bytes(model.encode() + b"\0")
        chip = b"bcm2712" if model == PI_5 else b"bcm2711"
        (tree / "compatible").write_bytes(b"raspberrypi,x\0brcm," + chip + b"\0")
    for name in {"spidev0.0", "mem"} - set(missing):
        (tmp_path / name).touch()
    return Surroundings(
        device_tree=tree,
        spi=tmp_path / "spidev0.0",
        memory=tmp_path / "mem",
        is_installed=lambda library: library not in missing,
    )


@pytest.mark.parametrize(
    ("model", "missing", "text", "expected"),
    [
        (PI_4, [], "", []),
        (PI_4, [PI_5_LIGHTS], RPIGPIO, []),
        (PI_4, ["mem"], "", ['warning lights: "gpio" needs root → use "spi"']),
        (PI_4, ["mem"], NO_LIGHTS, []),
        (PI_5, ["mem"], "", []),
        (
            PI_4,
            ["spidev0.0"],
            SPI,
            [
                'warning lights: "spi" sends on GPIO10, the wiring map has the lights on GPIO18 → in the map',
                'warning lights: "spi" needs → switch SPI on',
            ],
        ),
        (PI_4, ["spidev0.0"], SIMULATE + SPI, []),
        (PI_4, [], MOCK, [MOVES_NONE, NO_BUTTONS]),
        (PI_4, [], UNPRESSED, [NO_BUTTONS]),
        (PI_5, [PI_5_LIGHTS], RPIGPIO, [NO_LIBRARY, NOT_ON_PI_5, NO_BUTTONS]),
        (PI_5, [], RPIGPIO + SILENT, [NO_BUTTONS]),
        (
            "",
            [],
            "",
            [f"{NO_PI} (of an unknown kind): these will not work: lights, buttons, buzzer → mock", NO_BUTTONS],
        ),
        ("", [], NO_LIGHTS + MOCK, [MOVES_NONE, NO_BUTTONS]),
        ("", [], SIMULATE, []),
        (RADXA, [], UNPRESSED, [f"{NO_PI} (Radxa ROCK 5B): these will not work: lights, buzzer", NO_BUTTONS]),
        (RADXA, [], SIMULATE + UNPRESSED, [NO_BUTTONS]),
    ],
)
def test_what_cannot_work_on_this_computer(
    model: str, missing: list[str], text: str, expected: list[str], tmp_path: Path
) -> None:
    found = list(check_panel(parse_configuration(text, "c"), WIRING, computer(tmp_path, model, *missing)))
    assert len(found) == len(expected), found
    for finding, words in zip(found, expected, strict=True):
        one_says(finding, words)


def test_lights_wired_for_spi(tmp_path: Path) -> None:
    wired = replace(WIRING, lights_pin=10)
    assert list(check_panel(parse_configuration(SPI, "c"), wired, computer(tmp_path, PI_4))) == []


class Pins:
    """An open pin factory."""

    def __init__(self) -> None:
        self.is_closed = False

    def close(self) -> None:
        self.is_closed = True


def test_pins_are_opened_and_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, pins = computer(tmp_path, PI_4), Pins()

    def tried(open_pins: Callable[[PinFactory], Any], text: str = "") -> list[Finding]:
        return check_pins(parse_configuration(text, "c"), replace(here, open_pins=open_pins))

    def fail(name: PinFactory) -> Any:
        raise DriverError(DriverTrouble(DriverTroubleKind.NOT_INSTALLED, "lgpio", "tamsk-hw"))

    assert wrong_among(tried(lambda name: pins)) == []
    assert pins.is_closed
    one_says(tried(fail), "problem pin factory lgpio: lgpio is not installed → pip install tamsk-hw")
    assert tried(fail, SILENT) == []
    never = threading.Event()
    monkeypatch.setattr(doctor, "MOST", 0.01)
    hangs = tried(lambda name: never.wait())
    one_says(hangs, "problem pin factory lgpio: its driver gives no answer → restart the computer")
    never.set()


def test_a_simulated_board_is_asked_whether_it_is_there(tmp_path: Path) -> None:
    gpio = GpioSettings(factory=PinFactory.SIMULATE, hands=tmp_path / "hands.sock")
    found = check_pins(Configuration(gpio=gpio), computer(tmp_path))
    one_says(found, f"problem simulated panel: no simulated board at {gpio.hands} → start tamsk-hw simulate")


# ---- calibration, disk and clock

KNOWN = KnownCalibration(measured=frozenset([*(tube.name for tube in TUBES), "timer"]), modified=NOW - 3 * DAY)


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        (KnownCalibration(), "warning calibration: not there → calibrate sensors"),
        (
            replace(KNOWN, measured=KNOWN.measured - {"D4", "timer"}),
            "warning calibration: not calibrated are D4 timer → calibrate sensors",
        ),
        (replace(KNOWN, modified=NOW - 800 * DAY), "warning calibration: 800 days old → calibrate sensors"),
    ],
)
def test_a_calibration_that_should_be_made(known: KnownCalibration, expected: str) -> None:
    one_says(check_calibration(known, Path("c.toml"), NOW), expected)
    assert wrong_among([check_calibration(KNOWN, Path("c.toml"), NOW)]) == []


def test_a_journal_that_cannot_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert wrong_among([check_disk(tmp_path), check_disk(tmp_path / "not" / "yet")]) == []
    file = tmp_path / "file"
    file.touch()
    for folder in (file, file / "games"):
        one_says(check_disk(folder), f"problem disk: {file} is no folder: games are not saved → journal.folder")
    long = tmp_path / "not" / ("y" * 300) / "games"
    one_says(check_disk(long), "problem disk: cannot be made: a name is longer than 255 bytes: games are not")
    with monkeypatch.context() as root:  # who may write anywhere, and still make no folder there
        root.setattr(os, "access", lambda path, mode: True)
        # a container may mount it for reading only
        root.setattr(os, "statvfs", lambda path: SimpleNamespace(f_flag=0, f_blocks=0, f_namemax=255))
        expected = "problem disk: /proc/self/games cannot be made: /proc/self keeps no files → journal.folder"
        one_says(check_disk(Path("/proc/self/games")), expected)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    one_says(check_disk(tmp_path / "not"), f"problem disk: may not write in {tmp_path}: games are → owner")


@pytest.mark.parametrize(
    ("free", "flag", "expected"),
    [
        (2, 0, "problem disk: 2.0 MiB free → make room"),
        (50, 0, "warning disk: 50.0 MiB free → make room soon"),
        (5000, os.ST_RDONLY, "problem disk: may not write → the disk is read-only"),
    ],
)
def test_a_disk_that_is_full(
    free: int, flag: int, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SimpleNamespace(f_flag=flag, f_blocks=10**6, f_namemax=255, f_bavail=free, f_frsize=2**20)
    monkeypatch.setattr(os, "statvfs", lambda path: disk)
    one_says(check_disk(tmp_path), expected)


def test_what_hangs_or_fails_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    never = threading.Event()
    statvfs = os.statvfs
    monkeypatch.setattr(os, "statvfs", lambda path: statvfs(path) if never.wait() else None)
    monkeypatch.setattr(doctor, "MOST", 0.01)
    one_says(doctor.bounded_disk(tmp_path), "warning disk: does not say how much is free → df")
    never.set()
    assert bounded(lambda: os.stat(tmp_path / "nothing").st_size, -1) == -1
    assert bounded(lambda: 7, -1) == 7


def test_clocks_that_are_wrong() -> None:
    one_says(check_clock(1970, True), "warning clock: in 1970 → timedatectl")
    one_says(check_clock(2030, False), "warning clock: not set by → set-ntp")
    assert wrong_among(check_clock(2030, known) for known in (True, None)) == []


@pytest.mark.parametrize(
    ("is_marked", "said", "words"),
    [
        (True, "no", "is set by the network"),
        (False, "yes", "is set by the network"),
        (False, "no", "is not set by the network"),
        (False, "riddle", "it is not known whether"),
    ],
)
def test_the_mark_and_else_timedatectl_say_whether_the_clock_is_set(
    is_marked: bool, said: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = tmp_path / "timedatectl"
    command.write_text(f"#!/bin/sh\necho {said}\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    if is_marked:
        (tmp_path / "mark").touch()
    assert words in clock_finding(Surroundings(synchronised=tmp_path / "mark")).cause
