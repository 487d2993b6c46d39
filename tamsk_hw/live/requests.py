"""Requests to the live socket.

An advice as the JSON object of a state (docs/live-reference.md, State).

Requests for changes to the journal as facts and as their JSON objects (docs/live.md, Changing the journal).

The lines that readers send, as facts, and the answers to them (docs/live.md, Requests).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, assert_never

from tamsk_hw.errors import JournalError, StreamError, printable, refuse, shortened
from tamsk_hw.game.position import Move
from tamsk_hw.game.tubes import TUBE_OF_NAME, Player, Tube
from tamsk_hw.journal.changes import (
    MOST_IMPORT,
    Annotate,
    Changed,
    DeleteGame,
    EraseName,
    NamePlayers,
    checked_remark,
)
from tamsk_hw.journal.records import checked_name
from tamsk_hw.live.stream import Names
from tamsk_hw.partner.intention import (
    Act,
    Advice,
    ClaimRing,
    DropPenaltyRing,
    DropRing,
    MoveGlass,
    PutRight,
    TakeRing,
    TurnTimerOver,
)
from tamsk_hw.referee.events import Arbiter, Button
from tamsk_hw.referee.header import parse_header
from tamsk_hw.referee.stream import parse_event

_AT_A_TUBE: Final[dict[str, type[DropRing | DropPenaltyRing | ClaimRing | TakeRing]]] = {
    "ring": DropRing,
    "penalty_ring": DropPenaltyRing,
    "claim": ClaimRing,
    "take_ring": TakeRing,
}


def advice_as_dict(advice: Advice) -> dict[str, Any]:
    """The advice as its JSON object."""
    return {"player": advice.player.value, **_act_as_dict(advice.act)}


def _act_as_dict(act: Act) -> dict[str, Any]:
    match act:
        case MoveGlass(move, turned, ring):
            home = None if move.from_tube is None else move.from_tube.name
            return {"act": "move", "from": home, "to": move.to_tube.name, "turned": turned, "ring": ring}
        case DropRing(tube):
            return {"act": "ring", "tube": tube.name}
        case DropPenaltyRing(tube):
            return {"act": "penalty_ring", "tube": tube.name}
        case ClaimRing(tube):
            return {"act": "claim", "tube": tube.name}
        case TakeRing(tube):
            return {"act": "take_ring", "tube": tube.name}
        case PutRight(at, to, turned):
            return {"act": "put_right", "from": at.name, "to": to.name, "turned": turned}
        case TurnTimerOver():
            return {"act": "timer"}
        case _:
            assert_never(act)


def read_advice(record: Mapping[str, Any]) -> Advice:
    """The advice that `advice_as_dict` made this object of.

    Raises:
        KeyError, ValueError, TypeError, AttributeError: it is no advice that this version knows.
    """
    return Advice(Player(record["player"]), _read_act(record))


def _read_act(record: Mapping[str, Any]) -> Act:
    match record["act"]:
        case "move":
            home = None if record["from"] is None else _tube(record, "from")
            return MoveGlass(
                Move(home, _tube(record, "to")), _advice_flag(record, "turned"), _advice_flag(record, "ring")
            )
        case "put_right":
            return PutRight(_tube(record, "from"), _tube(record, "to"), _advice_flag(record, "turned"))
        case "timer":
            return TurnTimerOver()
        case act:
            return _AT_A_TUBE[act](_tube(record, "tube"))


def _tube(record: Mapping[str, Any], key: str) -> Tube:
    return TUBE_OF_NAME[record[key]]


def _advice_flag(record: Mapping[str, Any], key: str) -> bool:
    flag = record[key]
    if not isinstance(flag, bool):
        raise TypeError(flag)
    return flag


#: The most characters of a piece of a stream: as JSON it fits a line of 64 KiB, whatever it holds.
MOST_PIECE: Final = 10_000

_LARGEST: Final = 10**9
_ALLOWED: Final = ("rename", "delete", "annotate", "erase", "import")


@dataclass(frozen=True, slots=True)
class ChangeGames:
    """A request to rename, delete, annotate or erase what the journal has; or that of simulated games."""

    change: NamePlayers | DeleteGame | Annotate | EraseName
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


def read_change(value: Any, where: str) -> ChangeGames | ImportPiece:
    """Read the value of ``journal`` in a reader's line.

    Raises:
        StreamError: it is not understood; the message names key, value and what is allowed.
    """
    if not isinstance(value, dict) or len(value) != 1:
        raise refuse(where, "journal", value, f"an object with one of {', '.join(_ALLOWED)}")
    [(what, asked)] = value.items()
    if what not in _ALLOWED:
        raise StreamError(f"{where}: unknown key {shortened(what)} in journal; allowed: {', '.join(_ALLOWED)}")
    if not isinstance(asked, dict):
        raise refuse(where, what, asked, "an object")
    try:
        return _read_journal(str(what), asked, where)
    except JournalError as error:
        raise StreamError(f"{where}: {error}") from None


def _read_journal(what: str, asked: Mapping[str, Any], where: str) -> ChangeGames | ImportPiece:
    simulated = _flag(asked, "simulated", where)
    match what:
        case "rename":
            only(asked, what, ("game", "red", "black", "simulated"), where)
            if not asked.keys() & {"red", "black"}:
                raise StreamError(f"{where}: rename has no name; allowed: red, black or both")
            red, black = (_name(asked, colour, where, absent=None) for colour in ("red", "black"))
            return ChangeGames(NamePlayers(_game(asked, where), red, black), simulated)
        case "delete":
            only(asked, what, ("game", "simulated"), where)
            return ChangeGames(DeleteGame(_game(asked, where)), simulated)
        case "annotate":
            only(asked, what, ("game", "text", "simulated"), where)
            remark = checked_remark(_text(asked, "text", where))
            return ChangeGames(Annotate(_game(asked, where), remark), simulated)
        case "erase":
            only(asked, what, ("name", "simulated"), where)
            return ChangeGames(EraseName(checked_name(_text(asked, "name", where)) or ""), simulated)
        case _:
            only(asked, what, ("piece", "more", "red", "black"), where)
            more = _flag(asked, "more", where)
            red, black = (checked_name(_name(asked, colour, where, absent="")) for colour in ("red", "black"))
            return ImportPiece(_text(asked, "piece", where), more, red, black)


def only(record: Mapping[str, Any], what: str, allowed: tuple[str, ...], where: str) -> None:
    """Refuse keys that mean nothing.

    Raises:
        StreamError: there is one.
    """
    for key in record:
        if key not in allowed:
            raise StreamError(f"{where}: unknown key {shortened(key)} in {what}; allowed: {', '.join(allowed)}")


def _flag(asked: Mapping[str, Any], key: str, where: str) -> bool:
    flag = asked.get(key, False)
    if not isinstance(flag, bool):
        raise refuse(where, key, flag, "true, false")
    return flag


def _game(asked: Mapping[str, Any], where: str) -> int:
    game = asked.get("game")
    if type(game) is not int or not 0 < game < _LARGEST:
        raise refuse(where, "game", game, "the number of a game")
    return game


def _text(asked: Mapping[str, Any], key: str, where: str) -> str:
    text = asked.get(key)
    if not isinstance(text, str):
        raise refuse(where, key, text, "a text")
    return text


def _name(asked: Mapping[str, Any], colour: str, where: str, *, absent: str | None) -> str | None:
    """A name, "" for none; ``absent`` where the key is missing."""
    if colour not in asked:
        return absent
    name = asked[colour]
    if name is not None and not isinstance(name, str):
        raise refuse(where, colour, name, "a text, or null")
    return checked_name(name) or ""


def change_as_dict(
    change: NamePlayers | DeleteGame | Annotate | EraseName, *, simulated: bool = False
) -> dict[str, Any]:
    """The request for a change, without its id; ``simulated``: of the simulated games."""
    made: dict[str, dict[str, Any]]
    match change:
        case NamePlayers(game, red, black):
            given = {colour: name for colour, name in (("red", red), ("black", black)) if name is not None}
            made = {"rename": {"game": game, **given}}
        case DeleteGame(game):
            made = {"delete": {"game": game}}
        case Annotate(game, text):
            made = {"annotate": {"game": game, "text": text}}
        case EraseName(name):
            made = {"erase": {"name": name}}
        case _:
            assert_never(change)
    if simulated:
        made = {what: {**asked, "simulated": True} for what, asked in made.items()}
    return {"journal": made}


def pieces_of(wanted: ImportStream) -> list[dict[str, Any]]:
    """The requests that hand over a stream, one after the other, without their ids."""
    text = wanted.stream.decode(errors="surrogateescape")
    texts = [text[at : at + MOST_PIECE] for at in range(0, len(text), MOST_PIECE)] or [""]
    names = {"red": wanted.red, "black": wanted.black}
    made: list[dict[str, Any]] = [{"piece": each, "more": True} for each in texts]
    made[-1] = {"piece": texts[-1], **names}
    return [{"journal": {"import": each}} for each in made]


def outcome_as_dict(outcome: Changed) -> dict[str, Any]:
    """What an answer says besides ``done``."""
    said: dict[str, Any] = {}
    if outcome.game is not None:
        said["game"] = outcome.game
    if outcome.games is not None:
        said["games"] = outcome.games
    if outcome.already:
        said["already"] = True
    return said


def outcome_of(answer: Mapping[str, Any]) -> Changed:
    """What an answer says besides ``done``, read."""
    return Changed(answer.get("game"), answer.get("games"), bool(answer.get("already", False)))


class ImportRoom:
    """The streams that are being handed over by all readers together, within `MOST_IMPORT` bytes."""

    def __init__(self, most: int = MOST_IMPORT) -> None:
        self._free = most

    def reserve(self, size: int) -> bool:
        """Reserve room for ``size`` bytes; give False, and reserve none, when there is not that much."""
        if size > self._free:
            return False
        self._free -= size
        return True

    def release(self, size: int) -> None:
        """So many bytes are needed no more."""
        self._free += size


class Upload:
    """The stream that one reader hands over."""

    def __init__(self, room: ImportRoom) -> None:
        self._room = room
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, piece: ImportPiece) -> ImportStream | None:
        """Take a piece; give the stream when it is whole.

        Raises:
            StreamError: there is no room for it; what was handed over is dropped.
        """
        part = piece.text.encode(errors="surrogateescape") if _is_plain(piece.text) else b"\xff"
        if not self._room.reserve(len(part)):
            self.drop()
            raise StreamError(
                f"import: more than {MOST_IMPORT >> 20} MiB at a time; ask again later, "
                "or stop the service and import it then"
            )
        self._parts.append(part)
        self._size += len(part)
        if piece.more:
            return None
        stream = b"".join(self._parts)
        self.drop()
        return ImportStream(stream, piece.red, piece.black)

    def drop(self) -> None:
        """Forget what was handed over."""
        self._room.release(self._size)
        self._parts, self._size = [], 0


def _is_plain(text: str) -> bool:
    try:
        text.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


#: The most characters of an asker's own id.
MOST_ID: Final = 200

_WHERE: Final = "line"


class GameAnswer(Enum):
    """The answers to an offered game, and to one that is over; a rematch is the next one with colours swapped."""

    RESUME = "resume"
    ABANDON = "abandon"
    NEXT = "next"
    REMATCH = "rematch"


@dataclass(frozen=True, slots=True)
class Since:
    """A reader wants what came after line ``seq``; ``life`` None: of this life."""

    seq: int
    life: str | None


@dataclass(frozen=True, slots=True)
class DoEvent:
    """Do as if this was pressed or decided; the event's own time says nothing."""

    event: Button | Arbiter


