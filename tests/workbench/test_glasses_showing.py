"""Display while glasses are timed: lights, picture, table, and what is typed."""

from __future__ import annotations

import pytest

from tamsk_hw.board.calibration import KnownCalibration
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.game.tubes import TUBE_OF_NAME, End, Tube
from tamsk_hw.panel.lights import PALETTE, milliamps
from tamsk_hw.referee.events import Seat
from tamsk_hw.workbench.figures import TIMED_NAMES, TIMER
from tamsk_hw.workbench.glasses import glass_picture, glass_pixels, prompt, table_lines
from tamsk_hw.workbench.timing import GlassTiming, TimingPhase
from tamsk_hw.workbench.walk import Note, NoteKind
from tests.workbench.test_glasses import Table, run_of, table

WIRING = load_wiring()
DARK = (0, 0, 0)


def light(laid: Table, name: str, t: float, phase_of_second: float = 0.0, **more: bool) -> tuple[int, ...]:
    """Light of a glass's tube, or of the cradle, at ``t``; ``phase_of_second`` within the lights' period."""
    picture = pixels(laid, t, phase_of_second, **more)
    pixel = WIRING.timer_pixel if name == TIMER else WIRING.tube_pixels[TUBE_OF_NAME[name]]
    return tuple(picture[3 * pixel : 3 * pixel + 3])


def pixels(laid: Table, t: float, phase_of_second: float = 0.0, **more: bool) -> bytes:
    timing = laid.timing
    return glass_pixels(timing.views(t), timing.elsewhere, timing.phase, phase_of_second, WIRING, **more)


# ---- lights


def test_a_glass_to_be_turned_is_green_and_less_so_when_that_run_is_not_wanted() -> None:
    laid = table("D1")
    assert light(laid, "D1", 5.0) == PALETTE.destination
    t = 10.0
    for seconds in (180.0, 175.0, 180.0):  # end B, end A, end B: only end A is wanted once more
        laid.turn("D1", t)
        laid.timing.on_typed("D1", run_of(seconds, t))
        t += 250.0
    assert laid.view("D1", t).end is End.B
    assert light(laid, "D1", t) == PALETTE.destination
    laid.lift("D1", t)
    laid.seat("D1", End.A, t + 1)
    laid.timing.on_typed("D1", t + 100.0)
    assert light(laid, "D1", t + 101.0) != PALETTE.destination


def test_the_running_glass_that_ends_next_is_the_brightest_in_its_own_colour() -> None:
    laid = table("D1", "G4", "G1")
    laid.turn("D1", 10.0)
    laid.turn("G4", 30.0)
    laid.turn("G1", 50.0)
    assert light(laid, "D1", 60.0) == PALETTE.red
    assert 0 < sum(light(laid, "G4", 60.0)) < sum(PALETTE.red) / 2
    red, _, blue = light(laid, "G1", 60.0)
    assert blue > red


def test_an_open_call_flashes_those_in_question_and_the_players_lights() -> None:
    laid = table("D1", "G4", "A4")
    laid.turn("D1", 10.0)
    laid.turn("G4", 14.0)
    laid.start(run_of(180.0))
    for name in ("D1", "G4"):
        assert (light(laid, name, 195.0, 0.2), light(laid, name, 195.0, 0.7)) == (PALETTE.ring, DARK)
    assert light(laid, "A4", 195.0, 0.2) == PALETTE.destination
    picture = pixels(laid, 195.0, 0.2)
    for pair in WIRING.player_pixels.values():
        for pixel in pair:
            assert tuple(picture[3 * pixel : 3 * pixel + 3]) == PALETTE.wrong


def test_the_players_lights_are_white_when_start_is_awaited() -> None:
    laid = Table(GlassTiming(("D1",), 2, KnownCalibration()))
    (pixel, _), _ = WIRING.player_pixels.values()
    assert tuple(pixels(laid, 0.5)[3 * pixel : 3 * pixel + 3]) == PALETTE.ring
    laid.start(1.0)
    assert tuple(pixels(laid, 1.5)[3 * pixel : 3 * pixel + 3]) == DARK


