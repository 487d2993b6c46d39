"""The core's side of a talk: HELLO first, what it says of faults and signals, and when. Answers: the fuzzer's."""

from collections.abc import Sequence

import pytest

from tamsk_hw.board import protocol
from tests.firmware.core_board import HOST_SILENT, SCAN, Scan, Script
from tests.firmware.core_program import Core, byte_strings

REST = Scan()


def faults(messages: Sequence[protocol.Message | None]) -> list[int]:
    return [message.faults for message in messages if isinstance(message, protocol.Snapshot)]


def test_a_zero_byte_and_hello_come_first_and_once(core: Core) -> None:
    script = Script()
    script.scan(SCAN, REST)
    script.frame(SCAN)
    script.frame(SCAN)
    script.frame(SCAN)
    first, second, third = byte_strings(script.run_raw(core))
    hello = protocol.Hello(0, (2, 0), (1, 0, 0), 42, 257, protocol.ResetCause.EXTERNAL, 0xD26E7B07, holders=2)
    assert first == b"\0" + protocol.encode(hello)
    assert second[1:3] == bytes([2, 1])  # a SNAPSHOT of seq 1
    assert third == b""


def silence(core: Core, begin: int) -> list[bool]:
    """HOST_SILENT in the snapshots of six seconds from controller time ``begin`` on; heard after one second."""
    script = Script(begin)
    script.frame(begin)
    for tick in range(1, 121):
        now = begin + tick * 50000
        if tick == 20:
            script.hear(now - 1, protocol.Heartbeat(0))
        script.scan(now, REST)
        script.frame(now)
    return [bool(flags & HOST_SILENT) for flags in faults(script.run(core))]


# 71 minutes and 35 seconds after the start the clock turns, here in the midst.
@pytest.mark.parametrize("begin", [0, (1 << 32) - 2_500_000])
def test_host_silent_from_the_start_and_three_seconds_after_the_last_frame(core: Core, begin: int) -> None:
    assert silence(core, begin) == [True] * 19 + [False] * 60 + [True] * 41


def test_a_silent_host_stays_silent_when_the_clock_turns(core: Core) -> None:
    script = Script(0)
    script.frame(0)
    script.hear(0, protocol.Heartbeat(0))
    for now in (SCAN, 3_000_000, (1 << 32) + SCAN):
        script.scan(now, REST)
        script.frame(now)
    assert [bool(flags & HOST_SILENT) for flags in faults(script.run(core))] == [False, True, True]


def test_events_come_in_one_snapshot_at_once_and_ask_for_no_second(core: Core) -> None:
    script = Script()
    script.frame(0)
    script.hear(0, protocol.Heartbeat(0))
    for tick in range(1, 8):
        if tick == 3:
            script.event(protocol.FaultFlag.SUPPLY_LOW)
            script.event(protocol.FaultFlag.SCAN_OVERRUN)
        script.scan(tick * SCAN, REST)
        script.frame(tick * SCAN)
    messages = script.run(core)[1:]
    flags = int(protocol.FaultFlag.SUPPLY_LOW | protocol.FaultFlag.SCAN_OVERRUN)
    assert [message.faults if isinstance(message, protocol.Snapshot) else None for message in messages] == [
        0,
        None,
        flags,
        None,
        None,
        None,
        None,
    ]


def test_an_event_after_the_scan_that_is_sent_is_not_lost(core: Core) -> None:
    script = Script()
    script.frame(0)
    script.hear(0, protocol.Heartbeat(0))
    script.scan(SCAN, REST)
    script.event(protocol.FaultFlag.SUPPLY_LOW)
    script.frame(SCAN)
    script.scan(2 * SCAN, REST)
    script.frame(2 * SCAN)
    assert faults(script.run(core)) == [0, int(protocol.FaultFlag.SUPPLY_LOW)]


@pytest.mark.parametrize("holders", [0, 2])
def test_a_silent_holder_is_named_after_a_tenth_of_a_second(core: Core, holders: int) -> None:
    script = Script(holders=holders)
    script.frame(0)
    script.hear(0, protocol.Heartbeat(0))
    for tick in range(1, 9):
        now = tick * 50000
        if holders and tick in (1, 2, 3, 4, 7):
            script.holder(now, 0, -5)
        script.scan(now, REST)
        script.frame(now)
    red, black = int(protocol.FaultFlag.HOLDER_RED_SILENT), int(protocol.FaultFlag.HOLDER_BLACK_SILENT)
    snapshots = [message for message in script.run(core) if isinstance(message, protocol.Snapshot)]
    wanted = [0, black, black, black, black, black | red, black, black] if holders else [0] * 8
    assert [snapshot.faults for snapshot in snapshots] == wanted
    assert {snapshot.holders for snapshot in snapshots} == {(-5 if holders else 0, 0)}


def test_the_signals_of_all_chips_are_told_once_a_second(core: Core) -> None:
    script = Script()
    script.frame(0)
    script.hear(0, protocol.Heartbeat(0))
    times: list[int] = []
    for tick in range(1, 501):
        script.scan(tick * SCAN, REST)
        for _ in range(3):
            times.append(tick * SCAN)
            script.frame(tick * SCAN)
    told = [
        (now, message.chip)
        for now, message in zip(times, script.run(core)[1:], strict=True)
        if isinstance(message, protocol.RingSignals)
    ]
    assert told == [(place * 125_000, (place - 1) % 8) for place in range(1, 11)]
