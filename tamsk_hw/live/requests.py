"""The lines that readers send, as values, and the answers to them (docs/live.md, Requests)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, ClassVar, Final, cast

from tamsk_hw.errors import JournalError, StreamError, refuse, shortened
from tamsk_hw.forms import Form, Shape, from_json, number, to_json
from tamsk_hw.journal import changes
from tamsk_hw.journal.records import checked_name
from tamsk_hw.live.stream import Names
from tamsk_hw.partner.intention import Advice
from tamsk_hw.referee.events import Arbiter, Button
from tamsk_hw.referee.stream import parse_event, parse_header

#: The most characters of a piece of a stream: as JSON it fits a line of 64 KiB, whatever it holds.
MOST_PIECE: Final = 10_000

_WHERE: Final = "line"

#: The keys of requests, for messages.
REQUESTS: Final = "since, do, setup, advise or journal"


#: A change that one request asks for.
GameChange = changes.NamePlayers | changes.DeleteGame | changes.Annotate | changes.EraseName


@dataclass(frozen=True, slots=True)
class ChangeGames:
    """A request to rename, delete, annotate or erase what the journal has; or that of simulated games."""

    change: GameChange
    simulated: bool = False


@dataclass(frozen=True, slots=True)
class ImportStream:
    """Take in a recorded stream; the names are those of its players."""

    stream: bytes
    red: str | None = None
    black: str | None = None


@dataclass(frozen=True, slots=True)
class ImportPiece:
    """A piece of a stream; with ``more`` another follows. The names count with the last."""

    text: str
    more: bool = False
    red: str | None = None
    black: str | None = None
    shape: ClassVar = Shape(keys={"text": "piece"}, strict=True)


_CHANGES: Final[dict[str, type]] = {
    "rename": changes.NamePlayers,
    "delete": changes.DeleteGame,
    "annotate": changes.Annotate,
    "erase": changes.EraseName,
    "import": ImportPiece,
}


def read_change(value: Any) -> ChangeGames | ImportPiece:
    """Read the value of ``journal`` in a reader's line.

    Raises:
        StreamError: it is not understood; the message names key, value and what is allowed.
        JournalError: a name or a remark is not allowed.
    """
    if not isinstance(value, dict) or len(value) != 1:
        raise refuse(_WHERE, "journal", value, f"an object with one of {', '.join(_CHANGES)}")
    [(what, asked)] = value.items()
    _only(value, "journal", tuple(_CHANGES))
    simulated = False
    if isinstance(asked, dict) and what != "import":
        simulated = from_json(bool, asked.get("simulated", False), _WHERE, "simulated")
        asked = {key: each for key, each in asked.items() if key != "simulated"}
    if isinstance(asked, dict) and what == "rename":  # null takes a name away
        asked |= {key: "" for key in ("red", "black") if asked.get(key, "") is None}
    match from_json(_CHANGES[what], asked, _WHERE, what):
        case changes.NamePlayers(_, None, None):
            raise StreamError(f"{_WHERE}: rename has no name; allowed: red, black or both")
        case changes.NamePlayers(game, red, black):
            red, black = (None if name is None else checked_name(name) or "" for name in (red, black))
            return ChangeGames(changes.NamePlayers(game, red, black), simulated)
        case changes.Annotate(game, text):
            return ChangeGames(changes.Annotate(game, changes.checked_remark(text)), simulated)
        case changes.EraseName(name):
            return ChangeGames(changes.EraseName(checked_name(name) or ""), simulated)
        case ImportPiece(text, more, red, black):
            return ImportPiece(text, more, checked_name(red), checked_name(black))
        case change:
            return ChangeGames(change, simulated)


def _only(record: Mapping[str, Any], what: str, allowed: tuple[str, ...]) -> None:
    """Refuse keys that mean nothing.

    Raises:
        StreamError: there is one.
    """
    for key in record:
        if key not in allowed:
            raise StreamError(
                f"{_WHERE}: {what} has the unknown key {shortened(key)}; allowed: {', '.join(allowed)}"
            )


def change_as_dict(change: GameChange, *, simulated: bool = False) -> dict[str, Any]:
    """The request for a change, without its id; ``simulated``: of the simulated games."""
    what = next(name for name, kind in _CHANGES.items() if isinstance(change, kind))
    return {"journal": {what: to_json(change) | ({"simulated": True} if simulated else {})}}


def pieces_of(wanted: ImportStream) -> list[dict[str, Any]]:
    """The requests that hand over a stream, one after the other, without their ids."""
    text = wanted.stream.decode(errors="surrogateescape")
    texts = [text[at : at + MOST_PIECE] for at in range(0, len(text), MOST_PIECE)] or [""]
    names = {"red": wanted.red, "black": wanted.black}
    made: list[dict[str, Any]] = [{"piece": each, "more": True} for each in texts]
    made[-1] = {"piece": texts[-1], **names}
    return [{"journal": {"import": each}} for each in made]


class Uploads:
    """The streams that readers hand over, each by its reader, all together within ``most`` bytes."""

    def __init__(self, most: int = changes.MOST_IMPORT) -> None:
        self._free = most
        self._parts: dict[object, list[bytes]] = {}

    def add(self, reader: object, piece: ImportPiece) -> ImportStream | None:
        """Take a piece of a reader's stream; give the stream when it is whole.

        Raises:
            StreamError: there is no room for it; the reader's stream is dropped.
        """
        try:
            part = piece.text.encode(errors="surrogateescape")
        except UnicodeEncodeError:
            part = b"\xff"
        parts = self._parts.setdefault(reader, [])
        parts.append(part)
        self._free -= len(part)
        if self._free < 0:
            self.drop(reader)
            raise StreamError(
                f"import: more than {changes.MOST_IMPORT >> 20} MiB at a time; ask again later, "
                "or stop the service and import it then"
            )
        if piece.more:
            return None
        self.drop(reader)
        return ImportStream(b"".join(parts), piece.red, piece.black)

    def drop(self, reader: object) -> None:
        """Forget what a reader handed over."""
        self._free += sum(map(len, self._parts.pop(reader, ())))


class GameAnswer(Enum):
    """The answers to an offered game, and to one that is over; a rematch is the next one with colours swapped."""

    RESUME = "resume"
    ABANDON = "abandon"
    NEXT = "next"
    REMATCH = "rematch"


@dataclass(frozen=True, slots=True)
class Since:
    """A reader wants what came after line ``seq``; ``life`` None: of this life."""

    seq: Annotated[int, number(int, 0, allowed="a whole number, 0 or more")]
    life: str | None = None
    shape: ClassVar = Shape(keys={"seq": "since"}, strict=True)


@dataclass(frozen=True, slots=True)
class DoEvent:
    """Do as if this was pressed or decided; the event's own time says nothing."""

    event: Button | Arbiter


