"""The core and its board id: SET_BOARD_ID is answered when the id is written, or at once when it is refused."""

import pytest
from cobs import cobs

from tests.firmware.core_board import HELLO_VALUES, Script, read
from tests.firmware.core_program import Core, byte_strings
from tests.firmware.protocol import Hello, Identify, Message, SetBoardId, crc16

#: The id of the board of `Script`.
OLD = HELLO_VALUES[5]


def frame_of(content: bytes) -> bytes:
    """A frame made apart from the codec, which sends no id that no board takes."""
    encoded: bytes = cobs.encode(content + crc16(content).to_bytes(2, "big"))
    return encoded + b"\0"


def set_board_id(board_id: int) -> bytes:
    return frame_of(b"\x15\x07" + board_id.to_bytes(4, "little"))


def told(messages: list[Message | None]) -> list[int | None]:
    """The board id of each HELLO, None where no frame came."""
    assert all(message is None or isinstance(message, Hello) for message in messages)
    return [message.board_id if isinstance(message, Hello) else None for message in messages]


def after(script: Script, core: Core) -> tuple[str, list[Message | None]]:
    """The id that is wanted, then what is said: a script that asks for one id and then for frames."""
    wanted, *frames = script.run_raw(core)
    return wanted, read(byte_strings(frames))


@pytest.mark.parametrize("board_id", [1, 0x1A2B3C4D, 0x80000000, 0xFFFFFFFE])
def test_it_is_to_be_written_once_and_answered_when_it_is(core: Core, board_id: int) -> None:
    script = Script()
    script.hear(10, SetBoardId(0, board_id))
    script.board_id_wanted()
    script.frame(20)
    script.frame(30)
    script.board_id_written(board_id)
    script.frame(40)
    script.frame(50)
    wanted, messages = after(script, core)
    assert int(wanted) == board_id
    # The HELLO of the reset, nothing while it is written, then the answer, once.
    assert told(messages) == [OLD, None, board_id, None]
    again = Script()
    again.hear(10, SetBoardId(0, board_id))
    again.board_id_wanted()
    again.board_id_wanted()
    assert again.run_raw(core) == [str(board_id), "-"]


def test_the_answer_tells_what_was_read_back(core: Core) -> None:
    script = Script()
    script.frame(0)
    script.hear(10, SetBoardId(0, 0x0F0F0F0F))
    script.board_id_written(0)  # a worn cell: the record is damaged
    script.frame(20)
    script.frame(30)
    assert told(script.run(core)) == [OLD, 0, None]


@pytest.mark.parametrize("erased", [0, 0xFFFFFFFF])
def test_the_ids_of_an_erased_memory_are_refused_at_once(core: Core, erased: int) -> None:
    script = Script()
    script.hear_bytes(10, set_board_id(erased))
    script.board_id_wanted()
    for now in (20, 30, 40):
        script.frame(now)
    wanted, messages = after(script, core)
    assert wanted == "-"
    assert told(messages) == [OLD, OLD, None]


def test_of_several_the_last_holds_and_each_is_answered(core: Core) -> None:
    script = Script()
    script.frame(0)
    script.hear(10, SetBoardId(0, 111), SetBoardId(1, 222))
    script.board_id_wanted()
    script.hear(20, SetBoardId(2, 333), Identify(3))
    script.board_id_wanted()
    script.frame(30)
    script.frame(40)
    script.board_id_written(333)
    for now in (50, 60, 70, 80):
        script.frame(now)
    hello, first, second, *frames = script.run_raw(core)
    assert (first, second) == ("222", "333")
    # IDENTIFY was answered in between, still with the old id.
    assert told(read(byte_strings([hello, *frames]))) == [OLD, OLD, None, 333, 333, 333, None]
