"""The terminal picture, read as plain text."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console
from rich.segment import Segment

from tamsk_hw.game.tubes import TUBES, Tube
from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.referee.rulings import Empty, GameOver, Mend, Moved, Reason, RingCount
from tamsk_hw.referee.view import GlassState, OpenRing, View
from tamsk_hw.terminal.picture import HEIGHT, WIDTH, picture, picture_svg
from tamsk_hw.words.rulings import line
from tests.panel.boards import BLACK, RED, SCENARIOS, glass, played, view


def rows(now: View, recent: list[str] | None = None, *, columns: int = 80, **options: object) -> list[str]:
    """The rows on a terminal without colours."""
    console = Console(width=columns, height=24, file=StringIO(), no_color=True, force_terminal=False)
    shown = picture(now, diagnose(now), recent or [], **options)  # type: ignore[arg-type]
    return ["".join(s.text for s in row if isinstance(s, Segment)).rstrip() for row in console.render_lines(shown)]


def cell(now: View, tube: Tube) -> tuple[str, str]:
    """The two rows of a tube's cell in the picture of a view."""
    return cell_of(rows(now), tube)


def cell_of(board: list[str], tube: Tube) -> tuple[str, str]:
    """The two rows of a tube's cell: six columns, from its place on the hexagon."""
    row = 3 + int((6 - tube.height) * 2)
    column = 2 + 7 * tube.column
    return (board[row].ljust(80)[column : column + 6], board[row + 1].ljust(80)[column : column + 6])


def test_it_fits_eighty_by_twenty_four() -> None:
    shown = rows(view(glasses=(glass(RED, Tube.A1),)), [line(Moved(1, "R2.1", RED, Tube.D1, Tube.D2, False))] * 9)
    assert (WIDTH, HEIGHT) == (80, 23)
    assert len(shown) == HEIGHT
    assert max(map(len, shown)) <= WIDTH


@pytest.mark.parametrize("tube", TUBES)
def test_every_tube_has_its_cell(tube: Tube) -> None:
    assert cell(view(), tube)[1].startswith(tube.name)


@pytest.mark.parametrize(
    ("held", "upper"),
    [
        (glass(RED, Tube.D4, seconds=180.0), " R█180"),
        (glass(BLACK, Tube.D4, seconds=90.9), " B▅ 90"),
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


def test_what_is_to_be_put_right() -> None:
    seen = [0] * 37
    seen[Tube.B2] = 2
    now = view(
        glasses=(glass(BLACK, Tube.D7, standing=Tube.E5),),
        rings_seen=tuple(seen),
        wrong=(
            Mend(Tube.E5, BLACK, Empty()),
            Mend(Tube.D7, Empty(), BLACK),
            Mend(Tube.B2, RingCount(2), RingCount(0)),
            Mend(Tube.G4, None, Empty()),
        ),
    )
    assert cell(now, Tube.E5)[0] == " B off"
    assert cell(now, Tube.D7)[0] == "B here"
    assert cell(now, Tube.B2)[1] == "B2 -2 "
    assert cell(now, Tube.G4)[0] == " ? off"
    # Too long for one row: the end is left out, visibly.
    assert rows(now)[1] == " Put right: put black's glass from E5 back on D7; take 2 rings off B2 … and 1 …"


def test_players_timer_and_header() -> None:
    shown = rows(view(t=843.0, deadline=852.4, penalty=BLACK), speed=10, board="board 7")
    assert shown[0] == " TAMSK  level 3   turn 5   14:03   10× speed".ljust(72) + "board 7"
    assert shown[1] == " Red to move."
    text = "\n".join(shown)
    for words in (" R  red ◀ to move", " 30 rings ━", " 31 rings ━", "may drop a penalty ring", "9.4 s ━"):
        assert words in text
    assert "15 seconds for red" in text
    assert "15" not in "\n".join(rows(view(level=1)))


def test_a_board_out_of_reach_is_said_so() -> None:
    shown = rows(view(link_lost=True))
    assert shown[0].endswith("simulated board: out of reach")


def test_the_newest_ruling_stands_last_and_long_ones_are_wrapped_whole() -> None:
    long = "00:01.000  " + "word " * 30 + "(R2.1)"
    shown = rows(view(), ["00:00.000  first (R1.1)", long, "00:02.000  last (R1.1)"])
    assert shown[18] == " 00:00.000  first (R1.1)"
    assert " ".join(row.strip() for row in shown[19:22]) == long.strip()
    assert shown[20].startswith(" " * 12 + "word")
    assert shown[22] == " 00:02.000  last (R1.1)"


def test_a_wider_terminal_does_not_break_it() -> None:
    assert [row.rstrip() for row in rows(view(), columns=120)] == [row.rstrip() for row in rows(view())]


def test_every_view_of_a_few_scenarios_has_its_picture() -> None:
    pictures = 0
    for path in SCENARIOS[::25]:
        recent: list[str] = []
        for rulings, now in played(path):
            recent += map(line, rulings)
            shown = rows(now, recent)
            assert len(shown) == HEIGHT
            assert max(map(len, shown)) <= WIDTH
            standing = [held for held in now.glasses if held.standing is not None]
            for held in standing:
                assert held.standing is not None
                upper = cell_of(shown, held.standing)[0]
                assert ("R" if held.owner is RED else "B") in upper
            pictures += 1
    assert pictures > 100


def test_the_svg_shows_the_same() -> None:
    now = view(over=GameOver(90.0, "R5.2", RED, Reason.FEWEST_RINGS, 3, 4))
    svg = picture_svg(now, diagnose(now), ["00:00.000  first"], title="a game")
    assert svg.startswith("<svg")
    plain = svg.replace("&#160;", " ")
    assert "Red wins: fewest rings left (rings left: red 3, black 4). (R5.2)" in plain
    assert "a game" in plain
    assert "has won" in plain
