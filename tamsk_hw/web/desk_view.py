"""What the desk shows: the question with its answers, and every button that would have an effect now."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from markupsafe import Markup

from tamsk_hw.errors import StreamError
from tamsk_hw.game.players import Player
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import TUBE_OF_NAME, Tube
from tamsk_hw.panel.possible import is_played
from tamsk_hw.partner.seat import PARTNER_NAMES
from tamsk_hw.referee.events import Action, Arbiter
from tamsk_hw.referee.header import parse_header
from tamsk_hw.referee.view import Phase
from tamsk_hw.svg import Layout
from tamsk_hw.web.asked import AskedArbiter, WishButton, asked, label_of, wish_button
from tamsk_hw.web.drawn import board_svg
from tamsk_hw.web.kept import LineKind
from tamsk_hw.web.live_table import ShownTable
from tamsk_hw.web.scene import TableScene
from tamsk_hw.web.sessions import DeskAnswer
from tamsk_hw.web.wishes import (
    Wish,
    confirmation,
    decisions_now,
    game_wishes,
    is_possible,
    player_wishes,
    read_wish,
)
from tamsk_hw.words import desk as words
from tamsk_hw.words.rulings import headline


@dataclass(frozen=True, slots=True)
class TubeChoice:
    """A tube about which something can be decided."""

    name: str
    label: str


@dataclass(frozen=True, slots=True)
class ChosenTube:
    """The tube that was tapped or chosen: what is there or belongs there, and what can be decided about it."""

    name: str
    lines: tuple[str, ...]
    buttons: tuple[WishButton, ...]


@dataclass(frozen=True, slots=True)
class RulesChoice:
    """A choice of the form by which a game is set up."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...]
    chosen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskView:
    """Everything on the desk; without a table (``scene`` None) only the answer to the last request."""

    scene: TableScene | None
    here: bool
    """The service is there."""
    game: str
    """The key of the game."""
    place: str
    """The newest line of the stream."""
    answer: DeskAnswer | None
    rulings: tuple[tuple[str, str, str], ...]
    """The newest first: time, words, clause."""
    headline: str = ""
    svg: Markup | None = None
    question: AskedArbiter | None = None
    confirm: WishButton | None = None
    confirm_label: str = ""
    """The label of the button that confirms."""
    asked: str = ""
    """What happens if it is confirmed, as a question."""
    not_possible: bool = False
    """What was to be confirmed is not possible any more."""
    game_buttons: tuple[WishButton, ...] = ()
    player_buttons: tuple[WishButton, ...] = ()
    glass_buttons: tuple[WishButton, ...] = ()
    end_buttons: tuple[WishButton, ...] = ()
    tubes: tuple[TubeChoice, ...] = ()
    tube: ChosenTube | None = None
    choices: tuple[RulesChoice, ...] = ()
    """Empty while a game is played: then the names alone can be changed."""
    red: str = ""
    black: str = ""
    programs: tuple[str, ...] = tuple(PARTNER_NAMES)
    """The names by which the program plays."""
    over: bool = False


def desk_view(table: ShownTable, *, tube: str | None, confirm: str | None, answer: DeskAnswer | None) -> DeskView:
    """The desk as the table stands; ``tube`` and ``confirm`` are what the address names."""
    scene, game, place = table.scene, table.kept.game, table.kept.place
    here = table.absence is None
    common = {
        "scene": scene,
        "here": here,
        "game": "" if game is None else game.key,
        "place": "" if place is None else str(place),
        "answer": answer,
        "rulings": _rulings(table),
    }
    if scene is None or not here:
        return DeskView(**common)  # type: ignore[arg-type]
    state, view = scene.state, scene.view
    decisions = decisions_now(state)
    wish = None if confirm is None else read_wish(confirm)
    asks = None if wish is None else confirmation(wish)
    possible = wish is not None and is_possible(wish, state)
    played = is_played(view, state.offered)
    return DeskView(
        **common,  # type: ignore[arg-type]
        headline=headline(scene.diagnosis),
        svg=Markup(board_svg(scene, Layout.BOARD)),
        question=asked(scene, table),
        confirm=wish_button(wish) if wish is not None and asks is not None and possible else None,
        confirm_label="" if wish is None else words.confirm_label(label_of(wish)),
        asked="" if asks is None else words.confirmation_words(asks, view),
        not_possible=confirm is not None and not possible,
        game_buttons=_buttons(game_wishes(state)),
        player_buttons=_buttons(player_wishes(state)),
        glass_buttons=_buttons(each for each in decisions if each.action in (Action.EXPIRE, Action.REVIVE)),
        end_buttons=_buttons(each for each in decisions if each.action in (Action.AWARD, Action.ABANDON)),
        tubes=_places(scene, decisions),
        tube=_chosen(scene, decisions, TUBE_OF_NAME.get(tube or "")),
        choices=() if played or state.offered else _choices(table),
        red=scene.name_of(Player.RED) or "",
        black=scene.name_of(Player.BLACK) or "",
        over=view.phase is Phase.OVER,
    )


def _buttons(wishes: Iterable[Wish]) -> tuple[WishButton, ...]:
    return tuple(wish_button(wish) for wish in wishes)


def _places(scene: TableScene, decisions: list[Arbiter]) -> tuple[TubeChoice, ...]:
    """The tubes about which something can be decided, in board order."""
    view = scene.view
    standing = {glass.tube: glass for glass in view.glasses}
    tubes = sorted({each.tube for each in decisions if each.tube is not None})
    return tuple(
        TubeChoice(tube.name, words.tube_label(tube, standing.get(tube), view.rings[tube])) for tube in tubes
    )


def _chosen(scene: TableScene, decisions: list[Arbiter], tube: Tube | None) -> ChosenTube | None:
    if tube is None:
        return None
    view = scene.view
    glasses = [glass for glass in view.glasses if tube in (glass.tube, glass.standing)]
    lines = [words.glass_line(glass) for glass in glasses]
    if view.rings[tube] or view.rings_seen[tube]:
        lines.append(words.rings_line(view.rings[tube], view.rings_seen[tube]))
    homes = {glass.tube for glass in glasses}
    buttons = _buttons(
        each
        for each in decisions
        if each.tube is tube or (each.tube in homes and each.action in (Action.EXPIRE, Action.REVIVE))
    )
    return ChosenTube(tube.name, tuple(lines), buttons)


def _choices(table: ShownTable) -> tuple[RulesChoice, ...]:
    """The rules that can be chosen, those of the newest game chosen."""
    rules = Ruleset()
    with suppress(StreamError):  # a newer service's header
        for line in table.kept.current(LineKind.GAME):
            rules = parse_header(line.record["header"], "header").ruleset
    chosen = {
        "level": str(rules.level),
        "start": rules.start.value,
        "late_penalty": rules.late_penalty.value,
        "forfeit_penalised": "yes" if rules.forfeit_penalised else "no",
    }
    return tuple(
        RulesChoice(name, label, tuple(options.items()), chosen[name])
        for name, label, options in words.form_choices()
    )


def _rulings(table: ShownTable) -> tuple[tuple[str, str, str], ...]:
    lines = table.kept.current(LineKind.RULING, LineKind.DECISION)
    shown = (line.shown() for line in lines[:-41:-1])
    return tuple((each["clock"], each["said"], each["clause"]) for each in shown)
