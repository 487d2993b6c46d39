"""The scene that a page draws: a state of the table with its revision, and the things at hand.

A revision stays the same while only sand and seconds run. `Parts` are the pieces of a page, of which a browser is
sent those that it lacks.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from hashlib import blake2b
from typing import Any, Final

from markupsafe import Markup

from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.hands.observation import GlassSeen, Observation
from tamsk_hw.live.stream import Names, TableState
from tamsk_hw.panel.diagnosis import Diagnosis, InputMethods, diagnose, whole_seconds
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.referee.view import GlassView, View
from tamsk_hw.words.arbiter import sand_words
from tamsk_hw.words.pages import both_names, result_words
from tamsk_hw.words.rulings import headline
from tamsk_hw.words.table import status_words


@dataclass(frozen=True, slots=True)
class SeenGlass:
    """A glass as eyes see it, and what the page calls it."""

    seen: GlassSeen
    number: int
    """1 … 3 among its owner's glasses."""
    view: GlassView
    is_known: bool
    """The referee knows it: it has been on the board."""

    @property
    def drawn(self) -> str:
        """The id of its drawing."""
        return f"glass-{self.seen.owner.value}-{self.number}"


@dataclass(frozen=True, slots=True)
class TableAtHand:
    """All that can be taken in the hand: the look, and its glasses."""

    look: Observation
    glasses: tuple[SeenGlass, ...]
    pausing: frozenset[Player] = frozenset()
    """The players who ask for a pause, or in one for its end."""

    @property
    def leaning(self) -> frozenset[Tube]:
        """The tubes whose glass leans."""
        return frozenset(
            glass.seen.tube for glass in self.glasses if glass.seen.leaning and glass.seen.tube is not None
        )

    def standing(self, tube: Tube) -> SeenGlass | None:
        """The glass that stands or leans in a tube."""
        return next((glass for glass in self.glasses if glass.seen.tube is tube), None)

    @property
    def off(self) -> tuple[SeenGlass, ...]:
        """The glasses that lie off the board."""
        return tuple(glass for glass in self.glasses if glass.seen.hand is None and glass.seen.tube is None)


#: The fingerprint of each part by its id.
Fingerprints = Mapping[str, bytes]


class Parts:
    """Notes a page's parts while a template makes them, and leaves out those that are in ``had``.

    What is left out is an empty element with the same name and id and the attribute ``data-same``.
    """

    def __init__(self, had: Fingerprints | None = None) -> None:
        self._had = had or {}
        self.fingerprints: dict[str, bytes] = {}

    def part(self, name: str, element: str, *, caller: Callable[[], Markup]) -> Markup:
        """The part with the id ``name``, an ``element``, which the caller makes."""
        markup = caller()
        return self.drawn(name, element, markup, markup)

    def drawn(self, name: str, element: str, markup: Markup, at_rest: str) -> Markup:
        """The same for a part that is made; ``at_rest`` has nothing of it that a browser moves by itself."""
        found = blake2b(at_rest.encode(errors="backslashreplace"), digest_size=8).digest()
        self.fingerprints[name] = found
        if self._had.get(name) != found:
            return markup
        return Markup('<{0} id="{1}" data-same></{0}>').format(Markup(element), name)


_NO_SAND: Final = (0.0, 0.0)
_ALL_SAND: Final = (1.0, 1.0)


@dataclass(frozen=True, slots=True)
class TableScene:
    """A state, its diagnosis, the players' names and its revision ``at``."""

    state: TableState
    diagnosis: Diagnosis
    names: Names
    at: str
    at_hand: TableAtHand | None = None
    """Things that people can take in the hand; None where they cannot."""

    @property
    def view(self) -> View:
        """The game as it stands."""
        return self.state.view

    @property
    def stands(self) -> bool:
        """Its time stands still: a pause stops a simulated board."""
        return self.view.paused and self.diagnosis.ways.simulated

    @property
    def runs(self) -> bool:
        """Something in it changes by the passing of time alone."""
        return self.state.runs and not self.stands

    @property
    def still_view(self) -> View:
        """The same view with all sand above: what is made of it differs when more than sand has run."""
        return replace(
            self.view,
            t=0.0,
            glasses=tuple(replace(_still(glass), fraction=_ALL_SAND) for glass in self.view.glasses),
        )

    @property
    def shown_names(self) -> dict[Player, str]:
        """The players' names as a page shows them."""
        return both_names(self.names.red, self.names.black)


def scene_of(state: TableState, names: Names, *, simulated: bool) -> TableScene:
    """The scene of a state; on a ``simulated`` board without buttons the players start by themselves."""
    buttons = state.buttons
    ways = InputMethods(buttons=buttons, demo=simulated and not buttons, page=True, simulated=simulated)
    diagnosis = diagnose(state.view, offered=state.offered, ways=ways, advice=state.advice)
    return TableScene(state, diagnosis, names, _revision(state, diagnosis, names))


def _revision(state: TableState, diagnosis: Diagnosis, names: Names) -> str:
    """The revision: a short text made of all that is shown but of sand and seconds."""
    view = state.view
    shown = [
        _plain(getattr(view, field.name))
        for field in fields(View)
        if field.name not in ("t", "glasses", "ring_open", "deadline", "announced")
    ]
    rights = {tube: (ring.player, ring.seconds is None) for tube, ring in view.ring_open.items()}
    timer = diagnosis.timer
    shown += [
        state.offered,
        [button in state.buttons for button in ButtonName],
        names,
        [_still(glass) for glass in view.glasses],
        _plain(rights),
        sorted(player.value for player in view.announced),
        [(sign.holds, sign.asks, sign.asked) for sign in diagnosis.tubes],
        diagnosis.advice,
        None if timer is None else (timer.against, timer.urgent),
    ]
    return blake2b(repr(shown).encode(), digest_size=6).hexdigest()


def _still(glass: GlassView) -> GlassView:
    """The glass without the seconds of its sand."""
    return replace(glass, seconds=_NO_SAND, fraction=_NO_SAND)


def _plain(value: Any) -> Any:
    """A value whose text does not depend on the order in which it was made."""
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Mapping):
        return sorted((str(key), _plain(item)) for key, item in value.items())
    return value


def as_text(scene: TableScene) -> dict[str, Any]:
    """A scene as JSON for other software, in words: names, rings left, clocks, and the line that matters."""
    view, diagnosis = scene.view, scene.diagnosis
    timer = diagnosis.timer
    running = None if timer is None else {"against": timer.against.value, "seconds": whole_seconds(timer.seconds)}
    return {
        "level": view.level,
        "turn": view.number,
        "headline": headline(diagnosis),
        "result": result_words(diagnosis, scene.shown_names),
        "timer": running,
        **{
            player.value: {
                "name": scene.shown_names[player],
                "left": sign.left,
                "status": status_words(sign.stance),
                "glasses": [
                    {"tube": glass.tube.name, "state": glass.state.value, "clock": sand_words(glass)}
                    for _, glass in view.clocks(player)
                ],
            }
            for player, sign in diagnosis.players.items()
        },
    }
