"""Somebody at the page of ``tamsk-hw play``: his mouse, finger or keys, and what he reads on the page."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal

from playwright.sync_api import Browser, CDPSession, Page

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.live.stream import read_state
from tamsk_hw.partner import Partner, Strength
from tamsk_hw.partner.intention import MoveGlass, MoveRing, PutRight, RingAct, TurnTimerOver
from tamsk_hw.referee.view import Phase, View
from tests.web.site import Visit

#: Real seconds for which anything is waited for.
PATIENCE: Final = 60.0

Way = Literal["mouse", "touch", "keys"]

_LISTEN = """
window.heard = []; window.state = null; window.table = null;
const source = new EventSource("/events");
source.addEventListener("ruling", (event) => window.heard.push(JSON.parse(event.data).ruling));
source.addEventListener("state", (event) => { window.state = JSON.parse(event.data).state; });
document.addEventListener("told", (event) => { window.table = event.detail; });
"""


#: The key that goes towards what a selector finds, and null there.
_TOWARDS = """(selector) => {
  const [here, there] = [document.activeElement, document.querySelector(selector)];
  if (here === there) return null;
  return here.compareDocumentPosition(there) & Node.DOCUMENT_POSITION_PRECEDING ? "Shift+Tab" : "Tab";
}"""


@contextmanager
def played(*options: str) -> Iterator[Playing]:
    """``tamsk-hw play`` with these options, on a port of its own, until it is left."""
    with tempfile.TemporaryDirectory(prefix="tamsk-") as folder:
        playing = Playing(Path(folder), options)
        try:
            yield playing
        finally:
            playing.end()


class Playing:
    """The command, and where its page is."""

    def __init__(self, folder: Path, options: tuple[str, ...]) -> None:
        self.folder = folder
        (folder / "config.toml").write_text(f'[journal]\nfolder = "{folder / "journal"}"\n', encoding="utf-8")
        command = [sys.executable, "-m", "tamsk_hw.commands.main", "play", "--config", str(folder / "config.toml")]
        self.process = subprocess.Popen(
            [*command, *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()

    def children(self) -> list[int]:
        """The processes that it has started."""
        pid = str(self.process.pid)
        return list(map(int, Path("/proc", pid, "task", pid, "children").read_text().split()))

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()


def until(is_so: Callable[[], Any], words: Callable[[], str] = str) -> Any:
    """Wait for what another process does; ``words`` say what there is instead, when it does not come."""
    ends = time.monotonic() + PATIENCE
    while not (found := is_so()):
        assert time.monotonic() < ends, words()
        time.sleep(0.05)
    return found


class Person:
    """Somebody with the page before him, who plays by mouse, finger or keys."""

    def __init__(self, browser: Browser, playing: Playing, way: Way = "mouse", query: str = "") -> None:
        size = {"width": 390, "height": 844} if way == "touch" else {"width": 1280, "height": 720}
        self.visit = Visit(browser, playing.address, query, viewport=size, has_touch=way == "touch")
        self.way = way
        self.page: Page = self.visit.page
        self.deeds: list[str] = []
        """What he has done, and what the page said of it: for whoever reads why a test has failed."""
        self.page.evaluate(_LISTEN)
        self._cdp: CDPSession = self.visit.context.new_cdp_session(self.page)
        until(lambda: self.page.evaluate("window.state !== null && document.querySelector('#places') !== null"))

    # What he reads.

    @property
    def view(self) -> View:
        """The referee's view, as the page's stream has it."""
        return read_state(json.loads(self.page.evaluate("JSON.stringify(window.state)"))).view

    def rulings(self, kind: str) -> list[dict[str, Any]]:
        heard: list[dict[str, Any]] = self.page.evaluate("window.heard")
        return [ruling for ruling in heard if ruling["ruling"] == kind]

    def reads(self, kind: str, count: int = 1, **facts: Any) -> dict[str, Any]:
        """Wait for a ruling."""

        def found() -> dict[str, Any] | None:
            fitting = [each for each in self.rulings(kind) if facts.items() <= each.items()]
            return fitting[count - 1] if len(fitting) >= count else None

        ruled: dict[str, Any] = until(found, lambda: f"{kind} {facts}: {self.page.evaluate('window.heard')}")
        return ruled

    def sees(self, selector: str) -> None:
        """Wait until something is on the page."""
        self.page.wait_for_selector(selector, state="attached")

    @property
    def said(self) -> str:
        return self.page.locator("#said").inner_text()

    def is_told(self, words: str) -> None:
        """Wait until the page says these words of what he did."""
        until(lambda: words in self.said, lambda: f"{words!r}, not {self.said!r}")

    # What he does.

    def reach(self, selector: str) -> None:
        """Go to something with the tabulator, on the shorter way."""
        for _ in range(100):
            key = self.page.evaluate(_TOWARDS, selector)
            if key is None:
                return
            self.page.keyboard.press(key)
        raise AssertionError(selector)

    def use(self, selector: str) -> None:
        """Press a button."""
        if self.way == "keys":
            self.reach(selector)
            self.page.keyboard.press("Enter")
        elif self.way == "touch":
            self.page.locator(selector).first.tap()
        else:
            self.page.locator(selector).first.click()

    def choose(self, words: str) -> None:
        """Make a choice before a game."""
        self.use(f'#choose [data-key="{words}"]')

    def press(self, button: str) -> None:
        self.use(f"[data-press={button}]")

    def _middle(self, selector: str) -> tuple[float, float]:
        box = self.page.locator(selector).first.bounding_box()
        assert box is not None, selector
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def _glass_over(self, tube: str) -> tuple[float, float]:
        """Where the pointer is that carries a glass, held at its middle, over a tube."""
        x, y, up = self.page.evaluate(
            """(tube) => {
                const place = document.getElementById(`place-${tube}`);
                const { x, y, rim } = place.dataset;
                const matrix = document.querySelector("#places > g").getScreenCTM();
                const at = new DOMPoint(Number(x), Number(y) - Number(rim)).matrixTransform(matrix);
                return [at.x, at.y, 40 * matrix.a];
            }""",
            tube,
        )
        return x, y - up

    def down(self, x: float, y: float) -> None:
        if self.way == "touch":
            self._touch("touchStart", (x, y))
        else:
            self.page.mouse.move(x, y)
            self.page.mouse.down()
        self._at = (x, y)

    def move(self, x: float, y: float) -> None:
        before = self._at
        for step in (1, 2, 3):
            at = (before[0] + (x - before[0]) * step / 3, before[1] + (y - before[1]) * step / 3)
            if self.way == "touch":
                self._touch("touchMove", at)
            else:
                self.page.mouse.move(*at)
        self._at = (x, y)

    def up(self) -> None:
        if self.way == "touch":
            self._touch("touchEnd")
        else:
            self.page.mouse.up()

    def _touch(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def take(self, selector: str) -> None:
        """Begin to drag something."""
        self.down(*self._middle(selector))
        self.move(self._at[0] + 12, self._at[1] - 12)

    def turn(self) -> None:
        """Turn over what is dragged: with T, or a second finger."""
        if self.way == "touch":
            self._touch("touchStart", self._at, (30.0, 200.0))
            self._touch("touchMove", self._at)  # the second one is taken away
        else:
            self.page.keyboard.press("t")

    def carry(self, from_tube: str, to_tube: str, *, turned: bool = True) -> None:
        """Move the glass in a tube to another one."""
        held = f'.held[data-home="{from_tube}"]'  # it stayed there when a tube was full, or a finger slipped
        there = self.page.locator(f'.place[data-tube="{from_tube}"]:not([data-glass=""]), {held}')
        until(there.count, lambda: f"no glass on {from_tube}: {self.deeds[-5:]}")
        is_held = self.page.locator(held).count() > 0
        if self.way == "keys":
            if not is_held:
                self.go(from_tube)
                self.page.keyboard.press("Enter")
                self.is_told("has lifted")
            if turned:
                self.page.keyboard.press("t")
            self.go(to_tube)
            self.page.keyboard.press("Enter")
        else:
            self.take(held if is_held else f'.grab[data-tube="{from_tube}"]')
            if turned:
                self.turn()
            self.move(*self._glass_over(to_tube))
            self.up()

    def ring(self, tube: str, player: str = "red") -> None:
        """Drop a ring of a player's over a tube."""
        if self.way == "keys":
            self.go(tube)
            self.page.keyboard.press("r")
        else:
            self.take(f'[data-rings="{player}"]')
            self.move(*self._middle(f"#place-{tube}"))
            self.up()

    def unring(self, tube: str) -> None:
        """Take the top ring off a tube: by the button where a glass stands in it, which a drag would take."""
        if self.way == "keys":
            self.go(tube)
            self.page.keyboard.press("u")
            return
        x, y = self._middle(f"#place-{tube}")
        self.down(x + 18, y + 6)
        if self.page.locator(f'#place-{tube}[data-glass=""]').count():
            self.move(*self._middle('[data-rings="red"]'))
            # The hand is free when the ring is home, about a second after it has left the tube.
            with self.page.expect_response("**/table/do"):
                self.up()
            return
        self.up()
        unfold = [] if self.page.locator("[data-action=unring]").is_visible() else [".more"]
        for each in (*unfold, "[data-action=unring]", *unfold):
            self.use(each)

    def go(self, tube: str) -> None:
        """Choose a tube with the arrow keys."""
        self.reach('.place[tabindex="0"]')
        for _ in range(30):
            here = self.page.evaluate("document.activeElement.dataset.tube")
            if here == tube:
                return
            column, height = ord(tube[0]) - ord(here[0]), int(tube[1]) - int(here[1])
            if column:
                self.page.keyboard.press("ArrowRight" if column > 0 else "ArrowLeft")
            else:
                self.page.keyboard.press("ArrowUp" if height > 0 else "ArrowDown")
        raise AssertionError(tube)

    def turn_timer(self) -> None:
        if self.way == "keys":
            self.reach('.place[tabindex="0"]')
            self.page.keyboard.press("g")
        else:
            self.use("[data-timer]")

    def play(
        self,
        me: Player,
        ruleset: Ruleset,
        is_done: Callable[[View], bool],
        seed: int = 11,
        strength: Strength = Strength.EASY,
    ) -> None:
        """Play as the partner would, until something is so."""
        brain, began = Partner(me, ruleset, strength, seed), time.monotonic()
        self.page.evaluate("scrollTo(0, 0)")
        while not is_done(view := self.view):
            if ruleset.level == 1:  # no sand runs, so no state tells that time has passed
                view = replace(view, t=time.monotonic() - began)
            intention = brain.intend(view)
            match intention:
                case MoveGlass(Tube() as at, to):
                    with self._ruling("move", me):
                        self.carry(at.name, to.name, turned=ruleset.level > 1)
                case MoveRing(RingAct.DROP | RingAct.DROP_PENALTY, tube):
                    with self._ruling("ring", me):
                        self.ring(tube.name)
                case MoveRing(RingAct.CLAIM, tube):
                    with self._ruling("ring", me):
                        self.press(me.value)
                        self.ring(tube.name)
                case MoveRing(RingAct.TAKE, tube):
                    with self._ruling("restored"):
                        self.unring(tube.name)
                case PutRight(at, to, turned):
                    with self._ruling("restored"):
                        self.carry(at.name, to.name, turned=turned)
                case TurnTimerOver():
                    if self.page.evaluate("window.table.timer === 0"):
                        self.turn_timer()
                    self._soon()
                case _:
                    self._soon()
            self.deeds.append(f"{view.t:.1f} {intention}: {self.said}")

    def _ruled(self, kind: str, player: Player | None = None) -> int:
        """The number of rulings of a kind, of one player or of both."""
        return len([each for each in self.rulings(kind) if player is None or each["player"] == player.value])

    @contextmanager
    def _ruling(self, kind: str, player: Player | None = None) -> Iterator[None]:
        """Wait a moment for the ruling that comes of what is done; done too late, it brings another or none."""
        before = self._ruled(kind, player), self._ruled("violation")
        yield
        ends = time.monotonic() + 30.0
        while time.monotonic() < ends and self.view.phase is Phase.PLAY:
            if (self._ruled(kind, player), self._ruled("violation")) != before:
                break
            self._soon()
        # The state comes after the rulings: the one before it would have the same ring dropped once more.
        newest = float(self.page.evaluate("Math.max(...window.heard.map((each) => each.t))"))
        until(lambda: self.view.t >= newest - 0.001, lambda: f"a state of {newest}")

    def _soon(self) -> None:
        self.page.wait_for_timeout(120)

    def leave(self) -> None:
        self.visit.close()
