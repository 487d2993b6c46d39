"""The real firmware's answers to frames from the host, good and damaged: PROTOCOL.md sections 2, 3 and 5.

The frames are the golden ones. Each is sent alone; what the board says within `WINDOW` afterwards is its answer.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tamsk_hw.board.protocol import (
    Decoder,
    FaultFlag,
    Hello,
    Identify,
    Message,
    RingSignals,
    Set,
    SetBoardId,
    Settings,
    SettingsReport,
    Snapshot,
)
from tests.firmware.core_program import GOLDEN, frame_of
from tests.firmware.emulator.emulated import SECOND, WIRING, Emulator, at_rest, running

FRAMES = {each["name"]: bytes.fromhex(each["frame"]) for each in GOLDEN["messages"]}
IDENTIFY, SET, HEARTBEAT = FRAMES["identify"], FRAMES["set"], FRAMES["heartbeat"]

#: The settings of the golden SET (section 5.2's layout), and those after a reset.
GOLDEN_SETTINGS = Settings(0, 65535, 5000, 60000)
RESET_SETTINGS = Settings(2, 500, 2500, 50000)

#: Cycles of a byte at 500 000 baud.
BYTE = 320

#: Bytes that the firmware holds for certain while it scans (firmware/avr/serial.c), and cycles in which it has
#: looked at them all. Of more at once some may be lost, which RECEIVE_ERROR tells.
AT_ONCE = 120
LOOKED_AT = SECOND * 10 // 1000

#: A snapshot comes at least every 60 ms, whatever is set; a scan takes 2.5 ms, a frame less than 2.
WINDOW = SECOND * 65 // 1000

#: Section 5.5: a board id is written within 100 ms.
ANSWER_WINDOW = SECOND * 100 // 1000 + WINDOW


class Board:
    """The firmware on the emulated controller: no rings, fields at half the supply, silent load cells."""

    def __init__(self, emulator: Emulator) -> None:
        self._emulator = emulator
        at_rest(emulator, holders=False)
        self.decoder = Decoder()
        self.reset()

    def reset(self) -> None:
        """Reset the board and say hello to it; nothing of what it sent before is looked at."""
        self._emulator.ask("reset")
        self._emulator.run(SECOND // 20)
        sent = bytes(byte for _, byte in self._emulator.sent())
        self.decoder.restart()
        self.decoder.feed(sent[sent.rfind(0) + 1 :])  # the beginning of a frame that is being sent
        (self.hello,) = (message for message in self.say(b"\0" + IDENTIFY) if isinstance(message, Hello))

    def say_timed(self, data: bytes, window: int = WINDOW) -> list[tuple[float, Message]]:
        """Messages of the board until ``window`` after the end of ``data``.

        Each message comes with the milliseconds from that end to its own.
        """
        for begin in range(0, len(data) - AT_ONCE, AT_ONCE):
            self._emulator.send(data[begin : begin + AT_ONCE])
            self._emulator.run(AT_ONCE * BYTE + LOOKED_AT)
        last = data[(len(data) - 1) // AT_ONCE * AT_ONCE :]
        ended = self._emulator.time() + len(last) * BYTE
        self._emulator.send(last)
        self._emulator.run_to(ended + window)
        heard = []
        for cycle, byte in self._emulator.sent():
            heard += [((cycle - ended) * 1000 / SECOND, message) for message in self.decoder.feed(bytes([byte]))]
        return heard

    def say(self, data: bytes, window: int = WINDOW) -> list[Message]:
        return [message for _, message in self.say_timed(data, window)]

    def flood(self, data: bytes) -> list[Message]:
        """Its messages when all of ``data`` comes at the line's full speed."""
        self._emulator.send(data)
        self._emulator.run(len(data) * BYTE + WINDOW)
        return self.decoder.feed(bytes(byte for _, byte in self._emulator.sent()))


@pytest.fixture(scope="module")
def running_board(
    firmware: Path, emulator_binary: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Board]:
    with running(emulator_binary, firmware, tmp_path_factory.mktemp("board")) as emulator:
        board = Board(emulator)
        yield board
        assert emulator.checks() == []
        counters = board.decoder.counters
        # Whatever it was told, each of its own frames was whole and none was left out.
        assert (counters.malformed, counters.crc_errors, counters.unknown, counters.misshapen) == (0, 0, 0, 0)
        assert counters.gaps == 0


@pytest.fixture
def board(running_board: Board) -> Board:
    """As after a reset; only HOST_SILENT is cleared already."""
    running_board.reset()
    return running_board


def kinds(messages: list[Message]) -> Counter[type[Message]]:
    """Number of messages of each type, aside from those that come by themselves."""
    return Counter(type(message) for message in messages if not isinstance(message, Snapshot | RingSignals))


def told_of_damage(messages: list[Message]) -> int:
    """Number of snapshots with RECEIVE_ERROR. With no snapshot at all nothing would be proved."""
    snapshots = [message for message in messages if isinstance(message, Snapshot)]
    assert snapshots
    return sum(bool(snapshot.faults & FaultFlag.RECEIVE_ERROR) for snapshot in snapshots)


def settings_held(board: Board) -> Settings:
    """Settings of the board, told in answer to a SET that it cannot take (intervals of 0)."""
    answers = [each for each in board.say(frame_of(b"\x12\0" + bytes(7))) if isinstance(each, SettingsReport)]
    assert len(answers) == 1
    return answers[0].settings


