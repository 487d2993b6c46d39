"""Words at the table and of commands.

The words of the page on which people play at a simulated board.

The words of ``tamsk-hw simulate`` once its board runs.

Sentences around lessons, whose own words stand in their files.

Why something that was asked for is refused, in words.

The words of a replay, in the terminal and on the page.

What ``tamsk-hw run`` says of itself: its board in a few words, its beginning and its end.

The output's own lines.

The situation of a player in a few words, for a picture in which he has little room.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import assert_never

from tamsk_hw.facts.refusals import HandDeed
from tamsk_hw.game.tubes import CAPACITY, Player, Tube
from tamsk_hw.panel.diagnosis import PlayerSign, Stance
from tamsk_hw.panel.keys import Hindrance
from tamsk_hw.partner.intention import Advice
from tamsk_hw.words.prompts import advice_words
from tamsk_hw.words.rulings import short_clock
from tamsk_hw.words.translating import ntr, tr, tr_in


def table_texts() -> dict[str, str]:
    """The texts that the page's templates and script name."""
    return {
        "table": tr("Table"),
        "by_keys": tr("By keys: choose a tube with the arrows"),
        "hands": tr("Hands"),
        "timer": tr("15-second timer"),
        "start": tr_in("button", "Start"),
        "long_press": tr("Hold red's or black's button, or press Shift and Enter, to resign."),
        "again": tr("Set up another game"),
        "question": tr("A question"),
        "decide": tr("Decide it here"),
        "red_hands": tr("Red's hands"),
        "black_hands": tr("Black's hands"),
        "keys": tr("Keys"),
        "drag": tr(
            "Drag a glass to a tube, a ring from a stack to a tube or off it again, or to the other stack to give "
            "it away. While you drag, T, the wheel or a second finger turns the glass over. Let go beside the "
            "board, it is laid down there."
        ),
        "watching": tr("You are watching. To play, scan a seat's QR code."),
        "invite": tr("Invite"),
        "invited": tr("Whoever scans a code plays that colour, until the page ends."),
    }


def answered_words() -> str:
    """A question to the arbiter was answered at the table."""
    return tr("The answer is taken.")


def seat_words(player: Player) -> str:
    """The place of whoever has a player's hands."""
    return tr("{Player}'s seat", player=player)


def seat_link_words(player: Player, address: str) -> str:
    """A seat's link, before its QR code."""
    return tr("{Player}'s seat: {address}", player=player, address=address)


def actions() -> tuple[tuple[str, str, str], ...]:
    """What can be done with the chosen tube: code, key, words."""
    return (
        ("carry", "Enter", tr("Lift or seat")),
        ("turn", "T", tr("Turn over")),
        ("ring", "R", tr("Drop a ring")),
        ("unring", "U", tr("Take a ring off")),
        ("give", "V", tr("Give a ring away")),
        ("tip", "L", tr("Tip or set upright")),
        ("away", "P", tr("Lay aside")),
        ("back", "Esc", tr("Put back")),
        ("timer", "G", tr("Turn the timer")),
        ("hands", "H", tr("Change hands")),
    )


def place_label(tube: Tube, rings: int, owner: Player | None, *, leans: bool) -> str:
    """A tube with what eyes see in it."""
    words = ntr(
        "{tube}: {seen} of {count} ring", "{tube}: {seen} of {count} rings", CAPACITY[tube], tube=tube, seen=rings
    )
    if owner is None:
        return words
    if leans:
        return tr("{tube}, a {player} glass leans there", tube=words, player=owner)
    return tr("{tube}, a {player} glass", tube=words, player=owner)


def held_label(owner: Player, hand: Player) -> str:
    """A glass in a hand."""
    return tr("A {owner} glass in {player}'s hand", owner=owner, player=hand)


def off_label(owner: Player) -> str:
    """A glass that lies beside the board."""
    return tr("A {owner} glass beside the board", owner=owner)


def rings_label(player: Player, holder: int, held: int) -> str:
    """A player's stack of rings; ``held``: rings in his hands."""
    words = ntr("{Player}: {count} ring", "{Player}: {count} rings", holder, player=player)
    return tr("{rings}, one in the hand", rings=words) if held else words


def button_label(player: Player) -> str:
    """A player's button, with which he claims a ring (R4.6)."""
    return tr_in("button", "{Player} claims", player=player)


def timer_label(*, is_there: bool, runs: bool) -> str:
    """The 15-second timer as eyes see it; ``is_there``: in its cradle."""
    if not is_there:
        return tr("15-second timer: beside the board")
    return tr("15-second timer: it runs") if runs else tr("15-second timer: empty above")


