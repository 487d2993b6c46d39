"""Words for what can be pressed here and now, and for what a terminal asks."""

import pytest

from tamsk_hw.game.tubes import TUBES, Player, Tube
from tamsk_hw.panel.diagnosis import ALL_BUTTONS, Confirmation, Idle, InputMethods, KeyList, Menu, Prompt, diagnose
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Press
from tamsk_hw.referee.rulings import GameOver, Question, Reason
from tamsk_hw.referee.view import Phase, View
from tamsk_hw.system.output import Language
from tamsk_hw.words.prompts import how_words, prompt_words
from tamsk_hw.words.rulings import headline
from tamsk_hw.words.translating import speaking
from tests.panel.boards import BLACK, RED, glass, view

READY = view(turn=None, phase=Phase.SETUP)
OVER = view(over=GameOver(1, "R5.2", BLACK, Reason.FEWEST_RINGS, {Player.RED: 9, Player.BLACK: 7}))
ASKED = view(question=Question())

KEYS = InputMethods(keys=True)
BOTH = InputMethods(buttons=frozenset(ButtonName), keys=True)
NOTHING = InputMethods()
CLAIM_BUTTONS = InputMethods(buttons=frozenset({ButtonName.RED, ButtonName.BLACK}))
LIVE = InputMethods(live=True)
LIVE_AND_CLAIM_BUTTONS = InputMethods(buttons=CLAIM_BUTTONS.buttons, live=True)
LIVE_AND_BUTTONS = InputMethods(buttons=frozenset(ButtonName), live=True)
LIVE_AND_KEYS = InputMethods(keys=True, live=True)
DEMO = InputMethods(keys=True, demo=True)
PAGE = InputMethods(page=True)
PAGE_AND_BUTTONS = InputMethods(buttons=frozenset(ButtonName), page=True)
LIVE_DEMO = InputMethods(live=True, demo=True)

ENABLE = "enable the buttons in the configuration, or use tamsk-hw run in a terminal, where keys do it"

NO_START = f"Nothing here can start a game: {ENABLE}."
START = "Run tamsk-hw do start to start the game."
WHOSE = "For the arbiter: Whose glass ran out last?"
DECIDE = "To answer as the arbiter, run tamsk-hw arbiter; by itself it lists the decisions."
BLACK_WINS = "Black wins: fewest rings left (rings left: red 9, black 7). (R5.2)"


@pytest.mark.parametrize(
    ("now", "ways", "line", "how"),
    [
        (READY, ALL_BUTTONS, "The board is ready: press start.", "Press start."),
        (READY, KEYS, "The board is ready: press s.", "Press s."),
        (READY, BOTH, "The board is ready: press start, or s here.", "Press start, or s here."),
        (READY, CLAIM_BUTTONS, "The board is ready, but nothing here can start it.", NO_START),
        (READY, LIVE_AND_CLAIM_BUTTONS, "The board is ready: run tamsk-hw do start.", START),
        (READY, PAGE, "The board is ready.", None),
        (READY, PAGE_AND_BUTTONS, "The board is ready: press start.", None),
        (READY, LIVE_DEMO, "The board is ready: the players start the game.", None),
        (ASKED, KEYS, "Arbiter, press a: Whose glass ran out last?", "Press a to answer as the arbiter."),
        (
            ASKED,
            ALL_BUTTONS,
            WHOSE,
            "To answer, end this program, use tamsk-hw run in a terminal, resume the game and press a.",
        ),
        (ASKED, LIVE, WHOSE, DECIDE),
        (ASKED, LIVE_AND_KEYS, "Arbiter, press a: Whose glass ran out last?", "Press a to answer as the arbiter."),
        (ASKED, LIVE_DEMO, WHOSE, None),
        (OVER, LIVE, BLACK_WINS, "Run tamsk-hw do next to set up the next game."),
        (OVER, LIVE_AND_BUTTONS, BLACK_WINS, "Press start to set up the next game."),
        (OVER, KEYS, BLACK_WINS, "Press s to set up the next game."),
        (OVER, NOTHING, BLACK_WINS, None),
        (OVER, DEMO, BLACK_WINS, "Press s for another game, q to end."),
        (OVER, LIVE_DEMO, BLACK_WINS, None),
        (view(), NOTHING, "Red to move.", None),
    ],
)  # fmt: skip
def test_words_name_what_can_be_pressed(now: View, ways: InputMethods, line: str, how: str | None) -> None:
    diagnosis = diagnose(now, ways=ways)
    assert headline(diagnosis) == line
    assert how_words(diagnosis) == how