@dataclass(frozen=True, slots=True)
class DoGame:
    """Answer the offered game, or begin the next."""

    answer: GameAnswer


@dataclass(frozen=True, slots=True)
class SetUp:
    """Play the next game, or this one before its start, by other rules or under other names.

    ``ruleset`` has the keys that were given, each checked; ``names`` None: they stay.
    """

    ruleset: Mapping[str, Any] | None
    names: Names | None


@dataclass(frozen=True, slots=True)
class Advise:
    """Show this advice at the board while the position stands, in place of an earlier one; None: show none."""

    advice: Advice | None


#: What an asker calls his request: a text of at most `MOST_ID` characters, a whole number, or nothing.
Identifier = str | int | None

Deed = DoEvent | DoGame | SetUp | Advise | ChangeGames | ImportStream


@dataclass(frozen=True, slots=True)
class Request:
    """A deed that is asked for; ``id`` is the asker's own, which the answer repeats."""

    id: Identifier
    deed: Deed


@dataclass(frozen=True, slots=True)
class HandOver:
    """A piece of a stream that is to be imported."""

    id: Identifier
    piece: ImportPiece


class RequestError(StreamError):
    """A reader's line is refused; ``id`` is the one it has, None without one."""

    def __init__(self, error: StreamError, id: Identifier) -> None:
        super().__init__(printable(str(error)))
        self.id = id


