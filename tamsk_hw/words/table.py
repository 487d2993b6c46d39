"""Words at a table: a player's status, lessons, replays, runs, services, and a simulated board."""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final, assert_never

from tamsk_hw.game.tubes import CAPACITY, Player, Tube
from tamsk_hw.journal.trouble import TroubleKind
from tamsk_hw.panel.diagnosis import PlayerSign, PlayerStatus
from tamsk_hw.partner.intention import Advice
from tamsk_hw.referee.view import Phase, View
from tamsk_hw.system.output import Language, marked
from tamsk_hw.words.prompts import advice_words
from tamsk_hw.words.rulings import short_clock
from tamsk_hw.words.translating import ntr, speaking, tr, tr_in, worded

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


def service_state_words(
    view: View, *, port: Path, is_offered: bool, lost_since: datetime | None, trouble: TroubleKind | None
) -> str:
    """Board, game and disk in one line, in English as all that systemd shows.

    ``port`` is the board's; ``is_offered``: an unfinished game is offered to be resumed; ``lost_since``: the time
    at which a board that was there went away; ``trouble``: the reason for which the journal does not save.
    """
    parts = []
    if lost_since is not None:
        parts.append(f"board unplugged since {lost_since:%H:%M}")
    elif view.link_lost:
        parts.append(f"waiting for the board at {port}")
    if is_offered:
        parts.append("an unfinished game waits to be resumed")
    elif not view.link_lost or view.phase is not Phase.SETUP:
        parts.append(_game(view))
    if trouble is not None:
        with speaking(Language.ENGLISH):
            reason = worded(trouble.sentence)
        parts.append(f"not saved: {reason[:1].lower()}{reason[1:]}")
    return "; ".join(parts)


def _game(view: View) -> str:
    level = f"level {view.level}"
    match view.phase:
        case Phase.SETUP:
            return f"{level}, setting up the board"
        case Phase.PLAY:
            turn = "no legal move" if view.turn is None else f"{view.turn.value} to move"
            return f"{level}, turn {view.number}, {turn}"
        case Phase.SAND:
            return f"{level}, turn {view.number}, the sand decides"
        case Phase.OVER:
            winner = None if view.over is None else view.over.winner
            return f"{level}, game over after turn {view.number}, " + (
                "no winner" if winner is None else f"{winner.value} wins"
            )
        case _:
            assert_never(view.phase)


def world_words(look: Mapping[str, Any]) -> list[str]:
    """The lines for the JSON object of a ``look`` line (docs/simulate-reference.md)."""
    lines = [_glass(glass) for glass in look["glasses"]]
    timer = look["timer"]
    place = {"cradle": "in its cradle", "hand": "in a hand", "off": "off the board"}[timer["place"]]
    lines.append(f"timer: {place}, {_sand(timer)}")
    rings = " ".join(f"{tube}:{count}" for tube, count in look["rings"].items())
    lines.append(f"rings: {rings or 'none on the board'}")
    for player, side in look["players"].items():
        lines.append(
            f"{player}: {side['holder']} rings in the holder, {side['rings']} in hands, {side['aside']} aside; "
            f"{side['free_hands']} free hands"
        )
    lines.append(f"buttons down: {' '.join(look['buttons']) or 'none'}")
    if look["lights"] is None:
        lines.append("lights: no program drives them")
    else:
        lit = " ".join(f"{place}:{colour}" for place, colour in look["lights"].items() if colour != "000000")
        lines.append(f"lights: {lit or 'all dark'}")
    lines.append(f"faults: {'; '.join(look['faults']) or 'none'}")
    lines += ["a lamp shines on the board"] if look["lamp"] else []
    lines += [] if look["plugged"] else ["the cable is out"]
    return lines


def _glass(glass: Mapping[str, Any]) -> str:
    if glass["tube"] is not None:
        place = f"{'leans' if glass['leaning'] else 'stands'} in {glass['tube']}"
    else:
        place = "lies off the board" if glass["hand"] is None else f"in the hand of {glass['hand']}"
    return f"{glass['owner']} glass {glass['name']}: {place}, {_sand(glass)}"


def _sand(glass: Mapping[str, Any]) -> str:
    return f"end {glass['end']} down, {glass['above']:.0%} above{', running' if glass['runs'] else ''}"
