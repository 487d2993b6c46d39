"""A recorded stream looked at: any time in any order shows what a referee shows who has just come there."""

from functools import cache
from pathlib import Path
from random import Random

import pytest

from tamsk_hw.game import End, Player, Ruleset, Tube
from tamsk_hw.game.tubes import PLAYERS, START_TUBES
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import Button, ButtonName, Event, Lift, Press, Seat, Tick
from tamsk_hw.referee.playback import Playback, course_of
from tamsk_hw.referee.rulings import GameOver, GlassLost, Ruling
from tamsk_hw.referee.stream import read_stream
from tamsk_hw.referee.view import Phase, View
from tests.scenarios.book import SCENARIOS, Scenario
from tests.soak import sample

TESTS = Path(__file__).parents[1]
RECORDINGS = TESTS / "recordings"
GAMES = [RECORDINGS / f"{name}.jsonl" for name in ("level-1", "level-2-free", "level-3", "level-3-lose-turn")]


@cache
def stream(source: Path | Scenario) -> tuple[Header, tuple[Event, ...]]:
    header, events = (
        source.read()
        if isinstance(source, Scenario)
        else read_stream(source.read_bytes().splitlines(), source.name)
    )
    return header, tuple(events)


def played(source: Path | Scenario) -> Playback:
    return Playback(*stream(source))


def seen(source: Path | Scenario, t: float) -> View:
    """The view of a referee who heard everything up to ``t`` and nothing later."""
    header, events = stream(source)
    referee = Referee(header)
    for event in events:
        if event.t <= t:
            referee.handle(event)
    referee.advance(t)
    return referee.view(t)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_any_time_in_any_order_is_as_it_was(path: Path) -> None:
    playback, chance = played(path), Random(path.stem)
    times = [chance.uniform(playback.begins, playback.ends) for _ in range(5)]
    times += [chance.choice(playback.moments).t for _ in range(5)]
    for t in times:
        assert playback.at(t) == seen(path, t)


def test_looking_at_it_changes_no_ruling() -> None:
    """The times between the events are passed through one by one, as a replay at 1× does."""
    for scenario in sample(SCENARIOS, soak=7, otherwise=40):
        playback = played(scenario)
        for step in range(41):
            t = playback.begins + step * (playback.ends - playback.begins) / 40
            assert playback.at(t) == seen(scenario, t), (scenario.name, t)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_moments_hold_every_ruling_once_and_in_order(path: Path) -> None:
    playback = played(path)
    referee = Referee(playback.header)
    given: list[Ruling] = [ruling for event in stream(path)[1] for ruling in referee.handle(event)]
    assert list(playback.rulings) == given
    assert [ruling for moment in playback.moments for ruling in moment.rulings] == given
    forward, t = [], playback.begins - 1.0
    while (moment := playback.next_moment(t)) is not None:
        forward.append(moment)
        t = moment.t
    backward, t = [], playback.ends + 1.0
    while (moment := playback.previous_moment(t)) is not None:
        backward.append(moment)
        t = moment.t
    assert tuple(forward) == tuple(reversed(backward)) == playback.moments
    middle = playback.moments[len(playback.moments) // 2]
    assert playback.rulings_to(middle.t)[-1] == middle.rulings[-1]
    assert playback.rulings_to(middle.t - 1e-6)[-1] != middle.rulings[-1]


def test_times_outside_count_as_the_first_and_the_last() -> None:
    playback = played(GAMES[0])
    assert playback.at(-100.0) == playback.at(playback.begins)
    assert playback.at(1e9) == playback.at(playback.ends)
    assert playback.at(1e9).phase is Phase.OVER
    empty = Playback(Header(), ())
    assert (empty.begins, empty.ends, empty.moments) == (0.0, 0.0, ())
    assert empty.at(5.0).phase is Phase.SETUP
    assert course_of(empty) is None


# ---- the course of a game


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_rings_left_go_from_thirty_two_to_the_result(path: Path) -> None:
    playback = played(path)
    course = course_of(playback)
    assert course is not None
    assert course.rings[0][1] == {Player.RED: 32, Player.BLACK: 32}
    assert bool(course.glasses) is playback.header.ruleset.has_sand
    over = next(ruling for ruling in playback.rulings if isinstance(ruling, GameOver))
    assert course.ends == over.t
    assert course.rings[-1][1] == over.rings_left
    times = [t for t, _ in course.rings]
    assert times == sorted(set(times))


def test_sand_runs_a_second_a_second_and_then_the_glass_is_lost() -> None:
    events: list[Event] = [Seat(0.0, tube, End.A) for player in PLAYERS for tube in START_TUBES[player]]
    events += [
        Button(1.0, ButtonName.START, Press.SHORT),
        Lift(2.0, Tube.D1),
        Seat(3.0, Tube.D2, End.B),
        Tick(200.0),
    ]
    playback = Playback(Header(ruleset=Ruleset(level=2)), events)
    course = course_of(playback)
    assert course is not None
    assert (course.begins, course.ends) == (1.0, 200.0)
    (glass,) = course.glasses  # the others were never started
    assert glass.owner is Player.RED
    by_time = {round(sample.t, 6): sample for sample in glass.samples}
    assert (by_time[3.0].least, by_time[3.0].most, by_time[3.0].is_lost) == (180.0, 180.0, False)
    assert by_time[103.0].least == pytest.approx(80.0)
    (lost,) = (ruling for ruling in playback.rulings if isinstance(ruling, GlassLost))
    assert lost.t == 183.0
    assert by_time[183.0].is_lost
    assert not by_time[182.0].is_lost
    assert by_time[200.0].most == 0.0


@pytest.mark.parametrize("path", GAMES[1:], ids=lambda path: path.stem)
def test_a_glass_keeps_its_name_through_the_game(path: Path) -> None:
    """Its sand never jumps but when it is turned over, and a lost one stays lost."""
    course = course_of(played(path))
    assert course is not None
    assert 1 <= len(course.glasses) <= 6
    for glass in course.glasses:
        lost = [sample.is_lost for sample in glass.samples]
        assert lost == sorted(lost)
        assert all(sample.least <= sample.most for sample in glass.samples)
        assert glass.name.startswith(glass.owner.value)
