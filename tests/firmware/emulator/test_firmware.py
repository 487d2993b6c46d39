"""The controller's real program on the emulated ATmega328P: what its sensors see comes out in its frames."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

from tamsk_hw.board.link_events import Connected, SnapshotArrived
from tamsk_hw.board.protocol import Decoder, Hello, Identify, Message, ResetCause, Snapshot, encode
from tamsk_hw.board.session import LinkSession
from tamsk_hw.board.wiring import load_wiring
from tests.firmware.emulator.emulated import SECOND, Emulator, running

WIRING = load_wiring()


def a_quiet_board(board: Emulator) -> None:
    """All fields at half of 5 V, the references at their quarters, no rings, both load cells at rest."""
    board.ask("reflect all 9")
    for channel in WIRING.channels:
        board.ask(f"field {channel.mux} {channel.address} 2500")
    for quarter, channel in enumerate(WIRING.references, start=1):
        board.ask(f"field {channel.mux} {channel.address} {1250 * quarter}")
    board.ask("holder 0 1000")
    board.ask("holder 1 -1000")


def heard(board: Emulator, decoder: Decoder) -> list[Message]:
    return decoder.feed(bytes(byte for _, byte in board.sent()))


def test_it_says_who_it_is_and_reports_its_sensors(firmware: Path, emulator_binary: Path, tmp_path: Path) -> None:
    chance = Random(3)
    rings = chance.getrandbits(64)
    millivolts = [chance.randrange(300, 4700) for _ in WIRING.channels]
    with running(emulator_binary, firmware, tmp_path) as board:
        a_quiet_board(board)
        for bit in range(64):
            board.ask(f"reflect {bit} {300 if rings >> bit & 1 else 9}")
        for channel, volts in zip(WIRING.channels, millivolts, strict=True):
            board.ask(f"field {channel.mux} {channel.address} {volts}")
        board.run(SECOND)
        decoder = Decoder()
        messages = heard(board, decoder)
        assert board.checks() == []
    hello, *rest = messages
    assert isinstance(hello, Hello)
    assert hello.wiring_hash == WIRING.hash
    last = rest[-1]
    assert isinstance(last, Snapshot)
    assert last.rings == rings
    assert last.dark == 0
    assert [abs(got - volts * 256 / 5000) <= 1.5 for got, volts in zip(last.fields, millivolts, strict=True)] == [
        True
    ] * len(millivolts)
    assert [abs(got - want) <= 1 for got, want in zip(last.references, (64, 128, 192), strict=True)] == [True] * 3
    assert last.holders == (1000, -1000)
    assert decoder.counters.crc_errors == decoder.counters.malformed == decoder.counters.gaps == 0


def test_a_still_board_sends_every_50_ms_and_a_change_at_once(
    firmware: Path, emulator_binary: Path, tmp_path: Path
) -> None:
    with running(emulator_binary, firmware, tmp_path) as board:
        a_quiet_board(board)
        board.run(SECOND)
        board.sent()
        decoder = Decoder()
        board.run(SECOND)
        still = [message for message in heard(board, decoder) if isinstance(message, Snapshot)]
        assert 19 <= len(still) <= 21
        gaps = {(b.time - a.time) & 0xFFFFFFFF for a, b in pairwise(still)}
        assert max(gaps) <= 50_250  # PROTOCOL.md section 4: 50 ms, give or take 0.25
        while not heard(board, decoder):
            board.run(SECOND // 1000)  # until the line is quiet for 50 ms
        board.ask("reflect 17 300")
        begin = board.time()
        board.run(SECOND // 100)
        stamps = board.sent()
        first = decoder.feed(bytes(byte for _, byte in stamps))[0]
        assert isinstance(first, Snapshot)
        assert first.rings == 1 << 17
        # Two and a half periods and a frame of 75 bytes at 20 us, at the very most.
        assert (stamps[74][0] - begin) / SECOND <= 0.0025 * 2.5 + 75 * 20e-6


def test_it_answers_the_host_and_boots_anew_after_a_reset(
    firmware: Path, emulator_binary: Path, tmp_path: Path
) -> None:
    with running(emulator_binary, firmware, tmp_path) as board:
        a_quiet_board(board)
        board.run(SECOND // 2)
        decoder = Decoder()
        first = heard(board, decoder)[0]
        board.send(b"\0" + encode(Identify(0)))
        board.run(SECOND // 10)
        again = [message for message in heard(board, decoder) if isinstance(message, Hello)]
        assert isinstance(first, Hello)
        assert [hello.boot_id for hello in again] == [first.boot_id]
        board.ask("reset")
        board.run(SECOND // 2)
        decoder = Decoder()
        reset = next(message for message in heard(board, decoder) if isinstance(message, Hello))
    assert reset.boot_id != first.boot_id
    assert reset.reset_cause is ResetCause.EXTERNAL


def test_the_hosts_own_link_connects_to_it(firmware: Path, emulator_binary: Path, tmp_path: Path) -> None:
    """The same session that reads a real board, in emulated time."""
    session = LinkSession(WIRING.hash)
    session.opened(0.0)
    events = []
    with running(emulator_binary, firmware, tmp_path) as board:
        a_quiet_board(board)
        for step in range(1, 41):
            outgoing = session.take_outgoing()
            if outgoing:
                board.send(outgoing)
            now = board.run_to(step * SECOND // 20) / SECOND
            events += session.receive(bytes(byte for _, byte in board.sent()), now)
            events += session.advance(now)
        assert board.checks() == []
    connected = [event for event in events if isinstance(event, Connected)]
    assert connected
    arrived = [event for event in events if isinstance(event, SnapshotArrived)]
    assert len(arrived) > 30
    assert not any(event.missed for event in arrived)
    assert session.statistics.crc_errors == 0
