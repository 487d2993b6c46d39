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

#: What is changed, and the finding: its severity, subject, and words of its cause and its advice.
CASES: list[tuple[dict[str, Any], str]] = [
    (
        {
            "refusal": ConfigError("c.toml: line 1: board.prt: unknown key"),
            "port": None,
            "link": None,
            "pins": None,
        },
        "problem configuration: line 1: board.prt → config check",
    ),
    (
        {"warnings": (Finding(WARNING, "lights", '"gpio" needs root', 'use "spi"'),)},
        'warning lights: needs root → use "spi"',
    ),
    (
        {
            "warnings": (
                Finding(
                    WARNING, "service", "journal.folder: may not write in /srv", "sudo systemctl edit tamsk-hw"
                ),
            )
        },
        "warning service: may not write → systemctl edit",
    ),
    ({"port": None, "link": None, "pins": None}, "warning port: simulated one → board.port"),
    ({"port": replace(PORT, exists=False), "link": None}, "problem port: not there → plug in"),
    ({"port": replace(PORT, is_line=False), "link": None}, "problem port: no serial line → board.port"),
    (
        {"port": replace(PORT, may_use=False, in_group=False), "link": None},
        "problem port: may not use /dev/ttyUSB0, which belongs to the group dialout → usermod -aG dialout ann",
    ),
    (
        {"port": replace(PORT, may_use=False, in_group=False, group_may=False), "link": None},
        "problem port: may not use → udev rule",
    ),
    (
        {"port": replace(PORT, may_use=False, in_group=False, group="root"), "link": None},
        "problem port: group root → udev rule",
    ),
    ({"port": replace(PORT, may_use=False), "link": None}, "problem port: may not use → owner and mode"),
    (
        {"port": replace(PORT, holders={7: "minicom"}), "link": None},
        "problem port: in use by minicom (process 7) → end that program",
    ),
    (
        {"port": replace(PORT, holders={7: "tamsk-hw"}), "link": None},
        "warning port: in use by tamsk-hw → systemctl stop tamsk-hw",
    ),
    (
        {"pins": replace(PINS, problem=("lgpio is not installed", "pip install tamsk-hw"))},
        "problem pin factory lgpio: not installed → pip install",
    ),
    (
        {"pins": replace(PINS, computer=Computer(), problem=NO_PI)},
        "warning pin factory lgpio: no Raspberry Pi → do without",
    ),
    (
        {"pins": replace(PINS, problem=("its driver gives no answer", "restart the computer"))},
        "problem pin factory lgpio: no answer → restart the computer",
    ),
    ({"pins": replace(PINS, factory=PinFactory.MOCK)}, "warning pin factory mock: moves no pin → lgpio"),
    (
        {
            "pins": replace(
                PINS,
                factory=PinFactory.SIMULATE,
                computer=Computer(),
                problem=("no simulated board at /run/hands.sock", "start tamsk-hw simulate"),
            )
        },
        "problem simulated panel: no simulated board at /run/hands.sock → start tamsk-hw simulate",
    ),
    (
        {"link": replace(UNREACHED, problem=PortNotOpened("/dev/x", PortTrouble.IN_USE, "busy"))},
        "problem link: /dev/x: in use by another program → end the other program",
    ),
    ({"link": UNREACHED}, "problem link: says nothing for 5 s → supply and cable"),
    (
        {"link": replace(UNREACHED, statistics=LinkStatistics(received_bytes=812))},
        "problem link: 812 bytes came in 5 s, and no frame → another device",
    ),
    (
        {"link": replace(UNREACHED, statistics=LinkStatistics(received_bytes=812, frames=100))},
        "problem link: 812 bytes came in 5 s, and no frame of a board → another device",
    ),
    (
        {"link": replace(UNREACHED, statistics=LinkStatistics(received_bytes=812, frames=100, heard=True))},
        "problem link: no HELLO → cable",
    ),
    (
        {"link": replace(LINK, statistics=replace(LINK.statistics, crc_errors=3, malformed=1))},
        "warning traffic: 4 damaged → cable",
    ),
    (
        {"link": replace(LINK, statistics=replace(LINK.statistics, missing=9))},
        "warning traffic: 9 missing → cable",
    ),
    (
        {"link": replace(LINK, statistics=replace(LINK.statistics, doubled=11))},
        "warning traffic: 0 missing, 11 doubled → cable",
    ),
    ({"link": replace(LINK, snapshots=14)}, "warning traffic: 14 snapshots in 1 s → overloaded"),
    (
        {"link": replace(LINK, statistics=replace(LINK.statistics, clock_error=-0.02))},
        "warning traffic: -2.0 % off → crystal",
    ),
    ({"link": replace(LINK, faults=1)}, "problem board: below about 4.5 V → 5 V, 4 A"),
    ({"link": replace(LINK, faults=2)}, "warning board: red's ring holder → HX711"),
    ({"link": replace(LINK, faults=4)}, "warning board: black's ring holder → HX711"),
    ({"link": replace(LINK, faults=8)}, "warning board: 2.5 ms → 180 µs or less; else flash"),
    ({"link": replace(LINK, faults=16)}, "warning board: arrives damaged → cable"),
    (
        {"link": replace(LINK, snapshot=snapshot(references=(64, 192, 191)))},
        "problem board: 2/4 reads 192, not 128 → select lines",
    ),
    (
        {"configuration": replace(SOUND.configuration, board=BoardSettings(port="/dev/ttyUSB0", board_id=5))},
        "problem versions: board 007a3517 → asks for board 00000005",
    ),
    (
        {"link": replace(LINK, hello=replace(HELLO, reset_cause=ResetCause.BROWN_OUT))},
        "warning reset: brown-out → supply",
    ),
    (
        {"link": replace(LINK, hello=replace(HELLO, reset_cause=ResetCause.WATCHDOG))},
        "warning reset: watchdog → flash",
    ),
    ({"calibration": KnownCalibration()}, "warning calibration: not there → calibrate sensors"),
    (
        {"calibration": replace(KNOWN, measured=KNOWN.measured - {"D4", "timer"})},
        "warning calibration: not calibrated are D4 timer → calibrate sensors",
    ),
    (
        {"calibration": KnownCalibration(problem="is no TOML: line 3")},
        "problem calibration: is no TOML: line 3 → calibrate sensors",
    ),
    (
        {"calibration": replace(KNOWN, modified=NOW - 800 * DAY)},
        "warning calibration: 800 days old → calibrate sensors",
    ),
    ({"disk": replace(DISK, is_folder=False)}, "problem disk: no folder → journal.folder"),
    ({"disk": replace(DISK, writable=False)}, "problem disk: may not write → owner"),
    ({"disk": replace(DISK, free=2 * 2**20)}, "problem disk: 2.0 MiB free → make room"),
    ({"disk": replace(DISK, free=50 * 2**20)}, "warning disk: 50.0 MiB free → make room"),
    ({"disk": replace(DISK, free=None)}, "warning disk: does not say → df"),
    ({"clock": replace(CLOCK, backward=0.5)}, "problem clock: went back by 0.5 s → update"),
    ({"clock": replace(CLOCK, year=1970)}, "warning clock: in 1970 → timedatectl"),
    ({"clock": replace(CLOCK, synchronised=False)}, "warning clock: not set by → set-ntp"),
]


@pytest.mark.parametrize(("change", "expected"), CASES, ids=[case[1] for case in CASES])
def test_one_thing_wrong_is_one_line_with_what_to_do(change: dict[str, Any], expected: str) -> None:
    (finding,) = wrong(replace(SOUND, **change))
    head, _, rest = expected.partition(": ")
    cause, _, advice = rest.partition(" → ")
    assert f"{finding.severity.value} {finding.subject}" == head
    assert cause in finding.cause
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
