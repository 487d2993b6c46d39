"""What the page knows of the table, when it tells browsers, and what changes a revision."""

import json
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import Any

import pytest

from tamsk_hw.errors import StreamError
from tamsk_hw.game.tubes import Tube
from tamsk_hw.live.stream import NO_NAMES, TableState
from tamsk_hw.referee import Referee
from tamsk_hw.referee.events import Button, ButtonName, Link, LinkState, SensorId
from tamsk_hw.system.sockets import Absence
from tamsk_hw.web.live import LineKind, LiveTable
from tamsk_hw.web.scene import scene_of
from tamsk_hw.web.shown import board_layers
from tamsk_hw.words.rulings import headline
from tests.panel.boards import view
from tests.scenarios.book import BOOK
from tests.web.stream import Told, greeting

#: What the page says of a simulated board that is not heard.
UNHEARD = "The simulated board is not heard: this computer may be too busy. The sand runs on."


class Clocks:
    """A clock and a calendar that are set by hand."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def clock(self) -> float:
        return self.seconds

    def calendar(self) -> float:
        return 1_000_000.0 + self.seconds


def state_sent(table: LiveTable) -> dict[str, Any]:
    event, data, *_ = table.state_sent.decode().split("\n")
    assert event == "event: state"
    return dict(json.loads(data.removeprefix("data: ")))


def service_sent(table: LiveTable) -> dict[str, Any]:
    return dict(json.loads(table.service_sent.decode().split("\n")[1].removeprefix("data: ")))


@pytest.mark.parametrize("speed", [0, -1.0, None])
def test_a_service_of_no_speed_is_none(speed: Any) -> None:
    table = LiveTable(lambda: 0.0, lambda: 0.0)
    with pytest.raises((ValueError, StreamError)):
        table.greeted(greeting() | {"speed": speed})
    assert table.service is None


def game_in_play() -> tuple[Clocks, LiveTable, dict[str, Any]]:
    """A table in a game at level 3, with its newest state."""
    clocks = Clocks()
    table = LiveTable(clocks.clock, clocks.calendar)
    table.greeted(greeting())
    records = list(Told().game("R7.6-just-within-the-window"))
    for record in records:
        table.heard(record)
    states = [record["state"] for record in records if "state" in record]
    state = next(state for state in reversed(states) if state["phase"] == "play")
    table.heard({"state": state})
    return clocks, table, state


def test_while_only_sand_runs_states_are_sent_from_time_to_time() -> None:
    clocks, table, state = game_in_play()
    woken: list[float] = []
    table.watch(lambda: woken.append(clocks.seconds))
    for tenth in range(1, 31):
        clocks.seconds = tenth / 10
        state = {**state, "t": state["t"] + 0.1}
        table.heard({"state": state})
    assert 5 <= len(woken) <= 7  # 3 seconds at a state every half second of the game
    assert all(later - earlier >= 0.49 for earlier, later in pairwise(woken))


def test_what_looks_different_is_sent_at_once() -> None:
    _, table, state = game_in_play()
    before = state_sent(table)
    table.heard({"state": {**state, "connected": False}})
    after = state_sent(table)
    assert (before["unplugged"], after["unplugged"]) == (None, 1_000_000.0)
    assert after["at"] != before["at"]
    assert table.scene is not None
    assert headline(table.scene.diagnosis) == UNHEARD
    for t, each in enumerate(LinkState, 50):
        table.heard(Told([{}] * table.kept.newest).line(Link(t, each)))
    (back,) = table.kept.current(LineKind.DECISION)
    assert (back.shown()["said"], back.shown()["routine"]) == ("The board is in reach again.", False)
    table.heard({"state": state})
    assert state_sent(table)["at"] == before["at"]
    assert state_sent(table)["unplugged"] is None


def test_a_lost_service_is_told_once_with_the_time_and_what_it_showed_stays() -> None:
    clocks, table, _ = game_in_play()
    scene = table.scene
    clocks.seconds = 40.0
    table.lost(Absence.NONE_THERE)
    told = table.service_sent
    clocks.seconds = 50.0
    table.lost(Absence.NONE_THERE)
    assert table.service_sent is told
    assert (service_sent(table)["here"], service_sent(table)["since"]) == (False, 1_000_040.0)
    assert table.scene is scene
    # The same service is found again: the rest is asked for. Another one begins from new.
    assert table.greeted(greeting()) == {"since": table.kept.newest, "life": "5f0c"}
    assert table.scene is scene
    assert service_sent(table)["here"]
    assert table.greeted(greeting("77aa")) == {"since": 0, "life": "77aa"}
    assert table.scene is None


def test_a_real_board_is_started_by_a_button_where_one_works() -> None:
    """A browser cannot know of keys and commands."""
    header, events = BOOK["R7.6-just-within-the-window"].read()
    referee = Referee(header)
    for event in takewhile(lambda event: not isinstance(event, Button), events):
        referee.handle(event)
    ready = referee.view(event.t)
    without, with_it = (
        scene_of(TableState(ready, False, buttons), NO_NAMES, simulated=False)
        for buttons in (frozenset[ButtonName](), frozenset({ButtonName.START}))
    )
    assert headline(without.diagnosis) == "The board is ready."
    assert headline(with_it.diagnosis) == "The board is ready: press start."
    assert without.at != with_it.at


def test_a_revision_is_the_same_while_only_sand_and_seconds_run() -> None:
    """And another one after every ruling that can be seen."""

    def less(bounds: tuple[float, float]) -> tuple[float, float]:
        return bounds[0] * 0.9999, bounds[1] * 0.9999

    header, events = BOOK["R7.6-just-within-the-window"].read()
    referee = Referee(header)
    seen = set()
    for event in events:
        rulings = referee.handle(event)
        view = referee.view(event.t)
        scene = scene_of(TableState(view, False), NO_NAMES, simulated=True)
        if rulings:
            seen.add(scene.at)
        glasses = tuple(
            replace(each, seconds=less(each.seconds), fraction=less(each.fraction)) for each in view.glasses
        )
        rights = {
            tube: replace(ring, seconds=None if ring.seconds is None else ring.seconds - 0.01)
            for tube, ring in view.ring_open.items()
        }
        run_on = replace(view, t=view.t + 0.01, glasses=glasses, ring_open=rights)
        later = scene_of(TableState(run_on, False), NO_NAMES, simulated=True)
        assert later.at == scene.at
        assert [rest for _, _, rest in board_layers(later)] == [rest for _, _, rest in board_layers(scene)]
        assert scene_of(TableState(view, True), NO_NAMES, simulated=True).at != scene.at
    assert len(seen) >= 5


def test_tubes_that_cannot_be_read_are_shown_at_once() -> None:
    """Other blind tubes give another revision; the order in which they were named does not matter."""
    c3, d4 = SensorId.ring(Tube.C3, 1), SensorId.ring(Tube.D4, 1)
    named = {c3: frozenset({Tube.C3}), d4: frozenset({Tube.D4})}
    every = ({}, {c3: named[c3]}, named, dict(reversed(named.items())))
    scenes = [scene_of(TableState(view(unread=each), False), NO_NAMES, simulated=True) for each in every]
    assert [scene.at == scenes[-1].at for scene in scenes] == [False, False, True, True]