def done_words(deed: HandDeed, player: Player | None, tube: Tube | None, to: Player | None = None) -> str:
    """What hands have done; a press has no player. ``to``: who was given a ring."""
    match deed:
        case HandDeed.LIFT:
            words = tr("{Player} has lifted the glass from {tube}.", player=player, tube=tube)
        case HandDeed.SEAT:
            words = tr("{Player} has seated the glass in {tube}.", player=player, tube=tube)
        case HandDeed.TURN:
            words = tr("{Player} has turned the glass over.", player=player)
        case HandDeed.TURN_TIMER:
            words = tr("{Player} has turned the timer over.", player=player)
        case HandDeed.PUT_TIMER_AWAY:
            words = tr("{Player} has laid the timer beside the board.", player=player)
        case HandDeed.PLACE_TIMER:
            words = tr("{Player} has set the timer into its cradle.", player=player)
        case HandDeed.PLACE:
            words = tr("{Player} has placed a glass in {tube}.", player=player, tube=tube)
        case HandDeed.PUT_AWAY:
            words = tr("{Player} has laid a glass beside the board.", player=player)
        case HandDeed.LEAN:
            words = tr("{Player} has tipped the glass in {tube}.", player=player, tube=tube)
        case HandDeed.STRAIGHTEN:
            words = tr("{Player} has set the glass in {tube} upright.", player=player, tube=tube)
        case HandDeed.DROP:
            words = tr("{Player} has dropped a ring on {tube}.", player=player, tube=tube)
        case HandDeed.TAKE_UP:
            words = tr("{Player} has a ring in the hand.", player=player)
        case HandDeed.PUT_BACK:
            words = (
                tr("{Player} has laid a ring back.", player=player)
                if to is None
                else tr("{Player} has given a ring to {other}.", player=player, other=to)
            )
        case HandDeed.TAKE:
            words = tr("{Player} has taken a ring off {tube}.", player=player, tube=tube)
        case HandDeed.PRESS:
            words = tr("The button is pressed.")
        case _:
            assert_never(deed)
    return words


def set_up_words() -> str:
    """The board is set up for the next game."""
    return tr("The board is set up for the next game.")


def begun_words(port: Path, hands: Path, seed: int) -> list[str]:
    """The lines for the person who started it: where things are, and what to type next."""
    return [
        tr("A simulated board is at {port} (seed {seed}).", port=port, seed=seed),
        tr("Its hands listen at {hands}.", hands=hands),
        tr("For the service's configuration:"),
        "    [board]",
        f"    port = {json.dumps(str(port))}",
        "    [gpio]",
        '    factory = "simulate"',
        f"    hands = {json.dumps(str(hands))}",
        tr("Then: tamsk-hw run, tamsk-hw hands look, tamsk-hw hands press start. Ctrl-C ends it."),
    ]


def lesson_page_texts() -> dict[str, str]:
    """The texts that the templates of the lessons name."""
    return {
        "lessons": tr("Lessons"),
        "lead": tr(
            "Each lesson sets up the board, and the referee judges it. Solved ones are kept in this browser."
        ),
        "solved": tr("solved"),
        "begin": tr("Begin the lesson"),
        "again": tr("Again"),
        "next": tr("Next lesson"),
        "ends_game": tr("The game at this board is abandoned then."),
    }


def lesson_title_words(number: int, count: int, title: str) -> str:
    """A lesson's heading; ``number`` counts from 1."""
    return tr("Lesson {number} of {count}: {title}", number=number, count=count, title=title)


def lesson_set_up_words() -> str:
    """The board is not ready yet."""
    return tr("The board is being set up for the lesson.")


def prelude_words(number: int, count: int, advice: Advice | None) -> str:
    """Step ``number`` of ``count`` comes before the task; without advice it is to wait."""
    step = tr("wait.") if advice is None else advice_words(advice)
    return tr("Before the task, {number} of {count}: {step}", number=number, count=count, step=step)


def strayed_words() -> str:
    """What comes before the task was not carried out as asked."""
    return tr("What comes before the task went another way. Begin the lesson again.")


def solved_words(clause: str) -> str:
    """The task is solved, and the clause that it teaches."""
    return tr("Solved ({clause}).", clause=clause)


def failed_words(clause: str) -> str:
    """The task is failed, and the clause that it teaches."""
    return tr("Not solved ({clause}).", clause=clause)


def hint_words(hint: str) -> str:
    """A hint for the next attempt."""
    return tr("Hint: {hint}", hint=hint)


