"""A simulated game watched in a real browser, from set-up to result: pieces and sand where the service has them.

The test listens to the live stream beside the page. In real time, at four times real speed.
"""

import bisect
import json
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tamsk_hw.errors import LiveError
from tamsk_hw.live.client import connect
from tamsk_hw.system.sockets import LineConnection
from tests.firmware.toolchain import need
from tests.programs import COMMAND, start
from tests.table.board_program import ROOT, free_port
from tests.web.site import PATIENCE, Visit, chromium

#: What a page shows, with the times (milliseconds since 1970) before and after the look.
LOOK = """() => ({
  at: Date.now(),
  revision: document.querySelector("#now").dataset.at,
  glasses: [...document.querySelectorAll("#board .tamsk-glass")].map((glass) => ({
    id: glass.id, standing: glass.dataset.standing, state: glass.dataset.state, fraction: glass.dataset.fraction,
  })),
  rings: Object.fromEntries([...document.querySelectorAll("#board .tamsk-tube")]
    .filter((tube) => tube.dataset.rings !== "0").map((tube) => [tube.dataset.tube, Number(tube.dataset.rings)])),
  left: ["red", "black"].map((player) => document.querySelector(`#card-${player} .left b`).textContent),
})"""


class Listener(threading.Thread):
    """One who listens to the service; ``states`` have the milliseconds since 1970 at which they came."""

    def __init__(self, connection: LineConnection) -> None:
        super().__init__(daemon=True)
        self._connection = connection
        self.states: list[tuple[float, dict[str, Any]]] = []
        self.rulings: list[dict[str, Any]] = []
        self.start()

    def run(self) -> None:
        newest = 0
        try:
            for line in self._connection.lines():
                record = json.loads(line)
                if "state" in record:
                    self.states.append((time.time() * 1000, record["state"]))
                elif "ruling" in record and record["seq"] > newest:  # a late "since" has lines sent again
                    newest = record["seq"]
                    self.rulings.append(record["ruling"])
        except OSError:
            pass

    def around(self, at: float, milliseconds: float) -> list[dict[str, Any]]:
        """The states from so long before a moment to so long after it, and the nearest ones beyond."""
        ends = time.monotonic() + PATIENCE
        while not self.states or self.states[-1][0] < at + milliseconds:
            assert time.monotonic() < ends
            time.sleep(0.05)
        times = [when for when, _ in self.states]
        first = max(0, bisect.bisect(times, at - milliseconds) - 1)
        return [state for _, state in self.states[first : bisect.bisect(times, at + milliseconds) + 1]]


def glasses_of(state: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The glasses of a state by their ids in the drawing."""
    counts = {"red": 0, "black": 0}
    glasses = {}
    for glass in state["glasses"]:
        counts[glass["owner"]] += 1
        glasses[f"glass-{glass['owner']}-{counts[glass['owner']]}"] = glass
    return glasses


def pieces(state: dict[str, Any]) -> dict[str, Any]:
    """The places of the pieces in a state, as the page has them."""
    return {
        "glasses": {name: (glass["standing"] or "", glass["state"]) for name, glass in glasses_of(state).items()},
        "rings": state["rings_seen"],
        "left": [str(state["left"]["red"]), str(state["left"]["black"])],
    }


def check_pieces(look: dict[str, Any], states: list[dict[str, Any]]) -> None:
    """Some state of that moment has all pieces where the page has them."""
    glasses = {glass["id"]: (glass["standing"], glass["state"]) for glass in look["glasses"]}
    seen = {"glasses": glasses, "rings": look["rings"], "left": look["left"]}
    assert seen in [pieces(state) for state in states]


def check_sand(look: dict[str, Any], states: list[dict[str, Any]]) -> int:
    """Each glass that runs all the while has the sand of the model, to a second; give how many there are."""
    checked = 0
    for glass in look["glasses"]:
        same = [glasses_of(state).get(glass["id"]) for state in states]
        if not all(each and each["state"] == "running" and each["standing"] == glass["standing"] for each in same):
            continue
        least = [each["seconds"][0] for each in same if each]
        full = least[0] / next(each["fraction"][0] for each in same if each)
        seconds = float(glass["fraction"].split()[0]) * full
        assert min(least) - 1 <= seconds <= max(least) + 1, (glass, least)
        checked += 1
    return checked


def listen(place: Path) -> Listener:
    ends = time.monotonic() + PATIENCE
    while True:
        try:
            connection = connect([place])
        except LiveError:
            assert time.monotonic() < ends
            time.sleep(0.05)
        else:
            connection.send({"since": 0})
            return Listener(connection)


def test_a_game_is_watched_from_set_up_to_its_result(
    runtime_folder: Path, processes: list[subprocess.Popen[str]]
) -> None:
    need("chromium-headless-shell")
    port = free_port()
    page_program = start(processes, *COMMAND, "web", "--port", str(port), stdout=subprocess.PIPE)
    assert page_program.stdout is not None
    address = page_program.stdout.readline().split()[-1]
    with chromium() as browser:
        visit = Visit(browser, address, viewport={"width": 1280, "height": 720})
        page = visit.page
        expect(page.locator("#waiting")).to_contain_text("Waiting for the service")
        start(processes, *COMMAND, "run", "--seed", "4", "--speed", "4", "--level", "3")
        listener = listen(runtime_folder / "tamsk-hw" / "live.sock")
        expect(page.locator("#drawing")).to_be_visible()
        # What it showed before the listener was there, nobody can tell.
        expect(page.locator("#board .tamsk-glass").first).to_be_attached()
        sand, turns = 0, set()
        ends = time.monotonic() + PATIENCE
        while sand < 12 or len(turns) < 5:
            assert time.monotonic() < ends, (sand, turns)
            look = page.evaluate(LOOK)
            states = listener.around(look["at"], 1000)
            check_pieces(look, states)
            sand += check_sand(look, states)
            turns |= {state["number"] for state in states}
        award = subprocess.run([*COMMAND, "arbiter", "award", "black"], cwd=ROOT, check=False)
        assert award.returncode == 0
        expect(page.locator(".result")).to_have_text("Black wins")
        assert page.locator("#moves li").count() >= len(turns) // 2
        ruled = [ruling["rule"] for ruling in listener.rulings]
        # The arbiter's decision stands below the ruling that came of it; of a long game not all are kept.
        expect(page.locator("#rulings a.clause").nth(1)).to_have_text("R9.6")
        shown = page.locator("#rulings a.clause").all_text_contents()[:20]
        assert shown == [ruled[-1], "R9.6", *ruled[-2::-1]][:20]
        visit.close()
