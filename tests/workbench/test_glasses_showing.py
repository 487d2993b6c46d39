"""Display while glasses are timed: lights, picture and table."""

from typing import get_args

import pytest

from tamsk_hw.configuration import Configuration
from tamsk_hw.configuration.settings import LightSettings
from tamsk_hw.game.tubes import PLAYERS, TUBE_OF_NAME
from tamsk_hw.panel.lights import PALETTE, milliamps, scaled
from tamsk_hw.workbench.figures import TIMED_NAMES
from tamsk_hw.workbench.glasses import table_lines
from tamsk_hw.workbench.timing import TimingPhase
from tamsk_hw.workbench.walk import COMPLAINT, Note
from tests.workbench.boards import WIRING, setup_of
from tests.workbench.glasses_bench import Table

PIXELS = {
    "timer": WIRING.timer_pixel,
    **{name: WIRING.tube_pixels[tube] for name, tube in TUBE_OF_NAME.items()},
    **{player.value: WIRING.player_pixels[player][0] for player in PLAYERS},
}

DARK, GREEN, RING = (0, 0, 0), PALETTE.destination, PALETTE.ring


@pytest.mark.parametrize(
    ("names", "script", "t", "lights"),
    [
        ("D1", "start 2", 5.0, {"D1": GREEN, "red": DARK}),
        (
            "D1 G4 G1",
            "turn D1 10; turn G4 30; turn G1 50",
            60.0,
            {"D1": PALETTE.red, "G4": scaled(PALETTE.red, 0.3), "G1": scaled(PALETTE.black, 0.3)},
        ),
        (
            "D1 G4 A4",
            "turn D1 10; turn G4 14; start 10+180",
            195.2,
            {"D1": RING, "G4": RING, "A4": GREEN, "red": PALETTE.wrong, "black": PALETTE.wrong},
        ),
        ("D1 G4", "lift D1 10; A C3 10.5", 11.0, {"D1": PALETTE.belongs, "C3": PALETTE.wrong}),
    ],
)
def test_lights(names: str, script: str, t: float, lights: dict[str, tuple[int, ...]]) -> None:
    laid = Table(*names.split())
    laid.play(script)
    laid.timing.advance(t)
    shown = laid.timing.lights(t)
    assert {name: tuple(shown[3 * PIXELS[name] : 3 * PIXELS[name] + 3]) for name in lights} == lights


def test_the_players_lights_ask_for_start_and_without_the_board_all_is_dimmed() -> None:
    laid = Table("D1", began=False)
    red = slice(3 * PIXELS["red"], 3 * PIXELS["red"] + 3)
    assert tuple(laid.timing.lights(0.5)[red]) == RING
    shown = laid.timing.lights(0.5)
    laid.timing.board.hello = None
    assert sum(laid.timing.lights(0.5)) < sum(shown) / 3


def test_the_supply_is_never_asked_for_too_much() -> None:
    laid = Table(configuration=Configuration(lights=LightSettings(milliamps=80)))
    assert 0 < milliamps(laid.timing.lights(5.0)) <= 80.0


def long_session() -> Table:
    laid = Table()
    for number, name in enumerate(TIMED_NAMES):
        t = 10.0 + 5.0 * number
        laid.play(f"turn {name} {t}; type {name} {t}+{15.0 if name == 'timer' else 179.0 + number}")
    laid.play("turn D1 400")
    return laid


@pytest.mark.parametrize("phase", get_args(TimingPhase))
def test_the_picture_fits_eighty_by_twenty_four_and_says_what_to_do(phase: TimingPhase) -> None:
    laid = long_session()
    laid.timing.phase = phase
    laid.timing.setup = setup_of(port="/dev/" + "x" * 100)
    notes: list[Note] = [("The board is out of reach: " + "word " * 60, COMPLAINT)] * 9
    rows = laid.timing.picture(410.4, notes, "x" * 200).plain.split("\n")
    assert len(rows) == 23
    assert {len(row) for row in rows} == {80}
    assert [line in row for line, row in zip(laid.timing.prompt, rows[1:], strict=False)] == [True, True]
    (d1,) = [row for row in rows if " D1" in row[:4]]
    if phase == "timing":
        # 180 s are expected, 9.9 s after the middle of its turning.
        assert d1.split() == ["D1", "red", "runs,", "end", "A", "2:50", "–", "0/2", "179.0", "1/2"]


def test_the_table_names_durations_spread_odd_runs_and_those_missing() -> None:
    laid = Table("D1", "G4")
    for t, seconds in ((10, 178.0), (260, 181.0), (510, 178.5), (760, 185.0)):
        laid.play(f"turn D1 {t}; type D1 {t}+{seconds}")
    assert table_lines(laid.timing) == [
        "glass  end A down                    end B down",
        "D1     183.00 s (2 runs, ±2.00 s)    178.25 s (2 runs, ±0.25 s)",
        "G4     –                             –",
        "Odd: run 2: D1, end A down: 181.0 s does not agree with the others.",
        "Odd: run 4: D1, end A down: 185.0 s does not agree with the others.",
        "Not complete, so not kept: G4.",
    ]
    laid.timing.drop(4)
    assert "Thrown out: run 4." in table_lines(laid.timing)