def hindrance_words(hindrance: Hindrance) -> str:
    """The sentence for the person who asked."""
    match hindrance:
        case Hindrance.NO_GAME:
            return tr("No game is being played.")
        case Hindrance.RUNNING:
            return tr("A game is being played; end or abandon it first.")
        case Hindrance.OFFERED:
            return tr("An unfinished game waits: resume or abandon it first.")
        case Hindrance.NOT_OFFERED:
            return tr("No unfinished game waits to be resumed or abandoned.")
        case Hindrance.NOT_OVER:
            return tr("The game is not over; the next one cannot begin yet.")
        case Hindrance.OTHER_TUBES:
            return tr("The unfinished game is of a board with other tubes; it can only be abandoned here.")
        case Hindrance.NO_EFFECT:
            return tr("That would change nothing, as the game stands now.")
        case Hindrance.NO_JOURNAL:
            return tr("This service keeps no games.")
        case Hindrance.ENDED:
            return tr("The game ended before that took effect.")
        case _:
            assert_never(hindrance)


def replay_keys() -> str:
    """The keys of a replay, in one line."""
    return tr("space pause · ← → ruling · + - speed · q end")


def replay_words(ends: float, *, is_paused: bool) -> str:
    """What stands beside the time: how long the recorded stream is, and whether it stands still."""
    length = short_clock(ends)
    if is_paused:
        return tr("replay of {length}, paused", length=length)
    return tr("replay of {length}", length=length)


def replay_title(number: int, *, simulated: bool) -> str:
    """The heading of the page with the replay of a game."""
    if simulated:
        return tr("Replay of simulated game {number}", number=number)
    return tr("Replay of game {number}", number=number)


def time_words(t: float, ends: float) -> str:
    """The place in a recording whose end is at ``ends``, in seconds of the stream."""
    return tr("{time} of {length}", time=short_clock(t), length=short_clock(ends))


def play_words() -> str:
    """The button that has the replay run."""
    return tr("Play")


def pause_words() -> str:
    """The button that has the replay stand still."""
    return tr("Pause")


def earlier_words() -> str:
    """The step to the ruling before."""
    return tr("Previous ruling")


def later_words() -> str:
    """The step to the next ruling."""
    return tr("Next ruling")


def place_words() -> str:
    """The slider for the time in the game."""
    return tr("Time in the game")


def speed_words() -> str:
    """The choice of how much faster than the game the replay runs."""
    return tr("Speed")


def link_words() -> str:
    """The link to what is shown now."""
    return tr("Link to this moment")


def to_game_words() -> str:
    """The way back to the page of the game."""
    return tr("To the game")


def page_keys() -> str:
    """The keys of a replay on the page, in one line."""
    return tr("space pause · ← → ruling · + - speed")


def unreachable_words() -> str:
    """The page's program does not answer while a replay is looked at."""
    return tr("The page cannot be reached at the moment; the replay goes on as soon as it can.")


def board_words(port: Path) -> str:
    """A real board, for the picture's first row."""
    return tr("board at {port}", port=port)


def simulated_words(seed: int) -> str:
    """A simulated board, for the picture's first row."""
    return tr("simulated board, seed {seed}", seed=seed)


def stopped_words() -> str:
    """The line under the score sheet of a game that was stopped."""
    return tr("Stopped before the end of the game.")


def left_out_words(lines: int) -> str:
    """The line that replaces ``lines`` lines which nobody read in time."""
    return ntr(
        "… {count} line left out, as nobody read them", "… {count} lines left out, as nobody read them", lines
    )


def torn_words(name: str, line: int) -> str:
    """The warning for an unterminated last line of a file, which a crash left."""
    return tr(
        "{name} line {line}: the file ends in the middle of this line; it is left out.", name=name, line=line
    )


def stance_words(stance: Stance) -> str:
    """A player's situation; empty when there is nothing to say."""
    match stance:
        case Stance.READY:
            return tr_in("beside a player", "ready")
        case Stance.TO_MOVE:
            return tr_in("beside a player", "to move")
        case Stance.MOVING:
            return tr_in("beside a player", "is moving")
        case Stance.LATE:
            return tr_in("beside a player", "finishes late")
        case Stance.WON:
            return tr_in("beside a player", "has won")
        case Stance.TIED:
            return tr_in("beside a player", "tie")
        case Stance.WAITING | Stance.BEATEN:
            return ""
        case _:
            assert_never(stance)


def due_words(sign: PlayerSign) -> str:
    """The rings that a player may drop now, or the claim that he is advised to announce; empty without any."""
    if sign.claim:
        return tr_in("beside a player", "button, then a ring")
    if sign.due > 1:
        return tr_in("beside a player", "may drop two rings")
    if sign.penalty:
        return tr_in("beside a player", "may drop a penalty ring")
    return tr_in("beside a player", "may drop a ring") if sign.due else ""
