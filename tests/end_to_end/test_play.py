"""``tamsk-hw play`` in a browser: games by mouse, finger and keys, every violation provoked and put right.

In real time, with the program's own processes. What takes minutes belongs to ``make soak``.
"""

import os
import signal
import tempfile
from collections.abc import Iterator
from math import inf
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Route, expect

from tamsk_hw.commands.main import main
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import Player
from tamsk_hw.journal.archive import Archive, simulated_folder
from tamsk_hw.journal.database import holder_of
from tamsk_hw.partner import Strength
from tamsk_hw.referee.view import Phase
from tests.end_to_end.at_the_table import Person, Playing, Way, played, until
from tests.soak import in_soak


def is_gone(process: int) -> bool:
    try:
        return (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.soak(but=["killed"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "killed"])
def test_board_and_page_end_with_the_command_however_that_ends(number: signal.Signals) -> None:
    with played("--players", "none") as playing:
        assert playing.address.startswith("http://127.0.0.1:")
        assert playing.address.endswith("/table")
        children = until(lambda: len(found := playing.children()) == 2 and found)
        os.kill(playing.process.pid, number)
        assert playing.process.wait(30) == (130 if number is signal.SIGINT else -signal.SIGKILL)
        until(lambda: all(map(is_gone, children)))


def test_a_second_one_is_refused_before_it_shows_an_address() -> None:
    with played("--players", "none") as playing:
        games = simulated_folder(playing.folder / "journal")
        until(lambda: holder_of(games) is not None)
        config = str(playing.folder / "config.toml")
        ran = CliRunner().invoke(main, ["play", "--config", config])
        assert (ran.exit_code, ran.stdout) == (2, "")
        assert f"the journal in {games} is held by process {playing.process.pid}" in ran.stderr


def test_a_temporary_folder_too_deep_for_sockets_is_refused_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, deep = tmp_path / "config.toml", tmp_path / ("x" * 100)
    config.write_text(f'[journal]\nfolder = "{tmp_path / "journal"}"\n', encoding="utf-8")
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    ran = CliRunner().invoke(main, ["play", "--config", str(config)])
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "set TMPDIR to a shorter one" in ran.stderr
    assert "--" not in ran.stderr


def test_without_its_board_the_command_says_so_and_ends() -> None:
    with played("--players", "none") as playing:
        children = until(lambda: len(found := playing.children()) == 2 and found)
        board = [child for child in children if b"simulate" in Path(f"/proc/{child}/cmdline").read_bytes()]
        os.kill(*board, signal.SIGKILL)
        said, _ = playing.process.communicate(timeout=30)
        assert "The simulated board has ended" in said
        until(lambda: all(map(is_gone, children)))


LEVELS = {1: "1: without sand", 2: "2: with sand", 3: "3: with the 15-second timer"}


@pytest.mark.soak(but=["3-touch"])
@pytest.mark.parametrize("way", ["mouse", "touch", "keys"])
@pytest.mark.parametrize("level", LEVELS)
def test_somebody_plays_the_program_with_one_device_alone(browser: Browser, way: Way, level: int) -> None:
    """To the score sheet in ``make soak``, else the first turns; on a slow machine a ring may come too late.

    The stronger one is at the page: equal rings, for which three minutes of sand decide, are rare then.
    """
    last = in_soak(1000, otherwise=3)
    with played("--seed", "5", "--level", str(level % 3 + 1)) as playing:
        person = Person(browser, playing, way)
        person.choose("tamsk-hw (easy)")
        for seat in ("black", "red"):
            person.choose("Change colours")
            expect(person.page.locator("#acting")).to_have_attribute("data-seat", seat)
        person.choose(LEVELS[level])
        person.press("start")  # at once: the board has not been looked at yet
        person.reads("started", level=level)
        person.play(
            Player.RED,
            Ruleset(level=level),
            lambda view: view.number >= last or view.phase is Phase.OVER or view.question is not None,
            strength=Strength.STRONG,
        )
        assert {each["code"] for each in person.rulings("violation")} <= {"ring_too_late"}
        calm = next((each["t"] for each in person.rulings("turn") if each["number"] == 7), inf)
        hurried = [each["t"] for each in person.rulings("timer_started") if each["against"] == "red"]
        assert all(t >= calm for t in hurried), "the weakest leaves three turns in peace"
        if person.view.number < last:
            if asked := person.rulings("arbiter_needed"):
                person.use("#answers summary")  # whose sand ran out last (R5.4): who plays alone says it
                person.use("[data-answer]")
            over = person.reads("game_over")
            assert (over["reason"] == "awarded") is bool(asked)
            expect(person.page.locator("#moves")).to_contain_text("→")
            course = f"{person.view.number} turns, {person.view.t:.0f} s, {len(person.rulings('violation'))} late"
            print(f"level {level}, {way}: {course}; {over}")
            person.use("[data-post=again]")
            expect(person.page.locator("[data-press=start]")).to_be_visible(timeout=60_000)
            person.press("start")
            person.reads("started", 2)
        person.leave()
        playing.end()
        assert len(Archive(simulated_folder(playing.folder / "journal")).games()) >= 1
        assert not (playing.folder / "journal" / "games.db").exists()


@pytest.fixture
def playing() -> Iterator[Playing]:
    with played("--seed", "5", "--players", "none", "--level", "3") as playing:
        yield playing


def test_two_browsers_sit_at_one_board_and_one_that_vanishes_leaves_the_glass_in_the_hand(
    browser: Browser, playing: Playing
) -> None:
    red, black = (Person(browser, playing, "mouse", f"?seat={seat}") for seat in ("red", "black"))
    red.press("start")
    red.reads("started")
    red.carry("D1", "D2")
    black.reads("move", player="red", to="D2")
    # They agree on a pause: the sand stands, and goes on from there.
    red.use("[data-post=pause]")
    expect(black.page.locator("#headline")).to_contain_text("sand and clocks stand still")
    stood = black.view
    black.page.wait_for_timeout(1500)
    assert black.view == stood
    black.use("[data-post=pause]")
    until(lambda: black.view.t > stood.t)
    assert black.view.glasses[0].seconds[1] > stood.glasses[0].seconds[1] - 1.0
    black.sees('#place-D2[data-owner="red"]')
    expect(black.page.locator("[data-press=red]")).to_be_disabled()
    # Two hands on one glass: the second one finds nothing there, and is told at the place.
    asked: list[Route] = []
    red.page.route("**/table/do", lambda route: asked.append(route))
    red.take('.grab[data-tube="G1"]')
    until(lambda: red.page.evaluate("1") and asked)
    black.take('.grab[data-tube="G1"]')
    black.is_told("has lifted")
    asked[0].continue_()
    expect(red.page.locator("#refusal")).to_be_visible()
    red.page.unroute("**/table/do")
    # The one who has it vanishes in mid-drag: another one of that seat finds it in the hand, and seats it.
    red.up()
    black.visit.close()
    again = Person(browser, playing, "mouse", "?seat=black")
    again.sees('.held[data-glass="G1"][data-player="black"]')
    again.take('.held[data-glass="G1"]')
    again.turn()
    again.move(*again._glass_over("F1"))
    again.up()
    again.reads("move", player="black", to="F1")
    again.leave()
    red.leave()


def test_a_violation_by_keys_is_said_and_put_right(browser: Browser, playing: Playing) -> None:
    me = Person(browser, playing, "keys")
    me.press("start")
    me.reads("started")
    me.carry("D1", "D3")
    me.reads("violation", code="not_adjacent", tube="D3")
    expect(me.page.locator("#orders")).to_be_visible()
    expect(me.page.locator("#rulings li").first.locator(".clause")).to_have_text("R2.1")
    me.carry("D3", "D1")
    me.reads("restored")
    expect(me.page.locator("#orders")).to_be_hidden()
    me.leave()


@pytest.mark.soak
def test_a_ring_that_comes_too_late_and_a_glass_that_has_run_out(browser: Browser, playing: Playing) -> None:
    me = Person(browser, playing)
    me.press("start")
    me.reads("started")
    me.carry("D1", "D2")
    me.reads("move", to="D2")
    until(lambda: not me.view.ring_open)
    me.ring("D2")
    me.reads("violation", code="ring_too_late", tube="D2")
    me.unring("D2")
    me.reads("restored")
    for count, (home, tube) in enumerate(
        [("G1", "F1"), ("G4", "G3"), ("D7", "D6"), ("A4", "A3"), ("A1", "A2"), ("D2", "D3"), ("F1", "E1")], 2
    ):
        me.carry(home, tube)
        me.reads("move", count)
    me.reads("glass_lost", tube="D3")
    me.carry("D3", "D4")
    me.reads("violation", code="dead_glass", tube="D4")
    me.carry("D4", "D3")
    me.reads("restored", 2)
    me.leave()


@pytest.mark.soak
def test_what_rules_forbid_is_ruled_on_and_put_right_by_hand(browser: Browser, playing: Playing) -> None:
    """Each code that takes no waiting, from one page with both seats."""
    me = Person(browser, playing)
    me.press("start")
    me.reads("started")

    def violation(code: str, tube: str | None) -> None:
        me.reads("violation", code=code, tube=tube)

    restored = 0

    def put_right() -> None:
        nonlocal restored
        restored += 1
        me.reads("restored", restored)

    me.carry("D1", "D3")
    violation("not_adjacent", "D3")
    me.carry("D3", "D1")
    put_right()
    me.carry("D1", "D2", turned=False)
    violation("not_turned", "D2")
    me.carry("D2", "D1", turned=False)
    put_right()
    me.carry("D1", "D1")
    violation("turned_in_place", "D1")
    me.carry("D1", "D1")
    put_right()
    me.carry("G1", "F1")
    violation("not_your_turn", "F1")
    me.carry("F1", "G1")
    put_right()
    me.ring("D4")
    violation("ring_wrong_tube", "D4")
    me.unring("D4")
    put_right()
    # Two at once: the first one is left in the hand by keys, the second one is dragged.
    me.way = "keys"
    me.go("D1")
    me.page.keyboard.press("Enter")
    me.sees('.held[data-glass="D1"]')
    me.way = "mouse"
    me.take('.grab[data-tube="G4"]')
    violation("two_glasses", "G4")
    me.up()
    me.sees('#place-G4[data-owner="red"]')
    put_right()
    me.page.keyboard.press("t")
    me.way = "keys"
    me.go("D2")
    me.page.keyboard.press("Enter")
    me.way = "mouse"
    me.reads("move", player="red", to="D2")
    me.ring("D2")
    me.reads("ring", player="red", tube="D2")
    me.ring("D2")
    violation("ring_too_many", "D2")
    me.unring("D2")
    put_right()
    me.unring("D2")
    violation("ring_removed", "D2")
    me.ring("D2")
    put_right()
    # A glass that leans is set upright again.
    me.way = "keys"
    me.go("A1")
    me.page.keyboard.press("l")
    me.sees('#place-A1[data-leaning="yes"]')
    violation("out_of_place", "A1")
    me.page.keyboard.press("l")
    put_right()
    me.turn_timer()
    me.reads("timer_started", against="black")
    me.is_told("has turned the timer")
    me.sees('[data-timer="there"]')  # while it is in the hand, the page would have it placed
    me.turn_timer()
    violation("timer_running", None)
    me.way = "mouse"
    me.carry("G1", "F1")
    me.reads("move", player="black", to="F1")
    me.carry("D2", "D3")
    violation("already_moved", "D3")
    me.carry("D3", "D2")
    put_right()
    me.leave()
