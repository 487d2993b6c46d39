"""The words of the page on which people play at a simulated board."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.facts.hand_deeds import HandDeed
from tamsk_hw.game.players import Player
from tamsk_hw.game.tubes import CAPACITY, Tube
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
