"""The loop's rounds: what ends the wait for the next one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.configuration import Places, load_configuration
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
    can_resume = stops = False

    def __init__(
        self, rounds: int, due: Callable[[float], float] = lambda now: float("inf"), **seen: object
    ) -> None:
        self.left = rounds
        self.listened_at = float("inf")
        self.waited_between: list[float] = []
        self._due = due
        self._view = replace(Referee(Header()).view(0.0), **seen)  # type: ignore[arg-type]

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

    def lot(self, now: float) -> None:
        return None

    def set_up(self, asked: SetUp, now: float) -> int | Rejection:
        raise AssertionError("nobody asks")

    def next_wakeup(self, now: float) -> float:
        return self._due(now)

    def fileno(self) -> int | None:
        return None


class Waits:
    """`select.select` that waits for nothing; ``seconds`` has how long it would have waited, and for what."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.watched: list[list[int]] = []

    def select(self, readable: list[int], _: Any, __: Any, seconds: float) -> Any:
        self.seconds.append(seconds)
        self.watched.append(readable)
        return [], [], []


class Rounds:
    """Runs the loop without any hardware; nothing waits."""

    def __init__(self, home: Path, waker: Waker, monkeypatch: pytest.MonkeyPatch) -> None:
        made = load_configuration(None, Places.of({"HOME": str(home)}))
        self.configuration = replace(
            made,
            lights=replace(made.lights, route=LightRoute.NONE),
            buttons=replace(made.buttons, enabled=False),
            buzzer=replace(made.buzzer, enabled=False),
        )
        self.waker = waker
        self.monkeypatch = monkeypatch

    def of(self, source: FewRounds, publisher: Publisher | None = None, **more: Any) -> Waits:
        waits = Waits()
        self.monkeypatch.setattr(loop, "select", SimpleNamespace(select=waits.select))
        screen, manager = PlainScreen(), ServiceManager({})
        publisher = publisher or Publisher.unheard()
        loop.run_loop(source, self.configuration, load_wiring(), screen, manager, self.waker, publisher, **more)
        return waits


@pytest.fixture
def rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rounds]:
    with Waker() as waker:
        yield Rounds(tmp_path, waker, monkeypatch)


def test_a_round_comes_with_the_journal_s_news_or_when_something_is_due(rounds: Rounds) -> None:
    """20 ms after the wait begins, or never: then after the time between two rounds. What is overdue, and waits
    for the board, does not keep the loop spinning.
    """
    never = rounds.of(FewRounds(3))
    assert never.watched == [[rounds.waker.fileno()]] * 2
    assert never.seconds == [pytest.approx(loop.LOOK_SECONDS)] * 2
    assert rounds.of(FewRounds(2, lambda now: now + 0.02)).seconds == [pytest.approx(0.02)]
    assert rounds.of(FewRounds(2, lambda now: now - 3.0)).seconds == [loop.LEAST_SECONDS]


def test_commands_are_named_only_where_they_reach_the_service(
    rounds: Rounds, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A board without buttons and keys; a second service at the same socket goes on unheard."""
    place, notices = tmp_path / "live.sock", list[Notice]()
    said = []
    with (
        published(place, tmp_path, rounds.waker, notices.append) as heard,
        published(place, tmp_path, rounds.waker, notices.append) as unheard,
    ):
        for publisher in (heard, unheard):
            rounds.of(FewRounds(1, wrong=()), publisher)
            said.append(capsys.readouterr().err)
    assert said[0] == "Run tamsk-hw do start to start the game.\n"
    assert said[1].startswith("Nothing here can start a game: ")
    assert [type(notice) for notice in notices] == [LiveUnpublished]


class AdvisesAlways:
    """An adviser who has one advice for every view, and is shown each after the lights."""

    def __init__(self, advice: Advice) -> None:
        self._advice = advice
        self.followed: list[float] = []

    def advice(self, view: View, *, offered: bool) -> Advice | None:
        return self._advice

    def follow(self, view: View, *, offered: bool, now: float) -> None:
        self.followed.append(now)


def test_an_advice_reaches_lights_and_live_stream_which_says_the_buttons_that_work(
    rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    states: list[TableState] = []
    shown: list[bytes] = []
    publisher = Publisher.unheard()
    working = frozenset({ButtonName.START})
    monkeypatch.setattr(publisher, "tell", states.append)
    monkeypatch.setattr(PanelHardware, "show", lambda panel, picture: shown.append(picture))
    monkeypatch.setattr(PanelHardware, "working_buttons", property(lambda panel: working))
    monkeypatch.setattr(loop, "time", Steps(0.001))  # a moment of the short flash
    advice = Advice(Player.BLACK, MoveRing(RingAct.DROP, Tube.D4))
    adviser = AdvisesAlways(advice)
    rounds.of(FewRounds(1, phase=Phase.PLAY, wrong=()), publisher, adviser=adviser)
    rounds.of(FewRounds(1, phase=Phase.PLAY, wrong=()), publisher)
    assert [state.advice for state in states] == [advice, None]
    assert [state.buttons for state in states] == [working] * 2
    assert len(adviser.followed) == 1
    pixel = load_wiring().tube_pixels[Tube.D4]
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


def test_no_byte_that_is_read_is_newer_than_the_clock(rounds: Rounds, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program may stand still between any two of its steps: bytes are read first, then the clock."""
    monkeypatch.setattr(loop, "time", Steps(1.0))
    source = FewRounds(3)
    rounds.of(source)
    assert len(source.waited_between) == 3
    assert min(source.waited_between) > 0.0


@pytest.mark.parametrize(("step", "rounds_kept"), [(1.0, 3), (0.001, 0)])
def test_after_it_stood_still_the_buttons_drivers_may_speak_first(
    step: float, rounds_kept: int, rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = Steps(step)
    monkeypatch.setattr(loop, "time", steps)
    rounds.of(FewRounds(3))
    assert steps.slept == [loop.CATCH_UP_SECONDS] * rounds_kept
