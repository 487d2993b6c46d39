"""The doctor's judgements, each on facts that differ from those of a sound board in one thing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tamsk_hw.board.calibration import KnownCalibration
from tamsk_hw.board.link_events import LinkStatistics, OtherBoard, PortNotOpened, PortTrouble
from tamsk_hw.board.protocol import Hello, ResetCause
from tamsk_hw.configuration import Configuration
from tamsk_hw.configuration.settings import BoardSettings
from tamsk_hw.errors import ConfigError, Finding, Severity
from tamsk_hw.game.tubes import TUBES
from tamsk_hw.panel.hardware import Computer, PinFactory
from tamsk_hw.workbench.doctor import examine
from tamsk_hw.workbench.gathering import (
    ClockFacts,
    DiskFacts,
    Facts,
    LinkFacts,
    PinFacts,
    PortFacts,
)
from tests.workbench.boards import snapshot, wrong_among

OK, WARNING, PROBLEM = Severity.OK, Severity.WARNING, Severity.PROBLEM

HASH = 0xD26E7B07
PI = Computer("Raspberry Pi 4 Model B Rev 1.4", is_pi=True)
DAY = 86400.0
NOW = 2_000_000_000.0

HELLO = Hello(0, (1, 0), (1, 0, 0), 0x7A3517, 1, ResetCause.EXTERNAL, HASH)
NO_PI = ("this computer is no Raspberry Pi", "do without them")
PORT = PortFacts(path="/dev/ttyUSB0", user="ann", group="dialout")
LINK = LinkFacts(
    waited=5.0,
    connected_after=0.4,
    hello=HELLO,
    snapshot=snapshot(),
    listened=1.0,
    snapshots=20,
    statistics=LinkStatistics(connected=True, received_bytes=1600, frames=22, opens=1),
)
PINS = PinFacts(factory=PinFactory.LGPIO, computer=PI, needed=True)
KNOWN = KnownCalibration(measured=frozenset([*(tube.name for tube in TUBES), "timer"]), modified=NOW - 3 * DAY)
DISK = DiskFacts(folder=Path("/var/lib/tamsk-hw"), nearest=Path("/var/lib/tamsk-hw"), free=10**9)
CLOCK = ClockFacts(year=2030, synchronised=True)

SOUND = Facts(
    configuration=Configuration(board=BoardSettings(port="/dev/ttyUSB0")),
    wiring_hash=HASH,
    port=PORT,
    link=LINK,
    pins=PINS,
    calibration=KNOWN,
    now=NOW,
    disk=DISK,
    clock=CLOCK,
)


def wrong(facts: Facts) -> list[Finding]:
    """All that is not as on a sound board."""
    return wrong_among(examine(facts))


def test_a_sound_board_has_nothing_wrong() -> None:
    findings = examine(SOUND)
    assert wrong(SOUND) == []
    assert [finding.subject for finding in findings] == [
        "configuration",
        "port",
        "pin factory lgpio",
        "link",
        "traffic",
        "versions",
        "reset",
        "board",
        "calibration",
        "disk",
        "clock",
    ]
    assert not any(finding.advice for finding in findings)


def test_what_came_of_opening_the_port_is_none_of_the_cable() -> None:
    opened = LinkStatistics(frames=40, crc_errors=3, malformed=2, missing=180, doubled=30)
    counted = replace(opened, frames=62, connected=True, received_bytes=5000, opens=1)
    assert wrong(replace(SOUND, link=replace(LINK, before=opened, statistics=counted))) == []


UNREACHED = LinkFacts(waited=5.0)

CASES: list[tuple[str, dict[str, Any], str, Severity, str, str]] = [
    (
        "refused configuration",
        {
            "refusal": ConfigError("c.toml: line 1: board.prt: unknown key"),
            "port": None,
            "link": None,
            "pins": None,
        },
        "configuration",
        PROBLEM,
        "line 1: board.prt",
        "config check",
    ),
    (
        "lights",
        {"warnings": (Finding(WARNING, "lights", '"gpio" needs root', 'use "spi"'),)},
        "lights",
        WARNING,
        "needs root",
        'use "spi"',
    ),
    (
        "folder kept out",
        {
            "warnings": (
                Finding(
                    WARNING, "service", "journal.folder: may not write in /srv", "sudo systemctl edit tamsk-hw"
                ),
            )
        },
        "service",
        WARNING,
        "may not write",
        "systemctl edit",
    ),
    ("no board", {"port": None, "link": None, "pins": None}, "port", WARNING, "simulated one", "board.port"),
    ("no such port", {"port": replace(PORT, exists=False), "link": None}, "port", PROBLEM, "not there", "plug in"),
    (
        "a file",
        {"port": replace(PORT, is_line=False), "link": None},
        "port",
        PROBLEM,
        "no serial line",
        "board.port",
    ),
    (
        "not in the group",
        {"port": replace(PORT, may_use=False, in_group=False), "link": None},
        "port",
        PROBLEM,
        "user ann may not use /dev/ttyUSB0, which belongs to the group dialout",
        "sudo usermod -aG dialout ann",
    ),
    (
        "a group without rights",
        {"port": replace(PORT, may_use=False, in_group=False, group_may=False), "link": None},
        "port",
        PROBLEM,
        "may not use",
        "udev rule",
    ),
    (
        "root's alone",
        {"port": replace(PORT, may_use=False, in_group=False, group="root"), "link": None},
        "port",
        PROBLEM,
        "group root",
        "udev rule",
    ),
    (
        "in the group, and yet",
        {"port": replace(PORT, may_use=False), "link": None},
        "port",
        PROBLEM,
        "may not use",
        "owner and mode",
    ),
    (
        "in use",
        {"port": replace(PORT, holders={7: "minicom"}), "link": None},
        "port",
        PROBLEM,
        "in use by minicom (process 7)",
        "end that program",
    ),
    (
        "in use by the service",
        {"port": replace(PORT, holders={7: "tamsk-hw"}), "link": None},
        "port",
        WARNING,
        "in use by tamsk-hw",
        "systemctl stop tamsk-hw",
    ),
    (
        "no driver on a Pi",
        {"pins": replace(PINS, problem=("lgpio is not installed", "pip install tamsk-hw"))},
        "pin factory lgpio",
        PROBLEM,
        "not installed",
        "pip install",
    ),
    (
        "no Pi",
        {"pins": replace(PINS, computer=Computer(), problem=NO_PI)},
        "pin factory lgpio",
        WARNING,
        "no Raspberry Pi",
        "do without",
    ),
    (
        "a driver that hangs",
        {"pins": replace(PINS, problem=("its driver gives no answer", "restart the computer"))},
        "pin factory lgpio",
        PROBLEM,
        "no answer",
        "restart the computer",
    ),
    (
        "mock pins",
        {"pins": replace(PINS, factory=PinFactory.MOCK)},
        "pin factory mock",
        WARNING,
        "moves no pin",
        "lgpio",
    ),
    (
        "a simulated board that is not there",
        {
            "pins": replace(
                PINS,
                factory=PinFactory.SIMULATE,
                computer=Computer(),
                problem=("no simulated board at /run/hands.sock", "start tamsk-hw simulate"),
            )
        },
        "simulated panel",
        PROBLEM,
        "no simulated board at /run/hands.sock",
        "start tamsk-hw simulate",
    ),
    (
        "port cannot be opened",
        {"link": replace(UNREACHED, problem=PortNotOpened("/dev/x", PortTrouble.IN_USE, "busy"))},
        "link",
        PROBLEM,
        "/dev/x: in use by another program",
        "end the other program",
    ),
    ("silence", {"link": UNREACHED}, "link", PROBLEM, "says nothing for 5 s", "supply and cable"),
    (
        "another device",
        {"link": replace(UNREACHED, statistics=LinkStatistics(received_bytes=812))},
        "link",
        PROBLEM,
        "812 bytes came in 5 s, and no frame",
        "another device",
    ),
    (
        "an echo of what is sent",
        {"link": replace(UNREACHED, statistics=LinkStatistics(received_bytes=812, frames=100))},
        "link",
        PROBLEM,
        "812 bytes came in 5 s, and no frame of a board",
        "another device",
    ),
    (
        "not heard by the board",
        {"link": replace(UNREACHED, statistics=LinkStatistics(received_bytes=812, frames=100, heard=True))},
        "link",
        PROBLEM,
        "no HELLO",
        "cable",
    ),
    (
        "damaged frames",
        {"link": replace(LINK, statistics=replace(LINK.statistics, crc_errors=3, malformed=1))},
        "traffic",
        WARNING,
        "4 damaged",
        "cable",
    ),
    (
        "missing frames",
        {"link": replace(LINK, statistics=replace(LINK.statistics, missing=9))},
        "traffic",
        WARNING,
        "9 missing",
        "cable",
    ),
    (
        "doubled frames",
        {"link": replace(LINK, statistics=replace(LINK.statistics, doubled=11))},
        "traffic",
        WARNING,
        "0 missing, 11 doubled",
        "cable",
    ),
    (
        "few snapshots",
        {"link": replace(LINK, snapshots=14)},
        "traffic",
        WARNING,
        "14 snapshots in 1 s",
        "overloaded",
    ),
    (
        "odd crystal",
        {"link": replace(LINK, statistics=replace(LINK.statistics, clock_error=-0.02))},
        "traffic",
        WARNING,
        "-2.0 % off",
        "crystal",
    ),
    ("low supply", {"link": replace(LINK, faults=0x01)}, "board", PROBLEM, "below about 4.5 V", "5 V, 4 A"),
    ("silent holder", {"link": replace(LINK, faults=0x02)}, "board", WARNING, "red's ring holder", "HX711"),
    ("the other", {"link": replace(LINK, faults=0x04)}, "board", WARNING, "black's ring holder", "HX711"),
    ("slow scan", {"link": replace(LINK, faults=0x08)}, "board", WARNING, "2.5 ms", "180 µs or less; else flash"),
    ("receive error", {"link": replace(LINK, faults=0x10)}, "board", WARNING, "arrives damaged", "cable"),
    (
        "reference",
        {"link": replace(LINK, snapshot=snapshot(references=(64, 192, 191)))},
        "board",
        PROBLEM,
        "2/4 reads 192, not 128",
        "select lines",
    ),
    (
        "another board",
        {"configuration": replace(SOUND.configuration, board=BoardSettings(port="/dev/ttyUSB0", board_id=5))},
        "versions",
        PROBLEM,
        "board 007a3517",
        "asks for board 00000005",
    ),
    (
        "brown-out",
        {"link": replace(LINK, hello=replace(HELLO, reset_cause=ResetCause.BROWN_OUT))},
        "reset",
        WARNING,
        "brown-out",
        "supply",
    ),
    (
        "watchdog",
        {"link": replace(LINK, hello=replace(HELLO, reset_cause=ResetCause.WATCHDOG))},
        "reset",
        WARNING,
        "watchdog",
        "flash",
    ),
    (
        "not calibrated",
        {"calibration": KnownCalibration()},
        "calibration",
        WARNING,
        "not there",
        "calibrate sensors",
    ),
    (
        "half calibrated",
        {"calibration": replace(KNOWN, measured=KNOWN.measured - {"D4", "timer"})},
        "calibration",
        WARNING,
        "not calibrated are D4 timer",
        "calibrate sensors",
    ),
    (
        "broken calibration",
        {"calibration": KnownCalibration(problem="is no TOML: line 3")},
        "calibration",
        PROBLEM,
        "is no TOML: line 3",
        "calibrate sensors",
    ),
    (
        "old calibration",
        {"calibration": replace(KNOWN, modified=NOW - 800 * DAY)},
        "calibration",
        WARNING,
        "800 days old",
        "calibrate sensors",
    ),
    (
        "journal in a file",
        {"disk": replace(DISK, is_folder=False)},
        "disk",
        PROBLEM,
        "no folder",
        "journal.folder",
    ),
    ("journal closed", {"disk": replace(DISK, writable=False)}, "disk", PROBLEM, "may not write", "owner"),
    ("disk full", {"disk": replace(DISK, free=2 * 2**20)}, "disk", PROBLEM, "2.0 MiB free", "make room"),
    ("disk nearly full", {"disk": replace(DISK, free=50 * 2**20)}, "disk", WARNING, "50.0 MiB free", "make room"),
    ("disk silent", {"disk": replace(DISK, free=None)}, "disk", WARNING, "does not say", "df"),
    ("clock back", {"clock": replace(CLOCK, backward=0.5)}, "clock", PROBLEM, "went back by 0.5 s", "update"),
    ("clock not set", {"clock": replace(CLOCK, year=1970)}, "clock", WARNING, "in 1970", "timedatectl"),
    ("clock alone", {"clock": replace(CLOCK, synchronised=False)}, "clock", WARNING, "not set by", "set-ntp"),
]


@pytest.mark.parametrize(
    ("change", "subject", "severity", "words", "advice"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_one_thing_wrong_is_one_line_with_what_to_do(
    change: dict[str, Any], subject: str, severity: Severity, words: str, advice: str
) -> None:
    (finding,) = wrong(replace(SOUND, **change))
    assert (finding.subject, finding.severity) == (subject, severity)
    assert words in finding.cause
    assert advice in finding.advice


@pytest.mark.parametrize(
    ("hello", "advice"),
    [
        (replace(HELLO, wiring_hash=0xBAD), "built from this map"),
        (replace(HELLO, protocol=(2, 0)), "belongs to this program"),
    ],
)
def test_a_refused_board_is_told_with_both_versions(hello: Hello, advice: str) -> None:
    refused = replace(UNREACHED, problem=OtherBoard(0x7A3517, 5), hello=hello)
    link, versions = wrong(replace(SOUND, link=refused))
    assert (link.subject, link.severity) == ("link", PROBLEM)
    assert "board 007a3517 is not the configured 00000005" in link.cause
    assert "connect that one" in link.advice
    assert (versions.subject, versions.severity) == ("versions", PROBLEM)
    assert "wiring d26e7b07" in versions.cause
    assert f"wiring {hello.wiring_hash:08x}" in versions.cause
    assert advice in versions.advice


def test_what_is_switched_off_is_not_missed() -> None:
    assert wrong(replace(SOUND, pins=replace(PINS, needed=False, problem=NO_PI))) == []


def test_that_nobody_tells_of_the_time_of_day_is_no_fault() -> None:
    assert wrong(replace(SOUND, clock=replace(CLOCK, synchronised=None))) == []
