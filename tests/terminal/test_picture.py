"""The terminal picture, read as plain text."""

import re
from collections.abc import Sequence
from io import StringIO
from typing import Any

import pytest
from rich.console import Console
from rich.segment import Segment
from rich.text import Text

from tamsk_hw.game.notation import Ply, PlyKind
from tamsk_hw.game.tubes import TUBES, End, Tube
from tamsk_hw.panel.diagnosis import Confirmation, KeyList, Prompt, diagnose
from tamsk_hw.referee.events import RING_LIGHT
from tamsk_hw.referee.rulings import Correction, Empty
from tamsk_hw.referee.view import GlassState, OpenRing, View
from tamsk_hw.terminal.picture import Scene, picture, small_picture
from tests.panel.boards import BLACK, RED, glass, view


def rows(now: View, recent: Sequence[str] = (), *, size: tuple[int, int] = (80, 23), **options: Any) -> list[str]:
    """The rows on a terminal without colours."""
    scene = Scene(view=now, diagnosis=diagnose(now), recent=recent, **options)
    return on_terminal(picture(scene, *size), size)


def on_terminal(shown: Text, size: tuple[int, int]) -> list[str]:
    width, height = size
    console = Console(width=width, height=height, file=StringIO(), no_color=True, force_terminal=False)
    return ["".join(s.text for s in row if isinstance(s, Segment)).rstrip() for row in console.render_lines(shown)]


def cell(now: View, tube: Tube) -> tuple[str, str]:
    """The two rows of a tube's cell in the picture of a view."""
    return cell_of(rows(now), tube)


def cell_of(board: list[str], tube: Tube) -> tuple[str, str]:
    """The two rows of a tube's cell: six columns, from its place on the hexagon."""
    row = 3 + int((6 - tube.height) * 2)
    column = 2 + 7 * tube.column
    return (board[row].ljust(80)[column : column + 6], board[row + 1].ljust(80)[column : column + 6])


def test_every_tube_has_its_cell() -> None:
    board = rows(view())
    for tube in TUBES:
        assert cell_of(board, tube)[1].startswith(tube.name)


@pytest.mark.parametrize(
    ("held", "upper"),
    [
        (glass(RED, Tube.D4, seconds=180.0), " R█180"),
        (glass(BLACK, Tube.D4, seconds=90.9), " B▅ 91"),
        (glass(BLACK, Tube.D4, seconds=9.0), " B▁  9"),
        (glass(RED, Tube.D4, GlassState.DOUBTFUL, seconds=(0.0, 8.0)), " R?out"),
        (glass(RED, Tube.D4, GlassState.LOST), " R out"),
        (glass(BLACK, Tube.D4, GlassState.UNSTARTED), " B new"),
        (glass(BLACK, Tube.D4, GlassState.NO_SAND), "  B   "),
        (glass(RED, Tube.D4, standing=None), "R hand"),
    ],
)
def test_glasses_can_be_told_without_colour(held: object, upper: str) -> None:
    assert cell(view(glasses=(held,)), Tube.D4)[0] == upper


def test_rings_full_tubes_and_destinations() -> None:
    counted = [0] * 37
    counted[Tube.D4], counted[Tube.C3], counted[Tube.A1] = 3, 1, 1
    now = view(
        rings=tuple(counted),
        rings_seen=tuple(counted),
        full=frozenset({Tube.A1}),
        destinations=frozenset({Tube.D3}),
        ring_open={Tube.C3: OpenRing(RED)},
    )
    assert cell(now, Tube.D4) == ("      ", "D4●●●·")
    assert cell(now, Tube.C3) == ("      ", "C3_●+·")
    assert cell(now, Tube.A1) == (" full ", "A1___●")
    assert cell(now, Tube.D3)[0] == "→ here"
    assert any("may drop a ring" in row for row in rows(now))


def test_where_rings_cannot_be_read_nobody_says_how_many_there_is_room_for() -> None:
    rings = tuple(1 if tube in (Tube.D4, Tube.A1) else 0 for tube in TUBES)
    unread = {RING_LIGHT: frozenset({Tube.D4, Tube.C3})}
    now = view(rings=rings, rings_seen=rings, unread=unread, ring_open={Tube.C3: OpenRing(RED)})
    assert cell(now, Tube.D4)[1] == "D4●???"
    assert cell(now, Tube.C3)[1] == "C3_???"
    assert cell(now, Tube.A1)[1] == "A1___●"
    assert any("? rings are not read" in row for row in rows(now))


def test_what_is_to_be_put_right() -> None:
    seen = [0] * 37
    seen[Tube.B2] = 2
    now = view(
        glasses=(glass(BLACK, Tube.D7, standing=Tube.E5), glass(RED, Tube.A4)),
        rings_seen=tuple(seen),
        wrong=(
            Correction(Tube.E5, BLACK, Empty()),
            Correction(Tube.D7, Empty(), BLACK),
            Correction(Tube.B2, 2, 0),
            Correction(Tube.G4, None, Empty()),
            Correction(Tube.A4, End.A, End.B),
        ),
    )
    assert cell(now, Tube.E5)[0] == " B off"
    assert cell(now, Tube.D7)[0] == "B here"
    assert cell(now, Tube.B2)[1] == "B2 -2 "
    assert cell(now, Tube.G4)[0] == " ? off"
    assert cell(now, Tube.A4)[0] == "R turn"
    # Too long for one row: the end is left out, visibly.
    assert rows(now)[1] == " Put right: put black's glass from E5 back on D7; take 2 rings off B2 … and 2 …"