def read_request(data: bytes) -> Since | Request | HandOver:
    """Read a line from a reader.

    Raises:
        RequestError: it is not understood; the message names key, value and what is allowed.
    """
    try:
        record = json.loads(data.decode())
    except (ValueError, RecursionError):
        refused = StreamError(f"{_WHERE}: no JSON; allowed: one JSON object a line, in UTF-8")
        raise RequestError(refused, None) from None
    asker = None
    try:
        if isinstance(record, dict):
            asker = _identifier(record.get("id"))
        return _read(record, asker)
    except StreamError as error:
        raise RequestError(error, asker) from None


def _identifier(value: Any) -> Identifier:
    match value:
        case None:
            return None
        case str() if len(value) <= MOST_ID:
            return value
        case int() if not isinstance(value, bool):
            return value
        case _:
            raise refuse(_WHERE, "id", value, f"a text of at most {MOST_ID} characters, or a whole number")


def _read(record: Any, asker: Identifier) -> Since | Request | HandOver:
    if not isinstance(record, dict):
        raise refuse(_WHERE, "the line", record, "an object with since, do, setup, advise or journal")
    if "since" in record:
        _only(record, "since", ("since", "life"))
        return _since(record)
    if "do" in record:
        _only(record, "do", ("id", "do"))
        return Request(asker, _do(record["do"]))
    if "setup" in record:
        _only(record, "setup", ("id", "setup"))
        return Request(asker, _set_up(record["setup"]))
    if "advise" in record:
        _only(record, "advise", ("id", "advise"))
        return Request(asker, _advise(record["advise"]))
    if "journal" in record:
        _only(record, "journal", ("id", "journal"))
        change = read_change(record["journal"], _WHERE)
        return HandOver(asker, change) if isinstance(change, ImportPiece) else Request(asker, change)
    raise StreamError(f"{_WHERE}: the object has no since, do, setup, advise or journal; allowed: one of them")


