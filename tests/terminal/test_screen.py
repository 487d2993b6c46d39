"""The screens of a running game: the live picture as its terminal changes, and plain lines."""

from contextlib import nullcontext
from io import StringIO
from threading import Event, Semaphore

import pytest
from rich.console import Console

from tamsk_hw.facts.notices import GameOnSpeed, GameSlowed, NextGameWaits
from tamsk_hw.game.tubes import Tube
from tamsk_hw.panel.diagnosis import ENTER, UP, Confirmation, InputMethods, Prompt, diagnose
from tamsk_hw.panel.keys import KeyCommands
from tamsk_hw.referee.rulings import Caution, Moved, Started, Turn, Warned
from tamsk_hw.referee.view import Phase
from tamsk_hw.system.output import Language
from tamsk_hw.terminal.screen import LiveScreen, PlainScreen
from tamsk_hw.words.translating import speaking, spoken
from tests.panel.boards import BLACK, RED, view

READY = view(turn=None, phase=Phase.SETUP)
KEYS = InputMethods(keys=True)


#: Seconds after which a test fails that waits for the thread.
PATIENCE = 30.0


class Window:
    """A live screen on a terminal whose size can be changed, and which may take nothing for a while."""

    def __init__(self) -> None:
        self.written = StringIO()
        self.console = Console(file=self.written, force_terminal=True, width=120, height=40, color_system=None)
        self.screen = LiveScreen(self.console, self._is_read, speed=1.0, board="board")
        self.drawn, self.reads = Semaphore(0), Event()
        self.reads.set()
        self.languages: list[Language] = []

    def _is_read(self, seconds: float) -> bool:
        self.languages.append(spoken())
        self.drawn.release()
        return self.reads.wait(seconds)

    def shown(self, width: int = 80, height: int = 24, prompt: Prompt | None = None) -> list[str]:
        """Picture drawn after the terminal got that size."""
        self.console.size = (width, height)  # type: ignore[assignment]
        self.written.truncate(0)
        while self.drawn.acquire(blocking=False):
            pass
        self.screen.show(view(), diagnose(view(), ways=KEYS, prompt=prompt))
        assert self.drawn.acquire(timeout=PATIENCE)
        return self.written.getvalue().replace("\x1b[H", "").split("\n")


@pytest.fixture
def window() -> Window:
    window = Window()
    window.screen.rule(
        [
            Started(0, "R1.5", 3, RED),
            Turn(0, "R2.1", RED, 1),
            Moved(1, "R2.1", RED, Tube.D1, Tube.D2, False),
            Turn(1, "R2.1", BLACK, 2),
        ]
    )
    return window


def test_a_terminal_that_becomes_too_small_says_so_and_the_picture_comes_back(window: Window) -> None:
    with window.screen:
        assert any("TAMSK, level 3" in row for row in window.shown(80, 23))
        small = " ".join(row.strip() for row in window.shown(60, 15))
        assert "The picture needs 80 by 23 characters; this terminal has 60 by 15." in small
        assert "Red moves D1→D2." in small
        assert "TAMSK" not in small
        large = window.shown(120, 40)
        assert any("TAMSK, level 3" in row for row in large)
        assert any("1.  (R)D1→D2" in row for row in large)


def test_a_speed_that_is_not_kept_stays_in_sight(window: Window) -> None:
    with window.screen:
        window.screen.notice(GameSlowed(1.0, 0.4))
        assert "0.4× of 1× " in window.shown(80, 24)[0]
        window.screen.notice(GameOnSpeed(1.0))
        assert "×" not in window.shown(80, 24)[0]


def test_the_last_picture_stays_without_questions_and_keys(window: Window) -> None:
    with window.screen:
        assert "End the program?" in "".join(window.shown(prompt=Confirmation(None)))
        window.written.truncate(0)
    assert "Red moves D1→D2." in window.written.getvalue()
    assert "End the program?" not in window.written.getvalue()
    assert "q end" not in window.written.getvalue()


