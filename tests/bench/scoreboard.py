"""The scoreboard's budget (docs/design.md, Budgets): main-thread time a frame in Chromium, its CPU throttled.

Counted is the processor time (``tdur`` of Chromium's trace) of all tasks of the renderer's main thread: scripts,
style, layout, paint and commit. Other threads raster and compose, without a graphics card as here, too: that is
not in it. Time is cut into frames of a sixtieth of a second; a task counts in the frame in which it begins, and
frames without any are left out.

Chromium throttles by having the thread spin for so many times as long as it ran *by the wall clock*: on a machine
that has other work the figures are too high by far. What the thread takes without a throttle, so many times, does
not suffer from that, and is told beside it; other programs change it by what they take of caches and shared cores.
The budget is not scaled by the machine's slowness, which the throttle multiplies already.

``python -m tests.bench.scoreboard`` prints this table alone.
"""

import json
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from playwright.sync_api import Browser, Page, expect

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.live.stream import GameBegun, Names
from tests.bench.figures import Figure
from tests.simulation import Simulation
from tests.web.site import Site, Visit, chromium
from tests.web.stream import Told, greeting, state_line

#: The times by which tasks take longer than they would.
THROTTLED: Final = 6

#: The most of a frame (milliseconds).
MOST: Final = 8.0

#: The length of a frame in microseconds, as traces count.
FRAME: Final = 1_000_000 / 60

SIZES: Final = {"1280×720": (1280, 720), "3840×2160": (3840, 2160)}

#: The game that is watched, from and to (its seconds), and seconds between two states, as the service sends them.
SEED, SINCE, UNTIL, STATE = 11, 290.0, 308.0, 0.1

#: Seconds after which a page that was loaded is at rest.
AT_REST: Final = 1.5

#: What the table is told, and when (seconds).
Story = list[tuple[float, list[dict[str, Any]]]]


def played() -> tuple[list[dict[str, Any]], Story]:
    """The lines known when the watching begins, and a service's lines from then on."""
    told = Told()
    game = Simulation(Ruleset(level=3), SEED, took=lambda event, rulings: _note(told, event, rulings))
    told.line(GameBegun(game.header, "a", None, Names(red="Ada", black="Grace"), False))
    story: Story = []
    t = SINCE
    game.advance(t)
    known = [*told.lines, state_line(game.refereeing.view())]
    before = len(told.lines)
    while t < UNTIL:
        t += STATE
        game.advance(t)
        story.append((t - SINCE, [*told.lines[before:], state_line(game.refereeing.view())]))
        before = len(told.lines)
    return known, story


def _note(told: Told, event: Any, rulings: Any) -> None:
    told.line(event)
    for ruling in rulings:
        told.line(ruling)


def main_thread(trace: bytes) -> list[float]:
    """Milliseconds of the page's main thread in each frame in which it had something to do."""
    events = json.loads(trace)["traceEvents"]
    name = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    tasks = [e for e in events if e["name"] == "RunTask" and name.get((e["pid"], e["tid"])) == "CrRendererMain"]
    [(busiest, _)] = Counter((e["pid"], e["tid"]) for e in tasks).most_common(1)
    frames: Counter[int] = Counter()
    for task in tasks:
        if (task["pid"], task["tid"]) == busiest:
            frames[int(task["ts"] // FRAME)] += task.get("tdur", 0)  # left out where it is 0
    return [microseconds / 1e3 for microseconds in frames.values()]


def watched(browser: Browser, page: Page, site: Site, story: Story) -> list[float]:
    """The main-thread time of each frame of a page while ``story`` is told to its table, in real time."""

    def tell() -> None:
        began = time.monotonic()
        for at, records in story:
            time.sleep(max(0.0, began + at - time.monotonic()))
            site.tell(*records)

    browser.start_tracing(page=page, categories=["disabled-by-default-devtools.timeline"])
    teller = threading.Thread(target=tell)
    teller.start()
    while teller.is_alive():
        page.wait_for_timeout(200)
    return main_thread(browser.stop_tracing())


def row(what: str, frames: list[float], *, judged: bool) -> Figure:
    """Median, 99th percentile and longest frame."""
    over, longest = sum(frame > MOST for frame in frames), max(frames)
    return Figure(
        what,
        f"{MOST:.0f} ms" if judged else "",
        f"median {statistics.median(frames):.1f}, p99 {statistics.quantiles(frames, n=100)[98]:.1f}, "
        f"longest {longest:.1f} ms; {over} of {len(frames)} over {MOST:.0f}",
        longest <= MOST if judged else None,
    )


def frames_of(browser: Browser, size: tuple[int, int], rate: int) -> list[float]:
    """The frames while the game is played, the CPU throttled by ``rate``."""
    known, story = played()
    site = Site()
    site.greet(greeting())
    site.tell(*known)
    visit = Visit(browser, site.address, viewport={"width": size[0], "height": size[1]})
    expect(visit.page.locator("#tube-D4")).to_be_attached()
    throttle: Callable[..., Any] = visit.context.new_cdp_session(visit.page).send
    throttle("Emulation.setCPUThrottlingRate", {"rate": rate})
    visit.page.wait_for_timeout(AT_REST * 1000)
    found = watched(browser, visit.page, site, story)
    visit.close()
    site.close()
    return found


def scoreboard_figures() -> list[Figure]:
    """Watch the same game in both sizes, throttled and not."""
    figures = []
    with chromium() as browser:
        for name, size in SIZES.items():
            play = frames_of(browser, size, THROTTLED)
            free = [THROTTLED * frame for frame in frames_of(browser, size, 1)]
            what = f"scoreboard {name}, main thread a frame, throttled {THROTTLED}×"
            figures += [
                row(what, play, judged=True),
                row(f"{THROTTLED} × the time without a throttle", free, judged=False),
            ]
    return figures


if __name__ == "__main__":
    for figure in scoreboard_figures():
        print(figure.what, "|", figure.budget, "|", figure.measured, "|", figure.met)