def pieces(data: bytes) -> list[bytes]:
    """A stream cut behind each of its zero bytes."""
    cut = [piece + b"\0" for piece in data.split(b"\0")]
    cut[-1] = cut[-1][:-1]
    return [piece for piece in cut if piece]


@pytest.mark.parametrize("stream", GOLDEN["streams"], ids=lambda stream: str(stream["name"]))
def test_each_frame_of_a_golden_stream(board: Board, stream: dict[str, Any]) -> None:
    by_name = {each["name"]: each["message"] for each in GOLDEN["messages"]}
    damaged = 0
    answers: Counter[type[Message]] = Counter()
    decoder = Decoder()
    for piece in pieces(bytes.fromhex("".join(stream["chunks"]))):
        before = decoder.counters
        told = decoder.feed(piece)
        after = decoder.counters
        heard = board.say(piece, ANSWER_WINDOW)
        wanted = {Identify: Hello, Set: SettingsReport, SetBoardId: Hello}
        assert kinds(heard) == Counter(wanted[type(each)] for each in told if type(each) in wanted)
        errors = after.malformed + after.crc_errors - before.malformed - before.crc_errors
        assert told_of_damage(heard) == errors
        damaged += errors
        answers += kinds(heard)
    # And over the whole stream what the data file says, without the Python decoder's help.
    names = Counter(by_name[name]["type"] for name in stream["messages"])
    assert damaged == stream["counters"]["malformed"] + stream["counters"]["crc_errors"]
    assert answers == +Counter({Hello: names["IDENTIFY"] + names["SET_BOARD_ID"], SettingsReport: names["SET"]})


@pytest.mark.parametrize(
    "stream",
    [stream for stream in GOLDEN["streams"] if not stream["name"].startswith("alone: ")],
    ids=lambda stream: str(stream["name"]),
)
def test_the_frames_of_a_golden_stream_close_together(board: Board, stream: dict[str, Any]) -> None:
    heard = board.say(bytes.fromhex("".join(stream["chunks"])), ANSWER_WINDOW)
    errors = stream["counters"]["malformed"] + stream["counters"]["crc_errors"]
    # A snapshot may tell of two damages; without damage none does, so no byte was lost either.
    assert bool(errors) == bool(told_of_damage(heard))
    assert told_of_damage(heard) <= errors


def test_bytes_lost_in_a_flood_are_told_of_and_what_comes_after_is_read(board: Board) -> None:
    heard = board.flood(HEARTBEAT * 200)
    assert told_of_damage(heard) > 0
    heard = board.say(b"\0" + IDENTIFY + SET)
    assert kinds(heard) == {Hello: 1, SettingsReport: 1}
    assert kinds(board.say(IDENTIFY)) == {Hello: 1}
    assert told_of_damage(board.say(HEARTBEAT)) == 0


def test_hello_comes_within_20_ms(board: Board) -> None:
    heard = [(at, each) for at, each in board.say_timed(IDENTIFY) if isinstance(each, Hello)]
    assert len(heard) == 1
    (at, hello) = heard[0]
    # A snapshot that is being sent has 75 bytes, the HELLO itself 29, each 0.02 ms.
    assert 0 < at <= 20 + (75 + 29) * 0.02
    assert (hello.protocol, hello.board_id, hello.boot_id) == ((2, 0), board.hello.board_id, board.hello.boot_id)
    assert (hello.wiring_hash, hello.ring_bits) == (WIRING.hash, 64)
    assert (hello.fields, hello.references, hello.holders) == (38, 3, 2)
    assert hello.silent_chips == 0


def test_a_set_is_taken_and_told(board: Board) -> None:
    assert settings_held(board) == RESET_SETTINGS
    heard = board.say(SET)
    assert [each.settings for each in heard if isinstance(each, SettingsReport)] == [GOLDEN_SETTINGS]
    assert told_of_damage(heard) == 0
    assert settings_held(board) == GOLDEN_SETTINGS
    board.reset()
    assert settings_held(board) == RESET_SETTINGS


def test_frames_joined_in_one_piece_are_all_answered(board: Board) -> None:
    heard = board.say(IDENTIFY + SET + HEARTBEAT + b"\0\0" + IDENTIFY + SET + SET + IDENTIFY)
    assert kinds(heard) == {Hello: 3, SettingsReport: 3}
    assert told_of_damage(heard) == 0


def test_a_self_test_is_answered_with_all_signals_within_50_ms(board: Board) -> None:
    board.say(b"\0", SECOND)
    heard = [(at, each) for at, each in board.say_timed(FRAMES["self_test"]) if isinstance(each, RingSignals)]
    in_turn = [each.chip for _, each in heard]
    assert set(in_turn) == set(range(8))
    assert heard[in_turn.index(7)][0] <= 50
    for _, message in heard:
        for each in message.signals:
            # No ring, no stray light, no noise: nothing but what the light does to ground and supply.
            assert abs(each.mean) <= 16
            assert each.deviation <= 16
            assert (each.threshold, each.dark) == (0, 0)


def test_thresholds_are_taken_and_told_until_a_reset(board: Board) -> None:
    golden = next(each["message"] for each in GOLDEN["messages"] if each["name"] == "set_thresholds")
    for frame, due in ((FRAMES["set_thresholds"], bytes.fromhex(golden["thresholds"])), (None, bytes(8))):
        if frame is None:
            board.reset()
        heard = board.say(frame or FRAMES["self_test"])
        told = [each for each in heard if isinstance(each, RingSignals) and each.chip == golden["chip"]]
        assert bytes(each.threshold for each in told[0].signals) == due