def test_players_timer_and_header() -> None:
    shown = rows(view(t=843.0, deadline=852.4, penalty=BLACK), speed=10, board="board 7")
    assert shown[0] == " TAMSK, level 3   turn 5   14:03   10× speed".ljust(72) + "board 7"
    assert rows(view(), speed=10, kept=3.456)[0].startswith(" TAMSK, level 3   turn 5   01:40   3.5× of 10×  ")
    text = "\n".join(shown)
    for words in (" R  red ◀ to move", " 30 rings ━", " 31 rings ━", "may drop a penalty ring", " 10 s ━"):
        assert words in text
    assert "15 seconds for red" in text
    assert "15" not in "\n".join(rows(view(level=1)))


def test_the_first_row_has_the_address_of_the_page() -> None:
    """Beside the board's name where there is room, else in its place."""
    page = "http://127.0.0.1:8137/"
    assert page not in rows(view())[0]
    narrow = rows(view(), board="simulated board, seed 123456", speed=10.0, page=page)[0]
    assert narrow.rstrip().endswith(page)
    assert "seed" not in narrow
    wide = rows(view(), size=(120, 30), board="simulated board, seed 123456", speed=10.0, page=page)[0]
    assert wide.rstrip().endswith(f"simulated board, seed 123456   {page}")


def test_the_newest_ruling_stands_last_and_long_ones_are_wrapped_whole() -> None:
    long = "00:01.000  " + "word " * 18 + "(R2.1)"
    shown = rows(view(), ["00:00.000  first (R1.1)", long, "00:02.000  last (R1.1)"])
    assert shown[18] == " 00:00.000  first (R1.1)"
    assert " ".join(row.strip() for row in shown[19:21]) == long.strip()
    assert shown[20].startswith(" " * 12 + "word")
    assert shown[21] == " 00:02.000  last (R1.1)"
    assert rows(view(), [long], size=(110, 23))[18] == f" {long}", "a line takes further columns"


LINES = [f"00:{second:02}.000  Turn {second}: red to move. (R2.1)" for second in range(60)]


@pytest.mark.parametrize(("size", "room"), [((80, 23), 5), ((80, 24), 6), ((80, 40), 22), ((200, 60), 42)])
def test_the_log_takes_all_further_rows(size: tuple[int, int], room: int) -> None:
    shown = rows(view(), LINES, size=size)
    assert len(shown) == size[1]
    assert [row[:80].strip() for row in shown[18:]] == LINES[-room:]


PLIES = [
    Ply(number=number, player=(BLACK, RED)[number % 2], kind=PlyKind.FORFEIT, ended=1.0)
    for number in range(1, 100)
]


@pytest.mark.parametrize(("width", "first"), [(119, 100), (120, 61), (159, 61), (160, 21), (200, 1)])
def test_the_last_moves_stand_beside_the_board_where_there_is_room(width: int, first: int) -> None:
    """Twenty rows of two turns in each block of 38 columns."""
    shown = rows(view(), LINES, size=(width, 23), plies=PLIES)
    numbers = [int(number) for row in shown[3:] for number in re.findall(r"(\d+)\.  \([RB]\)", row[80:])]
    assert sorted(numbers) == list(range(first, 100))
    assert max(map(len, shown)) <= width


@pytest.mark.parametrize(
    ("prompt", "asked"), [(Confirmation(None), "y yes · n no"), (KeyList(), "these keys")], ids=["end", "keys"]
)
def test_a_question_is_asked_on_any_terminal(prompt: Prompt, asked: str) -> None:
    scene = Scene(view=view(), diagnosis=diagnose(view(), prompt=prompt))
    for size in ((60, 15), (20, 2), (1, 1)):
        shown = on_terminal(small_picture(scene, *size), size)
        assert len(shown) == size[1]
        assert size[0] < 60 or asked in "".join(shown)


@pytest.mark.parametrize("size", [(60, 15), (79, 40), (120, 22), (20, 5), (1, 1)])
def test_a_terminal_that_is_too_small_says_so(size: tuple[int, int]) -> None:
    scene = Scene(view=view(), diagnosis=diagnose(view()), recent=LINES)
    shown = on_terminal(small_picture(scene, *size), size)
    assert len(shown) == size[1]
    words = " ".join(row.strip() for row in shown)
    assert size[0] < 20 or f"this terminal has {size[0]} by {size[1]}." in words
    assert size[0] < 60 or "Red to move. The picture needs 80 by 23 characters;" in words
    assert size[0] < 60 or LINES[-1] in words