def test_what_is_out_of_place_is_lit_where_it_belongs_and_where_it_is() -> None:
    laid = table("D1", "G4")
    laid.lift("D1", 10.0)
    laid.timing.handle(Seat(10.5, Tube.C3, End.A))
    assert light(laid, "D1", 11.0) == PALETTE.belongs
    pixel = WIRING.tube_pixels[Tube.C3]
    assert tuple(pixels(laid, 11.0)[3 * pixel : 3 * pixel + 3]) == PALETTE.wrong


def test_without_the_board_all_is_dimmed_and_the_supply_is_never_asked_for_too_much() -> None:
    laid = table()
    assert sum(pixels(laid, 5.0, connected=False)) < sum(pixels(laid, 5.0)) / 3
    timing = laid.timing
    capped = glass_pixels(timing.views(5.0), [], TimingPhase.TIMING, 0.0, WIRING, PALETTE, 80.0)
    assert milliamps(capped) <= 80.0


# ---- the picture and the table


def long_session() -> Table:
    laid = table()
    for number, name in enumerate(TIMED_NAMES):
        t = 10.0 + 5.0 * number
        laid.turn(name, t)
        laid.timing.on_typed(name, run_of(15.0 if name == TIMER else 179.0 + number, t))
    laid.turn("D1", 400.0)
    return laid


@pytest.mark.parametrize("typed", ["", "d1", "x" * 200])
def test_the_picture_fits_eighty_by_twenty_four(typed: str) -> None:
    laid = long_session()
    notes = [Note("The board is out of reach: " + "word " * 60, NoteKind.WARNING)] * 9
    rows = glass_picture(laid.timing, notes, 402.0, "board at /dev/" + "x" * 100, typed).plain.split("\n")
    assert len(rows) == 23
    assert {len(row) for row in rows} == {80}


@pytest.mark.parametrize("phase", list(TimingPhase))
def test_what_to_do_is_never_cut(phase: TimingPhase) -> None:
    laid = long_session()
    laid.timing.phase = phase
    assert all(len(line) <= 78 for line in prompt(laid.timing))
    rows = glass_picture(laid.timing, [], 402.0, "board", "").plain.split("\n")
    assert prompt(laid.timing)[0] in rows[1]
    assert [len(row.rstrip()) < 80 for row in rows[-3:-1]] == [True, True]


def test_a_row_says_how_a_glass_stands_and_how_far_it_is() -> None:
    rows = glass_picture(long_session().timing, [], 410.4, "board", "").plain.split("\n")
    (d1,) = [row for row in rows if row.startswith(" D1")]
    assert "runs, end A" in d1
    assert "2:50" in d1  # 180 s are expected, 9.9 s after the middle of its turning
    assert "0/2" in d1
    assert "179.0" in d1
    assert "1/2" in d1


def test_the_table_names_durations_spread_odd_runs_and_what_is_missing() -> None:
    laid = table("D1", "G4")
    t = 10.0
    for seconds in (178.0, 181.0, 178.5, 185.0):
        laid.turn("D1", t)
        laid.timing.on_typed("D1", run_of(seconds, t))
        t += 250.0
    lines = table_lines(laid.timing)
    (d1,) = [line for line in lines if line.startswith("D1")]
    assert "183.00 s (2 runs, ±2.00 s)" in d1
    assert "178.25 s (2 runs, ±0.25 s)" in d1
    assert d1.index("183.00") < d1.index("178.25")  # end A down first
    assert sum(line.startswith("Odd: run") for line in lines) == 2
    assert "Not complete, so not kept: G4." in lines
    assert all(len(line) < 80 for line in lines)
    laid.timing.drop(4)
    assert "Thrown out: run 4." in table_lines(laid.timing)