@pytest.mark.parametrize(
    ("ways", "line"),
    [
        (ALL_BUTTONS, "A game is unfinished: start resumes it, start held abandons it."),
        (KEYS, "A game is unfinished: s resumes it, a abandons it."),
        (BOTH, "A game is unfinished: start (s) resumes it, start held (a) abandons it."),
        (LIVE, "A game is unfinished: run tamsk-hw do resume or tamsk-hw do abandon."),
        (LIVE_AND_BUTTONS, "A game is unfinished: start resumes it, start held abandons it."),
        (NOTHING, "A game is unfinished, but nothing here can resume or abandon it."),
        (PAGE, "A game is unfinished."),
    ],
)
def test_an_offered_game_names_what_answers(ways: InputMethods, line: str) -> None:
    diagnosis = diagnose(view(), offered=True, ways=ways)
    assert headline(diagnosis) == line
    how = {NOTHING: f"Nothing here can resume a game: {ENABLE}.", PAGE: None}
    assert how_words(diagnosis) == how.get(ways, line)


GLASSES = view(glasses=(glass(RED, Tube.D2), glass(BLACK, Tube.F1)))


def test_ending_says_what_becomes_of_the_game() -> None:
    end = Confirmation(None)
    assert prompt_words(end, GLASSES, KEYS).title.endswith("A game that is not over is offered at the next start.")
    assert prompt_words(end, GLASSES, DEMO).title == "End the program?"


def test_a_menu_names_the_glasses_by_their_owners() -> None:
    words = prompt_words(Menu(options=(Tube.D2, Tube.F1), chosen=1, action=Action.EXPIRE), GLASSES, KEYS)
    assert words.lines == ("red's glass on D2", "black's glass on F1")
    assert words.chosen == 1


@pytest.mark.parametrize("language", Language)
def test_everything_fits_a_picture_of_eighty_columns_and_five_rows(language: Language) -> None:
    prompts: list[Prompt] = [
        KeyList(),
        Button(0.0, ButtonName.BLACK, Press.SHORT),
        *Idle,
        Confirmation(None),
        Confirmation(Button(0.0, ButtonName.START, Press.LONG)),
        *(Confirmation(Arbiter(0.0, action, Tube.F1, BLACK)) for action in Action),
        Menu(options=tuple(Action)),
        *(Menu(options=(Tube.D2,), action=action) for action in Action),
    ]
    with speaking(language):
        for prompt in prompts:
            words = prompt_words(prompt, GLASSES, KEYS)
            assert len(words.title) <= 76, words.title
            assert all(len(line) <= 74 for line in words.lines)
            assert words.chosen is not None or len(words.lines) <= 5


@pytest.mark.parametrize(
    ("seen", "action", "lines"),
    [
        (1, Action.RING, ("If it counts for red, it passes to black: 1 left.", "Otherwise nothing changes.")),
        (2, Action.RING, ("One ring more counts for black: 1 left.",)),
        (1, Action.UNCOUNT, ("It no longer counts, and its player has one ring more left.",)),
    ],
)
def test_a_decision_on_a_ring_says_what_follows(seen: int, action: Action, lines: tuple[str, ...]) -> None:
    """R9.6, R9.7."""
    rings, seen_rings = ([number if tube is Tube.D4 else 0 for tube in TUBES] for number in (1, seen))
    now = view(left={RED: 2, BLACK: 2}, rings=tuple(rings), rings_seen=tuple(seen_rings))
    decision = Arbiter(0.0, action, Tube.D4, BLACK if action is Action.RING else None)
    assert prompt_words(Confirmation(decision), now, KEYS).lines == lines


@pytest.mark.parametrize("language", Language)
def test_a_headline_without_orders_fits_the_row(language: Language) -> None:
    asked = [view(question=question) for question in (Question(), Question(BLACK), Question(RED))]
    others = [view(link_lost=True), view(turn=None), view(turn=None, phase=Phase.SAND)]
    with speaking(language):
        for ways in (ALL_BUTTONS, KEYS, BOTH, LIVE, NOTHING, DEMO):
            assert len(headline(diagnose(view(), offered=True, ways=ways))) <= 78
            for now in (READY, OVER, *asked, *others):
                words = headline(diagnose(now, ways=ways))
                assert len(words) <= 78, words
