"""Every ruling in words (``tests/golden/rulings.jsonl``), and the headline."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from tamsk_hw.game.notation import RingKind
from tamsk_hw.game.tubes import TUBES, Tube
from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.referee.events import RING_LIGHT, SensorId
from tamsk_hw.referee.rulings import (
    Caution,
    Code,
    Correction,
    Empty,
    GameOver,
    Question,
    Reason,
    RingCounted,
    Ruling,
    Violation,
    Warned,
    parse_ruling,
)
from tamsk_hw.referee.view import Phase
from tamsk_hw.words.rulings import clock, headline, say
from tests.panel.boards import BLACK, RED, played, ruled, view
from tests.scenarios.book import SCENARIOS
from tests.soak import sample

E4, D2 = Tube.E4, Tube.D2
MISSEATED = (Correction(E4, RED, Empty()), Correction(D2, Empty(), RED))


#: Rulings of every kind with their sentences.
GOLDEN = Path(__file__).parents[1] / "golden" / "rulings.jsonl"
LINES = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("line", LINES, ids=lambda line: str(line["words"][:40]))
def test_the_words(line: dict[str, Any]) -> None:
    assert say(parse_ruling(line["ruling"])) == line["words"]


def test_every_ruling_and_every_code_is_there() -> None:
    said = [parse_ruling(line["ruling"]) for line in LINES]
    assert {type(ruling) for ruling in said} == set(get_args(Ruling))
    assert {ruling.code for ruling in said if isinstance(ruling, Violation)} == set(Code)
    assert {ruling.code for ruling in said if isinstance(ruling, Warned)} == set(Caution)
    assert {ruling.kind for ruling in said if isinstance(ruling, RingCounted)} == set(RingKind)
    assert {ruling.reason for ruling in said if isinstance(ruling, GameOver)} == set(Reason)


#: Jargon, and values that slipped through.
JARGON = re.compile(r"None|_|<|\bMend\b|Tube\.|Player\.|\brestore\b|\bplies\b|[Vv]iolation")


def test_every_ruling_of_every_scenario_is_said_plainly() -> None:
    said = [(ruling.rule, say(ruling)) for scenario in SCENARIOS for ruling in ruled(scenario)]
    for rule, words in said:
        assert not JARGON.search(words), words
        assert words.split(" ") == words.split(), words
        assert words.endswith((f". ({rule})", f"? ({rule})")), words
        assert words[0].isupper()
    assert len(said) > 2000


def test_headlines_of_scenarios_are_plain() -> None:
    for scenario in sample(SCENARIOS, soak=1, otherwise=20):
        for _, now in played(scenario):
            words = headline(diagnose(now))
            assert not JARGON.search(words), words


@pytest.mark.parametrize(("t", "shown"), [(12.3456, "00:12.346"), (59.9996, "01:00.000"), (4000.0, "66:40.000")])
def test_the_clock(t: float, shown: str) -> None:
    assert clock(t) == shown


THREE = (Correction(Tube.D1, Empty(), RED), Correction(Tube.G1, Empty(), BLACK), Correction(E4, None, Empty()))


WON = GameOver(1, "R5.2", BLACK, Reason.FEWEST_RINGS, {RED: 9, BLACK: 7})
HIDDEN = {RING_LIGHT: frozenset({Tube.D2, Tube.C3})}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        # The most important news comes first.
        (
            {"over": WON, "link_lost": True, "question": Question(), "wrong": MISSEATED},
            "Black wins: fewest rings left (rings left: red 9, black 7). (R5.2)",
        ),
        (
            {"link_lost": True, "question": Question(), "wrong": MISSEATED, "unread": HIDDEN},
            "The board is out of reach: check its cable. The sand runs on.",
        ),
        ({"question": Question(), "wrong": MISSEATED}, "For the arbiter: Whose glass ran out last?"),
        (
            {"turn": None, "phase": Phase.SETUP, "wrong": THREE},
            "Set up the board: put a red glass on D1; put a black glass on G1 … and 1 more.",
        ),
        ({"turn": None, "phase": Phase.SETUP}, "The board is ready: press start."),
        ({"phase": Phase.SAND, "wrong": MISSEATED}, "Put right: put red's glass from E4 back on D2."),
        ({"turn": None, "phase": Phase.SAND}, "Equal rings: the sand decides. Let the glasses run."),
        ({"turn": None}, "Nobody can move any more; the last rings may be dropped."),
        ({"move_started": True}, "Red is moving."),
        ({}, "Red to move."),
        # Rings that cannot be read are said besides.
        ({"unread": HIDDEN}, "Red to move. Light hides the rings of C3, D2: shade the board."),
        (
            {"unread": {RING_LIGHT: frozenset(TUBES)}},
            "Red to move. Light hides the rings of 37 tubes: shade the board.",
        ),
        (
            {"unread": {SensorId.ring(Tube.D4, 3): frozenset({Tube.D4})}},
            'Red to move. The rings of D4 are not read: see to the sensor "ring D4.3".',
        ),
    ],
)
def test_headlines(changes: dict[str, object], words: str) -> None:
    assert headline(diagnose(view(**changes))) == words
