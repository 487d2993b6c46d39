"""Words at a table: a player's status, lessons, replays, runs, and the hands of a simulated board."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, assert_never

from tamsk_hw.game.tubes import CAPACITY, Player, Tube
from tamsk_hw.panel.diagnosis import PlayerSign, PlayerStatus
from tamsk_hw.partner.intention import Advice
from tamsk_hw.system.output import marked
from tamsk_hw.words.prompts import advice_words
from tamsk_hw.words.rulings import short_clock
from tamsk_hw.words.translating import ntr, tr, tr_in, worded

#: Each act of people at a table that is no fault and no repair: its name, and the sentence when it is done.
DONE: Final = {
    "lift": marked("{Player} has lifted the glass from {tube}."),
    "seat": marked("{Player} has seated the glass in {tube}."),
    "turn": marked("{Player} has turned the glass over."),
    "turn_timer": marked("{Player} has turned the timer over."),
    "put_timer_away": marked("{Player} has laid the timer beside the board."),
    "place_timer": marked("{Player} has set the timer into its cradle."),
    "place": marked("{Player} has placed a glass in {tube}."),
    "put_away": marked("{Player} has laid a glass beside the board."),
    "lean": marked("{Player} has tipped the glass in {tube}."),
    "straighten": marked("{Player} has set the glass in {tube} upright."),
    "drop": marked("{Player} has dropped a ring on {tube}."),
    "take_up": marked("{Player} has a ring in the hand."),
    "put_back": marked("{Player} has laid a ring back."),
    "take": marked("{Player} has taken a ring off {tube}."),
    "press": marked("The button is pressed."),
}


def done_words(act: str, values: Mapping[str, Any]) -> str:
    """An act of hands: ``act`` is a key of `DONE`, ``values`` has player, tube, the new owner of a ring."""
    player, tube, to = map(values.get, ("player", "tube", "to"))
    if act == "put_back" and to is not None:
        return tr("{Player} has given a ring to {other}.", player=player, other=to)
    return worded(DONE[act], player=player, tube=tube)


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


def lesson_title_words(number: int, count: int, title: str) -> str:
    """A lesson's heading; ``number`` counts from 1."""
    return tr("Lesson {number} of {count}: {title}", number=number, count=count, title=title)


def prelude_words(number: int, count: int, advice: Advice | None) -> str:
    """Step ``number`` of ``count`` comes before the task; without advice it is to wait."""
    step = tr("wait.") if advice is None else advice_words(advice)
    return tr("Before the task, {number} of {count}: {step}", number=number, count=count, step=step)


def hint_words(hint: str) -> str:
    """A hint for the next attempt."""
    return tr("Hint: {hint}", hint=hint)


def replay_words(ends: float, *, is_paused: bool) -> str:
    """The words beside the time: the length of the recorded stream, and whether it stands still."""
    length = short_clock(ends)
    if is_paused:
        return tr("replay of {length}, paused", length=length)
    return tr("replay of {length}", length=length)


def board_words(port: Path) -> str:
    """A real board, for the picture's first row."""
    return tr("board at {port}", port=port)


def simulated_words(seed: int) -> str:
    """A simulated board, for the picture's first row."""
    return tr("simulated board, seed {seed}", seed=seed)


def left_out_words(lines: int) -> str:
    """The line that replaces ``lines`` lines which nobody read in time."""
    return ntr(
        "… {count} line left out, as nobody read them", "… {count} lines left out, as nobody read them", lines
    )


def status_words(stance: PlayerStatus) -> str:
    """A player's situation; empty when there is nothing to say."""
    match stance:
        case PlayerStatus.READY:
            return tr_in("beside a player", "ready")
        case PlayerStatus.TO_MOVE:
            return tr_in("beside a player", "to move")
        case PlayerStatus.MOVING:
            return tr_in("beside a player", "is moving")
        case PlayerStatus.LATE:
            return tr_in("beside a player", "finishes late")
        case PlayerStatus.WON:
            return tr_in("beside a player", "has won")
        case PlayerStatus.TIED:
            return tr_in("beside a player", "tie")
        case PlayerStatus.WAITING | PlayerStatus.BEATEN:
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