def test_the_newest_state_is_drawn_with_all_the_words_before_it(window: Window) -> None:
    """A terminal that takes nothing holds up neither the loop nor the end; states in between are left out."""
    with window.screen:
        window.reads.clear()
        window.shown()
        window.screen.rule([Warned(1.5, "R9.5", code=Caution.LINK_LOST, player=None, tube=None)])
        for t in range(2, 1000):
            window.screen.show(view(t=float(t)), diagnose(view(t=float(t))))
        window.screen.say("words")
        window.screen.notice(NextGameWaits())
        window.written.truncate(0)
        window.reads.set()
    after = window.written.getvalue()
    assert after.count("16:39") == 2  # drawn, and left in the terminal
    assert after.count("TAMSK, level 3") == 2
    for words in ("The board is out of reach", "words", "The game is over; the next one can be set up."):
        assert words in after


@pytest.mark.parametrize("lasting", [False, True])
def test_a_picture_that_cannot_be_shown_is_an_error_of_the_next_unless_the_screen_lasts(lasting: bool) -> None:
    window = Window()
    window.screen = LiveScreen(window.console, window._is_read, speed=1.0, board="board", lasting=lasting)
    with window.screen:
        window.console.file.write = lambda text: (_ for _ in ()).throw(OSError(5, "Input/output error"))  # type: ignore[method-assign]
        window.screen.show(view(), diagnose(view()))
        assert window.drawn.acquire(timeout=PATIENCE)
        with nullcontext() if lasting else pytest.raises(OSError, match="Input/output"):
            window.screen.show(view(), diagnose(view()))
        del window.console.file.write


def test_a_terminal_that_was_left_is_taken_again_in_the_language_of_who_began(window: Window) -> None:
    """As after Ctrl-Z and fg."""
    for language in (Language.NL, Language.DE):
        with speaking(language), window.screen:
            window.shown()
        assert window.languages[-1] is language


class Plain:
    """A plain screen, and somebody at its keys."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.screen, self.desk, self._capsys = PlainScreen(), KeyCommands(), capsys

    def said(self, *keys: str, ways: InputMethods = KEYS) -> list[str]:
        """New text on standard error after these keys."""
        for key in keys:
            self.desk.on_key(key, view(), offered=False, now=0.0)
            self._show(self.desk.prompt, ways)
        if not keys:
            self._show(self.desk.prompt, ways)
        return self._capsys.readouterr().err.splitlines()

    def _show(self, prompt: Prompt | None, ways: InputMethods) -> None:
        for _ in range(2):  # nothing is said twice
            self.screen.show(view(), diagnose(view(), ways=ways, prompt=prompt))


def test_plain_lines_name_the_keys_once_and_nothing_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    plain = Plain(capsys)
    assert plain.said() == ["Keys: s start · r b claim · R B resign · a arbiter · q end · ? help"]
    assert plain.said() == []
    assert Plain(capsys).said(ways=InputMethods()) == []


def test_plain_lines_print_a_menu_once_and_then_what_is_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    plain = Plain(capsys)
    plain.said()
    assert plain.said("a") == [
        "The arbiter decides:",
        "  1 award the game to a player",
        "  2 abandon the game, without a result",
        "  3 pause the game",
        "  ↑ ↓ Enter or number · Esc back",
    ]
    assert plain.said(UP) == ["> pause the game"]
    assert plain.said(UP) == ["> abandon the game, without a result"]
    assert plain.said(ENTER) == ["The game is abandoned, without a result?", "  y yes · n no"]
    assert plain.said("n") == []


def test_plain_lines_say_how_to_start_whenever_the_board_is_ready(capsys: pytest.CaptureFixture[str]) -> None:
    screen = PlainScreen()
    for now in (READY, READY, view(), READY):
        screen.show(now, diagnose(now))
    assert capsys.readouterr().err.splitlines() == ["Press start.", "Press start."]
