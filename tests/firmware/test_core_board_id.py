"""The core and its board id: SET_BOARD_ID is answered when the id is written, or at once when it is refused."""

from tamsk_hw.board.protocol import Hello, Identify, Message, SetBoardId
from tests.firmware.core_board import HELLO_VALUES, Script, read
from tests.firmware.core_program import Core, byte_strings

#: The id of the board of `Script`.
OLD = HELLO_VALUES[5]


def told(messages: list[Message | None]) -> list[int | None]:
    """The board id of each HELLO, None where no frame came."""
    assert all(message is None or isinstance(message, Hello) for message in messages)
    return [message.board_id if isinstance(message, Hello) else None for message in messages]


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
