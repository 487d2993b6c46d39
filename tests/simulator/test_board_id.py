"""The simulated board keeps an id as firmware/PROTOCOL.md section 5.5 says."""

from __future__ import annotations

from binascii import crc_hqx

import pytest
from cobs import cobs

from tamsk_hw.board.protocol import Decoder, Hello, Identify, SetBoardId, encode
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.world import World

NEW = 0x1A2B3C4D


def a_board(board_id: int = 0) -> SimulatedBoard:
    board = SimulatedBoard(World(1), board_id=board_id)
    board.advance(1.0)
    return board


def told(board: SimulatedBoard, until: float) -> list[tuple[float, int]]:
    """When a HELLO left, and the id in it."""
    decoder = Decoder()
    frames = [(sent, decoder.feed(frame)) for sent, frame in board.advance(until)]
    return [(sent, each.board_id) for sent, messages in frames for each in messages if isinstance(each, Hello)]


def test_it_answers_when_it_is_written_and_keeps_it_over_a_reset() -> None:
    board = a_board()
    board.receive(encode(SetBoardId(0, NEW)))
    board.receive(encode(Identify(1)))
    (before, after) = told(board, 1.2)
    assert before[1] == 0
    assert after[1] == NEW
    # Six bytes of 3.4 ms at least; 100 ms and the frames under way at most.
    assert 1.0 + 6 * 0.0034 < after[0] <= 1.0 + 0.1 + 103 * 0.00002
    board.reset()
    assert [board_id for _, board_id in told(board, 1.5)] == [NEW]


def test_of_several_the_last_holds_and_each_is_answered() -> None:
    board = a_board()
    board.receive(encode(SetBoardId(0, 1)) + encode(SetBoardId(1, 2)))
    board.advance(1.01)
    board.receive(encode(SetBoardId(2, 3)))
    assert [board_id for _, board_id in told(board, 1.2)] == [3, 3, 3]


@pytest.mark.parametrize("erased", [0, 0xFFFFFFFF])
def test_an_id_that_means_none_is_answered_at_once_and_not_taken(erased: int) -> None:
    board = a_board(7)
    content = b"\x15\0" + erased.to_bytes(4, "little")  # made by hand: the codec refuses to send it
    board.receive(cobs.encode(content + crc_hqx(content, 0xFFFF).to_bytes(2, "big")) + b"\0")
    ((sent, board_id),) = told(board, 1.2)
    assert board_id == board.board_id == 7
    assert sent < 1.02


def test_a_reset_in_the_midst_of_it_leaves_none_and_it_can_be_set_again() -> None:
    board = a_board(7)
    board.receive(encode(SetBoardId(0, NEW)))
    board.advance(1.01)
    board.reset()
    assert [board_id for _, board_id in told(board, 1.5)] == [0]
    board.receive(encode(SetBoardId(0, NEW)))
    assert [board_id for _, board_id in told(board, 2.0)] == [NEW]
