"""``tamsk-hw selftest``: tests board and panel part by part, with a person or without, and says what to do.

The test itself is `SelfTest`, which knows neither hardware nor clock; here it is given both.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from tamsk_hw.board.link import SerialLink
from tamsk_hw.errors import LinkError
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.system.stopping import Stopped
from tamsk_hw.table.panel_hardware import PanelHardware
from tamsk_hw.terminal.screen import LiveScreen
from tamsk_hw.workbench.doctor.doctor import print_findings
from tamsk_hw.workbench.listening import Board, Clock, board_of, port_of
from tamsk_hw.workbench.selftest.core import SelfTest, parts_of
from tamsk_hw.workbench.selftest.keys import Keys
from tamsk_hw.workbench.selftest.screen import LivePicture, PlainPrompts, SelfTestScreen
from tamsk_hw.workbench.selftest.step import ON_THE_BOARD, Bench, Part

#: Seconds that one wait for the board takes at most: presses, keys and tones are looked at as often.
LOOK_EVERY: Final = 0.02

#: What panel hardware says of itself begins so (`PanelHardware`), and concerns these.
_SAID_OF: Final[tuple[tuple[str, tuple[Part | ButtonName, ...]], ...]] = (
    ("Buttons and buzzer", (Part.BUTTONS, Part.BUZZER)),
    ("The lights", (Part.LIGHTS,)),
    ("The buzzer", (Part.BUZZER,)),
    *((f"The {name.value} button", (name,)) for name in ButtonName),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfTestSettings:
    """What ``tamsk-hw selftest`` was asked for: ``parts``, all without any; ``hands``: a person is there."""

    parts: tuple[Part, ...] = ()
    hands: bool = True
    port: str | None = None
    config: Path | None = None


def show_selftest(
    settings: SelfTestSettings,
    *,
    console: Console | None = None,
    clock: Clock | None = None,
    keys: Keys | None = None,
    open_panel: Callable[[Board, Callable[[str], None]], PanelHardware] | None = None,
) -> int:
    """Test, then print all findings; the program's exit status: 0 without problems, 1 with some.

    Raises:
        ConfigError: the configuration is refused.
        WiringError: the wiring map is refused.
        LinkError: no port is named, and a part is on the board.
        Stopped: it was stopped; what was found until then is printed.
    """
    board = board_of(settings.config)
    parts = parts_of(settings.parts, hands=settings.hands)
    port = port_of(settings.port, board.configuration) if ON_THE_BOARD & set(parts) else ""
    console, clock = console or Console(), clock or Clock()
    bench = Bench(configuration=board.configuration, wiring=board.wiring, known=board.known, hands=settings.hands)
    test = SelfTest(bench, parts, port, clock.now())
    try:
        with ExitStack() as stack:
            keyboard = stack.enter_context(keys or Keys()) if settings.hands else None
            screen = _screen_for(console, live=keyboard is not None)
            stack.callback(screen.close)
            panel = None
            if settings.hands:
                opener = open_panel or _open_panel
                panel = stack.enter_context(opener(board, lambda words: _trouble(test, screen, words)))
            link = None
            if port:
                link = SerialLink(port, board.wiring.hash, board_id=board.configuration.board.board_id)
                stack.callback(link.close)
            while not test.over:
                _round(test, link, panel, keyboard, screen, clock)
    except Stopped:
        print_findings(test.findings(), console)
        raise
    return print_findings(test.findings(), console)


def _open_panel(board: Board, say: Callable[[str], None]) -> PanelHardware:
    return PanelHardware(board.configuration, board.wiring, say)


def _screen_for(console: Console, *, live: bool) -> SelfTestScreen:
    """The live picture where it fits and somebody is there to see it, lines elsewhere."""
    if live and LiveScreen.fits(console):
        return LivePicture(console)
    return PlainPrompts(click.echo)


def _round(
    test: SelfTest,
    link: SerialLink | None,
    panel: PanelHardware | None,
    keys: Keys | None,
    screen: SelfTestScreen,
    clock: Clock,
) -> None:
    """Take what has come, hand out what is due, wait for more."""
    now = clock.now()
    if link is not None:
        events = link.poll(now)
        test.count(link.statistics)
        for event in events:
            test.hear(event, now)
        if test.take_sweep():
            with contextlib.suppress(LinkError):  # lost in this very moment: it is asked for again
                link.start_self_test()
    if keys is not None:
        for answer in keys.take():
            test.answer(answer, now)
        test.bench.keys = keys.open
    if panel is not None:
        presses = panel.buttons.take_events(now)
        test.hold(panel.buttons.held, now)
        for press in presses:
            test.press(press, now)
        panel.show(test.picture(now))
        panel.buzzer.play(test.tone(now))
    test.advance(now)
    if not test.over:
        screen.show(test.prompt)
        clock.wait(None if link is None else link.fileno(), LOOK_EVERY)


def _trouble(test: SelfTest, screen: SelfTestScreen, words: str) -> None:
    """The panel says what does not work, or works again."""
    for beginning, concerned in _SAID_OF:
        if not words.startswith(beginning):
            continue
        told = words.removeprefix(beginning).partition(" The game goes on")[0].rstrip(".")
        # "(GPIO17)" is told with the finding.
        told = told.partition(") ")[2] if told.startswith(" (") else told.strip()
        for each in concerned:
            test.trouble(each, None if told.endswith(" now") else told)
    screen.say(words)


def chosen_parts(names: Collection[str]) -> tuple[Part, ...]:
    """The parts by the names that people give."""
    return tuple(Part(name) for name in names)
