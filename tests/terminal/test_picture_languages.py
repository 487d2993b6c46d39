"""The picture in every language: its labels have the room that they need, and threads and logs speak rightly."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tamsk_hw.board.link_events import BoardSilent
from tamsk_hw.facts.notices import BoardLost, NextGameWaits
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.panel.diagnosis import ALL_BUTTONS, PlayerStatus, diagnose
from tamsk_hw.referee.rulings import Correction, Empty, GameOver, Moved, Reason
from tamsk_hw.referee.view import Phase, View
from tamsk_hw.system.output import Language
from tamsk_hw.terminal.picture import HEIGHT, SIDE_COLUMN, WIDTH, Scene, picture
from tamsk_hw.terminal.screen import SETTLED_SECONDS, PlainScreen, SetupWords
from tamsk_hw.words.prompts import keys_line
from tamsk_hw.words.rulings import line
from tamsk_hw.words.table import board_words, simulated_words, status_words
from tamsk_hw.words.translating import letter_words, player_words, speaking, tr
from tests.panel.boards import BLACK, RED, played, view
from tests.scenarios.book import SCENARIOS
from tests.soak import sample
from tests.words.test_catalogues import TRANSLATED, forms, messages

LANGUAGES = pytest.mark.parametrize("language", Language, ids=lambda language: language.value)
#: What is read from the catalogues; English is held to the letter elsewhere.
OTHERS = pytest.mark.parametrize("language", TRANSLATED, ids=lambda language: language.value)


def rows(now: View, recent: Sequence[str] = (), board: str = "board", kept: float = 3.456) -> list[str]:
    scene = Scene(view=now, diagnosis=diagnose(now), recent=recent, board=board, speed=10, kept=kept)
    return picture(scene).plain.split("\n")


def texts(language: Language, context: str) -> list[str]:
    """The labels of a context, with a letter in its place."""
    return [
        text.replace("{letter}", "R")
        for message in messages(language)
        if message.context == context
        for text in forms(message.string)
    ]


@OTHERS
def test_a_label_has_the_room_of_its_place(language: Language) -> None:
    assert {len(text) for text in texts(language, "six columns")} == {6}
    assert {len(text) for text in texts(language, "three columns")} == {3}
    with speaking(language):
        name = max(len(player_words(player)) for player in (RED, BLACK))
        assert len({letter_words(player) for player in (RED, BLACK)}) == 2
        assert max(len(letter_words(player)) for player in (RED, BLACK)) == 1
        assert len(keys_line()) <= WIDTH - 3
    labels = texts(language, "beside a player")
    rights = [
        text
        for message in messages(language)
        if str(message.id).startswith(("may drop", "button,"))
        for text in forms(message.string)
    ]
    assert len(labels) == 10
    assert len(rights) == 4
    beside = WIDTH - SIDE_COLUMN - len(" R  ") - name - len(" ◀ ")
    for text in labels:
        assert len(text) <= (WIDTH - SIDE_COLUMN - 1 if text in rights else beside), text


@OTHERS
def test_the_column_beside_the_board_is_not_cut(language: Language) -> None:
    ids = {"15 seconds for {player}", "15-second timer: not set", "● ring   · room for one"}
    ids |= {"+ a ring may be dropped", "R 178 sand left, seconds", "turn the timer over"}
    found = {message.id: message.string for message in messages(language) if message.id in ids}
    assert found.keys() == ids
    with speaking(language):
        names = [player_words(player) for player in (RED, BLACK)]
    for text in found.values():
        for name in names:
            shown = text.format(player=name)
            assert len(shown) <= WIDTH - SIDE_COLUMN - ("{player}" in text), shown
    (counts,) = [message.string for message in messages(language) if message.id[0].startswith("{count:3} rings")]
    assert {len(form.format(count=32)) for form in counts} == {10}  # sixteen are the bar's


@LANGUAGES
def test_the_board_s_name_gives_way_in_the_first_row(language: Language) -> None:
    port = "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0"
    with speaking(language):
        speed = tr("{kept:.2g}× of {speed:g}×", kept=0.00123, speed=10)
        names = board_words(Path(port)), simulated_words(999_999)
        for name in names:
            for now in (view(t=6100.0), view(t=6100.0, link_lost=True)):
                first = rows(now, board=name, kept=0.00123)[0]
                left, right = first.split(f"   {speed}  ")
                assert left.startswith(" TAMSK, ")
                assert left.endswith("101:40")
                shown = right.strip()
                assert shown == name or (shown.endswith("…") and name.startswith(shown[:10]))


@LANGUAGES
def test_a_player_s_situation_is_whole_in_the_picture(language: Language) -> None:
    over = GameOver(90.0, "R5.2", BLACK, Reason.FEWEST_RINGS, {Player.RED: 9, Player.BLACK: 7})
    seen = {PlayerStatus.WAITING, PlayerStatus.BEATEN}
    with speaking(language):
        for player in (RED, BLACK):
            for now in (
                view(turn=player),
                view(turn=player, move_started=True),
                view(turn=None, late=player),
                view(turn=None, phase=Phase.SETUP),
                view(turn=None, over=replace(over, winner=player)),
                view(turn=None, over=replace(over, winner=None)),
            ):
                stance = diagnose(now).players[player].stance
                seen.add(stance)
                words = f"{player_words(player)} ◀ {status_words(stance)}"
                assert any(row.rstrip().endswith(words) for row in rows(now)), words
    assert seen == set(PlayerStatus)


@LANGUAGES
def test_every_view_of_a_few_scenarios_has_its_picture(language: Language) -> None:
    with speaking(language):
        letters = {player: letter_words(player) for player in (RED, BLACK)}
        for scenario in sample(SCENARIOS, soak=25, otherwise=100):
            recent: list[str] = []
            for rulings, now in sample(list(played(scenario)), soak=1, otherwise=4):
                recent += map(line, rulings)
                shown = rows(now, recent)
                assert len(shown) == HEIGHT
                assert {len(row) for row in shown} == {WIDTH}
                assert "{" not in "".join(shown)
                for held in now.glasses:
                    if held.standing is not None:
                        row = 3 + int((6 - held.standing.height) * 2)
                        assert letters[held.owner] in shown[row][2 + 7 * held.standing.column :][:6]


@pytest.mark.parametrize(
    ("is_journal", "lines", "hint"),
    [
        (
            False,
            ["Rot zieht D1→D2.", "Das Spiel ist aus; das nächste kann aufgebaut werden.", "Start drücken."],
            "Das Brett aufbauen: die Sanduhr von E4 wegnehmen.",
        ),
        (
            True,
            ["Red moves D1→D2.", "<5>The game is over; the next one can be set up.", "<5>Press start."],
            "Set up the board: take the glass off E4.",
        ),
    ],
)
def test_systemds_journal_is_in_english_with_priorities(
    is_journal: bool, lines: list[str], hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = view(turn=None, phase=Phase.SETUP)
    lacking = diagnose(replace(ready, wrong=(Correction(Tube.E4, None, Empty()),)))
    with (tmp_path / "output").open("w+", encoding="utf-8") as output:
        status = os.fstat(output.fileno())
        monkeypatch.setenv("JOURNAL_STREAM", f"{status.st_dev}:{status.st_ino + (not is_journal)}")
        monkeypatch.setattr("sys.stdout", output)
        monkeypatch.setattr("sys.stderr", output)
        screen, hints = PlainScreen(), SetupWords()
        with speaking(Language.DE):
            screen.rule([Moved(1, "R2.1", RED, Tube.D1, Tube.D2, False)])
            screen.notice(NextGameWaits())
            screen.notice(BoardLost(BoardSilent(0.5)))
            screen.show(ready, diagnose(ready, ways=ALL_BUTTONS))
            hints.feed(lacking, 0.0)
            assert hints.feed(lacking, SETTLED_SECONDS) == hint
        output.seek(0)
        printed = output.read()
    assert [line for line in lines if line in printed] == lines
    assert ("<4>The board is out of reach: nothing from the board for 0.5 s." in printed) is is_journal
