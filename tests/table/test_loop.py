"""The loop's rounds: what ends the wait for the next one."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.configuration import Configuration, Places, load_configuration
from tamsk_hw.facts.notices import LiveUnpublished, Notice
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.live.publishing import Publisher
from tamsk_hw.live.requests import SetUp
from tamsk_hw.live.stream import TableState
from tamsk_hw.panel.keys import Rejection
from tamsk_hw.panel.outputs import LightRoute
from tamsk_hw.partner.intention import Advice, MoveRing, RingAct
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import ButtonName, Event
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.view import Phase, View
from tamsk_hw.system.service import ServiceManager, Waker
from tamsk_hw.table import loop
from tamsk_hw.table.keeping import published
from tamsk_hw.table.loop import PanelHardware
from tamsk_hw.terminal.screen import PlainScreen


class FewRounds:
    """A board at which nothing happens; the loop ends after ``rounds`` rounds."""

    is_offered = False
    can_resume = False

    def __init__(self, rounds: int, due: Callable[[float], float] = lambda now: float("inf")) -> None:
        self.left = rounds
        self.listened_at = float("inf")
        self.waited_between: list[float] = []
        self._due = due
        self._view = Referee(Header()).view(0.0)

    @property
    def is_over(self) -> bool:
        return self.left <= 0

    def listen(self) -> None:
        self.listened_at = loop.time.monotonic()

    def advance(self, now: float, pressed: Sequence[Event]) -> list[Ruling]:
        self.left -= 1
        self.waited_between.append(now - self.listened_at)
        return []

    def view(self) -> View:
        return self._view

    def set_up(self, asked: SetUp, now: float) -> int | Rejection:
        raise AssertionError("nobody asks")

    def next_wakeup(self, now: float) -> float:
        return self._due(now)

    def fileno(self) -> int | None:
        return None


class ReadyBoard(FewRounds):
    """A board that is set up."""

    def __init__(self, rounds: int) -> None:
        super().__init__(rounds)
        self._view = replace(self._view, wrong=())


class Waits:
    """`select.select` that waits for nothing; ``seconds`` has how long it would have waited, and for what."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.watched: list[list[int]] = []

    def select(self, readable: list[int], _: Any, __: Any, seconds: float) -> Any:
        self.seconds.append(seconds)
        self.watched.append(readable)
        return [], [], []


@pytest.fixture
def configuration(tmp_path: Path) -> Configuration:
    """Without any hardware."""
    made = load_configuration(None, Places.of({"HOME": str(tmp_path)}))
    return replace(
        made,
        lights=replace(made.lights, route=LightRoute.NONE),
        buttons=replace(made.buttons, enabled=False),
        buzzer=replace(made.buzzer, enabled=False),
    )


def waits_of(
    source: FewRounds,
    configuration: Configuration,
    monkeypatch: pytest.MonkeyPatch,
    waker: Waker,
    publisher: Publisher | None = None,
) -> Waits:
    waits = Waits()
    monkeypatch.setattr(loop, "select", SimpleNamespace(select=waits.select))
    publisher = publisher or Publisher.unheard()
    loop.run_loop(source, configuration, load_wiring(), PlainScreen(), ServiceManager({}), waker, publisher)
    return waits


def test_the_journal_s_news_end_a_wait(configuration: Configuration, monkeypatch: pytest.MonkeyPatch) -> None:
    with Waker() as waker:
        waits = waits_of(FewRounds(3), configuration, monkeypatch, waker)
        assert waits.watched == [[waker.fileno()]] * 2


def test_a_round_comes_when_something_is_due(
    configuration: Configuration, monkeypatch: pytest.MonkeyPatch
) -> None:
    """20 ms after the wait begins, or never: then after the time between two rounds."""
    with Waker() as waker:
        soon = waits_of(FewRounds(2, lambda now: now + 0.02), configuration, monkeypatch, waker)
        assert soon.seconds == [pytest.approx(0.02)]
        never = waits_of(FewRounds(2), configuration, monkeypatch, waker)
        assert never.seconds == [pytest.approx(loop.LOOK_SECONDS)]