def _only(record: Mapping[str, Any], what: str, allowed: tuple[str, ...]) -> None:
    only(record, what, allowed, _WHERE)


def _since(record: Mapping[str, Any]) -> Since:
    seq, life = record["since"], record.get("life")
    if type(seq) is not int or seq < 0:
        raise refuse(_WHERE, "since", seq, "a whole number, 0 or more")
    if life is not None and not isinstance(life, str):
        raise refuse(_WHERE, "life", life, "the life of a greeting, or none")
    return Since(seq, life)


def _do(value: Any) -> Deed:
    if isinstance(value, dict) and "game" in value:
        _only(value, "do", ("game",))
        answers = {answer.value: answer for answer in GameAnswer}
        answer = value["game"]
        if not isinstance(answer, str) or answer not in answers:
            raise refuse(_WHERE, "game", answer, ", ".join(f'"{name}"' for name in answers))
        return DoGame(answers[answer])
    if not isinstance(value, dict):
        raise refuse(_WHERE, "do", value, "a button or arbiter event without t, or a game answer")
    if "t" in value:
        raise StreamError(f"{_WHERE}: unknown key 't' in do; it takes effect now")
    event = parse_event({"t": 0.0, **value}, _WHERE)
    if not isinstance(event, Button | Arbiter):
        raise refuse(_WHERE, "event", value["event"], '"button", "arbiter"')
    return DoEvent(event)


def _set_up(value: Any) -> SetUp:
    if not isinstance(value, dict):
        raise refuse(_WHERE, "setup", value, "an object with ruleset, names or both")
    _only(value, "setup", ("ruleset", "names"))
    if not value:
        raise StreamError(f"{_WHERE}: setup is empty; allowed: ruleset, names or both")
    ruleset: dict[str, Any] | None = None
    if "ruleset" in value:
        ruleset = value["ruleset"]
        if isinstance(ruleset, dict) and "tubes" in ruleset:
            raise StreamError(f"{_WHERE}: unknown key 'tubes' in setup; the board has the tubes that it has")
        parse_header({"tamsk": 1, "ruleset": ruleset}, _WHERE)
    return SetUp(ruleset, _names(value["names"]) if "names" in value else None)


def _advise(value: Any) -> Advise:
    try:
        return Advise(None if value is None else read_advice(value))
    except (KeyError, ValueError, TypeError, AttributeError):
        raise refuse(_WHERE, "advise", value, "an advice as a state has it, or null") from None


def _names(value: Any) -> Names:
    if not isinstance(value, dict):
        raise refuse(_WHERE, "names", value, "an object with red and black")
    _only(value, "names", ("red", "black"))
    for player, name in value.items():
        if name is not None and not isinstance(name, str):
            raise refuse(_WHERE, f"names.{player}", name, "a text, or null")
    try:
        return Names(red=checked_name(value.get("red")), black=checked_name(value.get("black")))
    except JournalError as error:
        raise StreamError(f"{_WHERE}: {error}") from None