@dataclass(frozen=True, slots=True)
class DoGame:
    """Answer the offered game, or begin the next."""

    answer: GameAnswer
    shape: ClassVar = Shape(keys={"answer": "game"}, strict=True)


#: Given as it is: `parse_header` reads it.
_RULESET: Final = Form(dict, lambda value: value, {"type": "object"}, "an object")


@dataclass(frozen=True, slots=True)
class SetUp:
    """Play the next game, or this one before its start, by other rules or under other names.

    ``ruleset`` has the keys that were given, each checked; ``names`` None: they stay.
    """

    ruleset: Annotated[Mapping[str, Any], _RULESET] | None = None
    names: Names | None = None
    shape: ClassVar = Shape(spare=("ruleset", "names"), strict=True)


@dataclass(frozen=True, slots=True)
class Advise:
    """Show this advice at the board while the position stands, in place of an earlier one; None: show none."""

    advice: Advice | None


#: A request of a reader that the service answers.
Command = DoEvent | DoGame | SetUp | Advise | ChangeGames | ImportStream


def read_request(record: Mapping[str, Any]) -> Since | Command | ImportPiece:
    """Read the object in a reader's line.

    Raises:
        StreamError: it is not understood; the message names key, value and what is allowed.
    """
    if "since" in record:
        return cast(Since, from_json(Since, record, _WHERE, "since"))
    for key, read in _READERS.items():
        if key in record:
            _only(record, key, ("id", key))
            try:
                return read(record[key])
            except JournalError as error:
                raise StreamError(f"{_WHERE}: {error}") from None
    raise StreamError(f"{_WHERE}: the object has no {REQUESTS}; allowed: one of them")


def _do(value: Any) -> Command:
    if not isinstance(value, dict):
        raise refuse(_WHERE, "do", value, "a button or arbiter event without t, or a game answer")
    if "game" in value:
        return cast(DoGame, from_json(DoGame, value, _WHERE, "do"))
    if "t" in value:
        raise StreamError(f"{_WHERE}: do has the unknown key 't'; it takes effect now")
    event = parse_event({"t": 0.0, **value}, _WHERE)
    if not isinstance(event, Button | Arbiter):
        raise refuse(_WHERE, "event", value["event"], '"button", "arbiter"')
    return DoEvent(event)


def _set_up(value: Any) -> SetUp:
    wanted = cast(SetUp, from_json(SetUp, value, _WHERE, "setup"))
    if not value:
        raise StreamError(f"{_WHERE}: setup is empty; allowed: ruleset, names or both")
    if "ruleset" in value:
        if isinstance(wanted.ruleset, dict) and "tubes" in wanted.ruleset:
            raise StreamError(f"{_WHERE}: setup has the unknown key 'tubes'; the board has the tubes that it has")
        parse_header({"tamsk": 1, "ruleset": wanted.ruleset}, _WHERE)
    names = wanted.names
    if names is not None:
        names = Names(red=checked_name(names.red), black=checked_name(names.black))
    return SetUp(wanted.ruleset, names)


_READERS: Final[dict[str, Callable[[Any], Command | ImportPiece]]] = {
    "do": _do,
    "setup": _set_up,
    "advise": lambda value: Advise(from_json(Advice | None, value, _WHERE, "advise")),
    "journal": read_change,
}
