"""Requests for changes to the journal as facts and as their JSON objects (docs/live.md, Changing the journal)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, assert_never

from tamsk_hw.errors import JournalError, StreamError
from tamsk_hw.journal.changes import Annotate, Changed, DeleteGame, EraseName, NamePlayers, checked_remark
from tamsk_hw.journal.entries import checked_name
from tamsk_hw.journal.importing import MOST_IMPORT
from tamsk_hw.referee.header import refuse, shortened

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
        return _read(str(what), asked, where)
    except JournalError as error:
        raise StreamError(f"{where}: {error}") from None


def _read(what: str, asked: Mapping[str, Any], where: str) -> ChangeGames | ImportPiece:
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
