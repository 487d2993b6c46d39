"""Captures: the raw line with times, buttons and decisions, as JSON Lines (docs/formats.md, Captures).

`CaptureFile` writes one while a board is served. The file is written in the background; a disk that does not keep
up ends the capture, and never the game.
"""

import errno
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from tamsk_hw.board.calibration import Calibration, CalibrationError
from tamsk_hw.board.protocol import FIELDS
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.errors import ConfigError, StreamError, TamskError, refuse
from tamsk_hw.facts.notices import RecordStopped
from tamsk_hw.forms import is_number, to_json
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Arbiter, Button, Event
from tamsk_hw.referee.stream import check_tube, json_line, load_line, parse_event, parse_header
from tamsk_hw.system.background import BackgroundWriter, write_all

#: The most bytes that wait for the disk: some minutes of a busy board.
MOST_WAITING: Final = 32 * 1024 * 1024


class Capture:
    """The lines of a capture, in order, given to ``write`` without their ends.

    Times are the loop's, in seconds, never decreasing.
    ``calibration``: None for an uncalibrated board. ``rests``: those with which sensing begins, None for the
    calibrated ones.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        wiring: Wiring,
        calibration: Calibration | None,
        sensing: SensingSettings,
        rests: Sequence[float] | None = None,
    ) -> None:
        self._write = write
        self._head: dict[str, Any] | None = {
            "calibration": None if calibration is None else to_json(calibration),
            "wiring": f"{wiring.hash:08x}",
            "rounds": True,
        }
        usual = asdict(SensingSettings())
        if unusual := {key: value for key, value in asdict(sensing).items() if value != usual[key]}:
            self._head["sensing"] = unusual
        if rests is not None:
            self._head["rests"] = list(rests)
        self._last = float("-inf")

    def _line(self, now: float, what: dict[str, Any]) -> None:
        self._last = now
        self._write(json_line({"t": now, **what}))

    def _begin(self, now: float, header: Header, more: dict[str, Any]) -> None:
        """The first line."""
        head, self._head = self._head, None
        self._write(json_line({"capture": 1, "header": header.as_dict(), **(head or {}), **more}))
        self._line(now, {"port": "closed"})

    def offered(self, now: float, header: Header) -> None:
        """Begin the capture at a table that offers a game: nothing is refereed before `game`."""
        self._begin(now, header, {"offered": True})

    def game(
        self,
        now: float,
        header: Header,
        past: Sequence[Event] = (),
        *,
        watched: float = 0.0,
        away: tuple[float, float] | None = None,
    ) -> None:
        """Begin the capture, or a further game in it.

        A game that is resumed has the events ``past``, was watched until ``watched``, and nobody watched it for
        ``away``.
        """
        if self._head is not None:
            self._begin(now, header, {})
            return
        line: dict[str, Any] = {"header": header.as_dict(), "past": [to_json(event) for event in past]}
        if away is not None:
            line |= {"watched": watched, "away": list(away)}
        self._line(now, line)

    def event(self, now: float, event: Event) -> None:
        """A button or a decision; ``pressed`` is its own time where that is another."""
        record = to_json(event)
        del record["t"]
        self._line(now, {"event": record} if event.t == now else {"event": record, "pressed": event.t})

    def round(self, now: float) -> None:
        """Note a round in which nothing came: time passed in it."""
        if now != self._last:
            self._line(now, {"rx": ""})

    def line(self, now: float, what: str, data: bytes) -> None:
        """Note what happened to the port, or the bytes that were read or written, if there are any."""
        if what in ("open", "closed"):
            self._line(now, {"port": what})
        elif data:
            self._line(now, {what: data.hex()})

    def close(self) -> None:
        """Write the last line: the capture ends after its last round."""
        if self._head is None:
            self._line(self._last, {"end": True})


class CaptureFile(Capture):
    """A capture in a file; close it at the end. A disk that takes no more is reported once, to ``notice``."""

    def __init__(
        self,
        path: Path,
        wiring: Wiring,
        calibration: Calibration | None,
        sensing: SensingSettings,
        notice: Callable[[RecordStopped], None],
        rests: Sequence[float] | None = None,
    ) -> None:
        """Open the file.

        Raises:
            ConfigError: it cannot be written.
        """
        super().__init__(self._take, wiring, calibration, sensing, rests)
        self._path = path
        self._notice = notice
        try:
            self._file = path.open("wb", buffering=0)
        except OSError as error:
            raise ConfigError(f"--capture {path}: {error.strerror}; allowed: a file that can be written") from None
        self._writer: BackgroundWriter | None = BackgroundWriter(
            partial(write_all, self._file.fileno()), most_waiting=2 * MOST_WAITING
        )

    def _take(self, line: str) -> None:
        if self._writer is None:
            return
        try:
            if self._writer.waiting > MOST_WAITING:
                raise OSError(errno.ENOBUFS, os.strerror(errno.ENOBUFS))
            self._writer.write(f"{line}\n".encode())
        except OSError as error:
            self._stop(error)

    def _stop(self, error: OSError) -> None:
        self._writer = None  # its thread may still write: the file stays open
        self._notice(RecordStopped(self._path, error.strerror or str(error)))

    def close(self) -> None:
        """Write the last line; wait for the disk, for a while."""
        super().close()
        if self._writer is None:
            return
        try:
            self._writer.close()
        except OSError as error:
            self._stop(error)
        else:
            if self._writer.wait_until_written(0.0):
                self._file.close()


_SECONDS = "a number of seconds, at most 1e15, never decreasing"

#: Bytes of a capture, and of a line of it: the raw line has up to 50 000 a second, twice as many in hexadecimal.
MOST_BYTES = 1024 * 1024 * 1024
LONGEST_LINE = 4 * 1024 * 1024

#: The most seconds from one line to the next.
LONGEST_PAUSE = 86_400.0

_KINDS = ("rx", "tx", "port", "event", "header", "end")


@dataclass(frozen=True, slots=True)
class Round:
    """Part of a round of the loop at ``t``, mostly the time alone."""

    t: float
    data: bytes | None = None
    """Bytes that were read."""
    is_open: bool | None = None
    """The port was opened or closed."""
    decided: Event | None = None
    """A button or an arbiter's decision, with its own time by the capture's clock."""


@dataclass(frozen=True, slots=True)
class Game:
    """Another game begins, or one is resumed: ``past``, ``watched`` and ``away`` as `RefereedGame` takes them."""

    t: float
    header: Header
    past: tuple[Event, ...] = ()
    watched: float = 0.0
    away: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """A capture.

    ``wiring`` is the hash of the board's map. ``offered``: the capture begins at a table that offers a game, and
    nothing is refereed before the next header. ``rounds``: each round of the loop has a line, and none
    is to be made between them. ``rests``: those with which sensing begins, None for the calibrated ones. ``torn``
    is the number of an unterminated last line that was left out, 0 where there is none.
    """

    header: Header
    calibration: Calibration
    sensing: SensingSettings
    wiring: int
    offered: bool
    rounds: bool
    rests: tuple[float, ...] | None = None
    items: tuple[Round | Game, ...] = ()
    torn: int = 0


def read_capture(lines: Iterable[bytes], name: str) -> Captured:
    """Read a capture to its end.

    Raises:
        StreamError: it is refused; the message names the line, what stands there and what is allowed.
    """
    head: Captured | None = None
    items: list[Round | Game] = []
    header: Header | None = None
    last = float("-inf")
    for number, line in enumerate(lines, start=1):
        where = f"{name} line {number}"
        if not line.strip():
            continue
        try:
            record = load_line(line, where)
        except StreamError:
            if head is not None and not line.endswith(b"\n"):
                return replace(head, items=tuple(items), torn=number)
            raise
        if not isinstance(record, Mapping):
            raise refuse(where, "the line", record, "an object")
        if head is None or header is None:
            head = _head(record, where)
            header = head.header
            continue
        t: Any = record.get("t")
        if not is_number(t) or not last <= t <= 1e15:
            raise refuse(where, "t", t, _SECONDS if last == float("-inf") else f"{_SECONDS}: {last} or later")
        if t > last + LONGEST_PAUSE > float("-inf"):
            raise refuse(where, "t", t, f"{last} to {last + LONGEST_PAUSE}: a day after the line before")
        last = float(t)
        items.append(item := _item(record, last, header, where))
        header = item.header if isinstance(item, Game) else header
    if head is None:
        raise StreamError(f'{name} line 1: the capture is empty; allowed: a first line with "capture": 1')
    return replace(head, items=tuple(items))


def _head(record: Mapping[str, Any], where: str) -> Captured:
    if "capture" not in record:
        raise StreamError(f'{where}: this is no capture; allowed: a first line with "capture": 1')
    if record["capture"] != 1 or isinstance(record["capture"], bool):
        raise refuse(where, "capture", record["capture"], "1")
    wiring = record.get("wiring")
    try:
        wiring_hash = int(wiring, 16) if isinstance(wiring, str) and len(wiring) == 8 else -1
    except ValueError:
        wiring_hash = -1
    if wiring_hash < 0:
        raise refuse(where, "wiring", wiring, 'the hash of a wiring map, as "d26e7b07"')
    return Captured(
        header=parse_header(record.get("header"), where),
        calibration=_calibration(record.get("calibration"), where),
        sensing=_sensing(record.get("sensing", {}), where),
        wiring=wiring_hash,
        offered=record.get("offered") is True,
        rounds=record.get("rounds") is True,
        rests=_rests(record.get("rests"), where),
    )


def _calibration(values: Any, where: str) -> Calibration:
    if values is None:
        return Calibration()
    if not isinstance(values, Mapping):
        raise refuse(where, "calibration", values, "an object with the keys of the calibration file, or null")
    try:
        return Calibration.from_dict({key: values[key] for key in ("fields", "holders", "sand") if key in values})
    except CalibrationError as error:
        raise StreamError(f"{where}: calibration.{error.problem}") from None


def _rests(values: Any, where: str) -> tuple[float, ...] | None:
    if values is None:
        return None
    if not isinstance(values, list) or len(values) != FIELDS or not all(map(is_number, values)):
        raise refuse(where, "rests", values, f"{FIELDS} numbers, or null")
    return tuple(map(float, values))


def _sensing(values: Any, where: str) -> SensingSettings:
    try:
        return SensingSettings(**values)
    except (TypeError, TamskError) as error:
        raise StreamError(f"{where}: sensing: {error}") from None


def _item(record: Mapping[str, Any], t: float, header: Header, where: str) -> Round | Game:
    kinds = [kind for kind in _KINDS if kind in record]
    if len(kinds) != 1:
        raise StreamError(
            f"{where}: the line has {' and '.join(kinds) or 'no kind'}; allowed: {', '.join(_KINDS)}"
        )
    (kind,) = kinds
    value = record[kind]
    match kind:
        case "rx":
            return Round(t, data=_bytes(kind, value, where))
        case "tx":
            _bytes(kind, value, where)
            return Round(t)
        case "port":
            if value not in ("open", "closed"):
                raise refuse(where, "port", value, '"open", "closed"')
            return Round(t, is_open=value == "open")
        case "event":
            return Round(t, decided=_decided(record, t, header, where))
        case "header":
            return _game(record, t, where)
        case _:
            if value is not True:
                raise refuse(where, "end", value, "true")
            return Round(t)


def _bytes(kind: str, value: Any, where: str) -> bytes:
    try:
        return bytes.fromhex(value)
    except (TypeError, ValueError):
        raise refuse(where, kind, value, "bytes as hexadecimal digits") from None


def _decided(record: Mapping[str, Any], t: float, header: Header, where: str) -> Event:
    value = record["event"]
    if not isinstance(value, Mapping) or "t" in value:
        raise refuse(where, "event", value, "a button or an arbiter's decision, without t")
    pressed = record.get("pressed", t)
    if not is_number(pressed) or pressed > t:
        raise refuse(where, "pressed", pressed, f"a number of seconds, at most {t}")
    event = parse_event({**value, "t": 0.0}, where)
    if not isinstance(event, Button | Arbiter):
        raise refuse(where, "event", value, "a button or an arbiter's decision")
    check_tube(event, header.ruleset, where)
    return type(event)(float(pressed), *(getattr(event, name) for name in event.__match_args__[1:]))


def _game(record: Mapping[str, Any], t: float, where: str) -> Game:
    header = parse_header(record["header"], where)
    past = record.get("past", [])
    if not isinstance(past, list):
        raise refuse(where, "past", past, "a list of events")
    events = tuple(parse_event(each, f"{where}, past event {place}") for place, each in enumerate(past, start=1))
    last = 0.0
    for event in events:
        check_tube(event, header.ruleset, where)
        if event.t < last:
            raise refuse(where, "past", event.t, f"{last} or later, time never goes back")
        last = event.t
    watched, away = record.get("watched", last), record.get("away")
    if not is_number(watched) or watched < 0:
        raise refuse(where, "watched", watched, "a number of seconds, 0 or more")
    if away is not None and not (
        isinstance(away, list) and len(away) == 2 and all(map(is_number, away)) and 0 <= away[0] <= away[1]
    ):
        raise refuse(where, "away", away, "[least, most], seconds of 0 or more")
    span = None if away is None else (float(away[0]), float(away[1]))
    return Game(t, header, events, float(watched), span)