def test_what_is_overdue_and_waits_for_the_board_does_not_keep_the_loop_spinning(
    configuration: Configuration, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Waker() as waker:
        late = waits_of(FewRounds(2, lambda now: now - 3.0), configuration, monkeypatch, waker)
        assert late.seconds == [loop.LEAST_SECONDS]


def test_commands_are_named_only_where_they_reach_the_service(
    configuration: Configuration,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A board without buttons and keys; a second service at the same socket goes on unheard."""
    place, notices = tmp_path / "live.sock", list[Notice]()
    said = []
    with (
        Waker() as waker,
        published(place, tmp_path, waker, notices.append) as heard,
        published(place, tmp_path, waker, notices.append) as unheard,
    ):
        for publisher in (heard, unheard):
            waits_of(ReadyBoard(1), configuration, monkeypatch, waker, publisher)
            said.append(capsys.readouterr().err)
    assert said[0] == "Run tamsk-hw do start to start the game.\n"
    assert said[1].startswith("Nothing here can start a game: ")
    assert [type(notice) for notice in notices] == [LiveUnpublished]


def test_the_live_stream_says_which_buttons_work(
    configuration: Configuration, monkeypatch: pytest.MonkeyPatch
) -> None:
    states: list[TableState] = []
    publisher = Publisher.unheard()
    monkeypatch.setattr(publisher, "tell", states.append)
    working = frozenset({ButtonName.START})
    monkeypatch.setattr(PanelHardware, "working_buttons", property(lambda panel: working))
    with Waker() as waker:
        waits_of(ReadyBoard(1), configuration, monkeypatch, waker, publisher)
    assert [state.buttons for state in states] == [working]


class AdvisesAlways:
    """An adviser who has one advice for every view, and is shown each after the lights."""

    def __init__(self, advice: Advice) -> None:
        self._advice = advice
        self.followed: list[float] = []

    def advice(self, view: View, *, offered: bool) -> Advice | None:
        return self._advice

    def follow(self, view: View, *, offered: bool, now: float) -> None:
        self.followed.append(now)


def test_an_advice_reaches_lights_and_live_stream(
    configuration: Configuration, monkeypatch: pytest.MonkeyPatch
) -> None:
    states: list[TableState] = []
    shown: list[bytes] = []
    publisher = Publisher.unheard()
    monkeypatch.setattr(publisher, "tell", states.append)
    monkeypatch.setattr(PanelHardware, "show", lambda panel, picture: shown.append(picture))
    monkeypatch.setattr(loop, "time", Steps(0.001))  # a moment of the short flash
    source, wiring = FewRounds(1), load_wiring()
    source._view = replace(source._view, phase=Phase.PLAY, wrong=())
    adviser = AdvisesAlways(Advice(Player.BLACK, MoveRing(RingAct.DROP, Tube.D4)))
    with Waker() as waker:
        run = partial(loop.run_loop, source, configuration, wiring, PlainScreen(), ServiceManager({}), waker)
        run(publisher, adviser=adviser)
        source.left = 1
        run(publisher)
    assert [state.advice for state in states] == [Advice(Player.BLACK, MoveRing(RingAct.DROP, Tube.D4)), None]
    assert len(adviser.followed) == 1
    pixel = wiring.tube_pixels[Tube.D4]
    assert pixel is not None
    assert [tuple(picture[3 * pixel : 3 * pixel + 3]) for picture in shown] == [(255, 255, 240), (0, 0, 0)]


class Steps:
    """A clock that goes on at each look, as if the program stood still between any two of its steps."""

    def __init__(self, step: float) -> None:
        self.slept: list[float] = []
        self._looks = count()
        self._step = step

    def monotonic(self) -> float:
        return self._step * next(self._looks)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


def test_no_byte_that_is_read_is_newer_than_the_clock(
    configuration: Configuration, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program may stand still between any two of its steps: bytes are read first, then the clock."""
    monkeypatch.setattr(loop, "time", Steps(1.0))
    with Waker() as waker:
        source = FewRounds(3)
        waits_of(source, configuration, monkeypatch, waker)
        assert len(source.waited_between) == 3
        assert min(source.waited_between) > 0.0


@pytest.mark.parametrize(("step", "rounds_kept"), [(1.0, 3), (0.001, 0)])
def test_after_it_stood_still_the_buttons_drivers_may_speak_first(
    step: float, rounds_kept: int, configuration: Configuration, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = Steps(step)
    monkeypatch.setattr(loop, "time", steps)
    with Waker() as waker:
        waits_of(FewRounds(3), configuration, monkeypatch, waker)
    assert steps.slept == [loop.CATCH_UP_SECONDS] * rounds_kept
