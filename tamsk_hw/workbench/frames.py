"""``tamsk-hw frames``: shows the line frame by frame, from a file of raw bytes or live from a port."""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict
from math import inf
from pathlib import Path
from typing import IO, Final

import click

from tamsk_hw.board import protocol
from tamsk_hw.board.calibration import FIELD_NAMES
from tamsk_hw.board.link_events import Lost, Unreachable
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.errors import ConfigError, LinkError
from tamsk_hw.game.tubes import PLAYERS, TUBES
from tamsk_hw.system.service import Stopped
from tamsk_hw.words.hardware import link_error, link_words, reset_words
from tamsk_hw.workbench import board as boards

#: The ways in which a frame is damaged, by their counters in `DecoderCounters`: name and words.
DAMAGES: Final = {
    "malformed": ("malformed", "malformed"),
    "crc_errors": ("crc_error", "wrong CRC"),
    "unknown": ("unknown", "unknown type"),
    "misshapen": ("misshapen", "payload too short for its type"),
}


#: What lies between messages, as a record and in words: frames that are missing, bytes that form no message.
Aside = tuple[dict[str, object], str]

Piece = protocol.Message | Aside


def damaged(why: str, words: str, data: bytes, *, cut: bool = False) -> Aside:
    """Bytes that form no message, without their zero byte; ``cut``: only the beginning of too many."""
    record = {"damaged": why, "bytes": data.hex(), "cut": cut}
    if cut:
        return record, f"!! malformed, {len(data)} bytes or more without a zero byte: {data.hex(' ')} …"
    return record, f"!! {words}: {data.hex(' ')}"


class Dissector:
    """Takes bytes as they come; the same bytes give the same pieces however they are cut up."""

    def __init__(self) -> None:
        self.decoder = protocol.Decoder()
        self._held = b""
        self._dropping = False

    def feed(self, data: bytes) -> Iterator[Piece]:
        """The pieces that these bytes finish, in order. Exhaust it before the next call."""
        *ended, rest = data.split(b"\0")
        for segment in ended:
            yield from self._take(segment, ends=True)
        if rest:
            yield from self._take(rest, ends=False)

    def restart(self) -> Iterator[Piece]:
        """Report an unfinished frame, since the line was opened again or has ended. The counters stay."""
        held, self._held = self._held, b""
        dropping, self._dropping = self._dropping, False
        self.decoder.restart()
        if held and not dropping:
            yield damaged("unfinished", "not finished", held)

    def _take(self, segment: bytes, *, ends: bool) -> Iterator[Piece]:
        """The pieces that bytes without a zero byte finish; ``ends``: a zero byte follows them."""
        before = self.decoder.counters
        messages = self.decoder.feed(segment + b"\0" if ends else segment)
        after = self.decoder.counters
        held = self._held + segment
        self._held = b"" if ends else held[: protocol.MAX_FRAME]
        if self._dropping:
            self._dropping = not ends
            return
        if missing := after.missing - before.missing:
            yield {"missing": missing}, f"-- {missing} frame{'s' * (missing > 1)} missing"
        yield from messages
        for counter, (why, words) in DAMAGES.items():
            if getattr(after, counter) != getattr(before, counter):
                # The beginning of an overlong frame is reported at once: its end may never come.
                self._dropping = not ends
                cut = len(held) >= protocol.MAX_FRAME
                yield damaged(why, words, held[: protocol.MAX_FRAME], cut=cut)


def keeping(raw: Path, stack: ExitStack) -> Callable[[bytes], None]:
    """A function that writes bytes to a file, which loses what it held with the first of them.

    Raises `ConfigError` if it cannot be written.
    """
    opened: list[IO[bytes]] = []

    def keep(data: bytes) -> None:
        try:
            if not opened:
                opened.append(stack.enter_context(raw.open("wb")))
            opened[0].write(data)
            opened[0].flush()
        except OSError as error:
            raise ConfigError(f"{raw}: cannot be written: {(error.strerror or str(error)).lower()}") from error

    return keep


# ---- in words

#: Steps of a field or reference, and counts of a holder, that count as noise: the controller's own deadbands.
FIELD_NOISE, HOLDER_NOISE = protocol.Settings().field_deadband, protocol.Settings().holder_deadband


def kind_of(message: protocol.Message) -> str:
    """The message's name in PROTOCOL.md."""
    name = type(message).__name__
    return "SETTINGS" if name == "SettingsReport" else re.sub(r"(?<!^)([A-Z])", r"_\1", name).upper()


def hello_words(hello: protocol.Hello) -> str:
    """The board's identity and versions."""
    return (
        f"protocol {'.'.join(map(str, hello.protocol))}, firmware {'.'.join(map(str, hello.firmware))}, "
        f"board {hello.board_id:08x}, boot {hello.boot_id:08x}, last reset: {reset_words(hello.reset_cause)}, "
        f"wiring {hello.wiring_hash:08x}, {hello.ring_bits} ring sensors, {hello.fields} fields, "
        f"{hello.references} references, {hello.holders} holders"
    )


class SnapshotWords:
    """Describes snapshots in turn. ``everything``: each in full, not only what has changed."""

    def __init__(self, board: boards.Board, *, everything: bool = False) -> None:
        self._board = board
        self._everything = everything
        self.restart()

    def restart(self) -> None:
        """Describe the next snapshot in full."""
        self._fields, self._holders = [inf] * protocol.FIELDS, [inf] * len(PLAYERS)
        """The values as they were last described."""
        self._references = [inf] * protocol.REFERENCES
        self._rings: tuple[str, ...] = ()
        self._faults = 0

    def words(self, snapshot: protocol.Snapshot) -> str:
        """Describe a snapshot."""
        if self._everything:
            self.restart()
        wiring, before, full = self._board.wiring, self._rings, not self._rings
        moved = [each for each in _moved(self._fields, snapshot.fields, FIELD_NOISE) if each in wiring.fields]
        # In full, every tube has its reading, not only those with a glass.
        glasses = [
            self._field(snapshot, index)
            for index in moved
            if index != protocol.TIMER_FIELD
            if self._everything or not full or self._board.standing(snapshot, index) is not boards.Standing.GONE
        ]
        parts = ["glasses " + _list(glasses)] if glasses or full else []
        if protocol.TIMER_FIELD in moved or full:
            parts.append(self._field(snapshot, protocol.TIMER_FIELD, " "))
        rings = tuple(boards.ring_code(snapshot, wiring, tube) for tube in TUBES)
        told = [
            f"{tube.name}:{code}{'(gap)' * bool(boards.gaps(code))}"
            for tube, code in zip(TUBES, rings, strict=True)
            if (code.strip("0") if full else code != before[tube])
        ]
        if told or full:
            parts.append("rings " + _list(told))
        if _moved(self._references, snapshot.references, FIELD_NOISE):
            parts.append("references " + " ".join(map(str, snapshot.references)))
        holders = _moved(self._holders, snapshot.holders, HOLDER_NOISE)
        if full:
            parts.append("holders " + " ".join(map(str, snapshot.holders)))
        else:
            parts += [f"holder {PLAYERS[index]} {snapshot.holders[index]}" for index in holders]
        if snapshot.faults != self._faults or full:
            parts.append("flags " + _list(boards.flag_names(snapshot.faults)))
        self._rings, self._faults = rings, snapshot.faults
        return "; ".join(parts) or "no change"

    def _field(self, snapshot: protocol.Snapshot, index: int, between: str = ":") -> str:
        sign = self._board.standing(snapshot, index).value
        return f"{FIELD_NAMES[index]}{between}{snapshot.fields[index]}{sign}"


def _moved(shown: list[float], now: Iterable[int], noise: int) -> list[int]:
    """The places at which a value has changed since it was last shown; it counts as shown from now on."""
    moved = []
    for index, value in enumerate(now):
        if abs(value - shown[index]) > noise:
            shown[index] = value
            moved.append(index)
    return moved


def _list(words: Iterable[str], none: str = "none") -> str:
    return " ".join(words) or none


def _signals(told: protocol.RingSignals, wiring: Wiring) -> Aside:
    """The signals of a converter's sensors that are fitted, in counts, by their places."""
    places, sensors, words = boards.ring_places(wiring), {}, []
    for bit, signal in told.by_bit.items():
        if bit in places:
            sensors[places[bit]] = {
                "counts": signal.counts,
                "deviation": signal.spread,
                "threshold": signal.threshold_counts,
                "dark": signal.dark_counts,
            }
            counts = "?" if signal.counts is None else format(signal.counts, ".0f")
            words.append(f"{places[bit]} {counts}/{signal.threshold_counts:.0f}")
    record: dict[str, object] = {"converter": told.chip, "sensors": sensors}
    return record, f"converter {told.chip}: {_list(words, 'none fitted')} (counts/threshold)"


def snapshot_record(snapshot: protocol.Snapshot, board: boards.Board) -> dict[str, object]:
    """A snapshot in full, as a JSON object."""
    names = {index: FIELD_NAMES[index] for index in board.wiring.fields}
    glasses = {}
    for index, name in names.items():
        if (stands := board.standing(snapshot, index)) is not boards.Standing.GONE:
            glasses[name] = stands.name.lower()
    return {
        "controller_time": snapshot.time / 1e6,
        "fields": {name: snapshot.fields[index] for index, name in names.items()},
        "glasses": glasses,
        "rings": {tube.name: boards.ring_code(snapshot, board.wiring, tube) for tube in board.wiring.tubes},
        "references": list(snapshot.references),
        "holders": {player.value: snapshot.holders[index] for index, player in enumerate(PLAYERS)},
        "flags": boards.flag_names(snapshot.faults),
    }


# ---- the command

#: Seconds that one wait for bytes takes at most.
LOOK_EVERY = 0.05

#: Bytes that are read from a file at once.
_READ = 1 << 16


class Report:
    """Frames as lines, given to ``say``. ``now`` below: seconds since listening began, None for a file."""

    def __init__(
        self, board: boards.Board, say: Callable[[str], None], *, as_json: bool = False, everything: bool = False
    ) -> None:
        self._board = board
        self._say = say
        self._as_json = as_json
        self._dissector = Dissector()
        self._snapshots = SnapshotWords(board, everything=everything)

    def take(self, data: bytes, now: float | None = None) -> None:
        """Bytes as they come."""
        for piece in self._dissector.feed(data):
            self._tell(piece, now)

    def restart(self, words: str, now: float | None = None) -> None:
        """The line was closed, or opened again; ``words`` says why."""
        for piece in self._dissector.restart():
            self._tell(piece, now)
        self._snapshots.restart()
        self._tell(({"note": words}, f"-- {words}"), now)

    def end(self) -> None:
        """Report an unfinished frame and the counters, since no more bytes come."""
        for piece in self._dissector.restart():
            self._tell(piece, None)
        counters = asdict(self._dissector.decoder.counters)
        words = ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in counters.items())
        self._say(json.dumps({"counters": counters}) if self._as_json else words)

    def _tell(self, piece: Piece, now: float | None) -> None:
        shown = now
        if isinstance(piece, tuple):
            record, words = piece
        else:
            if now is None and isinstance(piece, protocol.Snapshot):
                shown = piece.time / 1e6  # from a file, snapshots show the controller's own time
            content, said = self._content(piece)
            record = {"seq": piece.seq, "type": kind_of(piece), **content}
            words = f"{piece.seq:3} {kind_of(piece):<8}  {said}"
        if self._as_json:
            self._say(json.dumps({"t": None if now is None else round(now, 6), **record}, ensure_ascii=False))
        else:
            self._say(f"{'' if shown is None else f'{shown:.4f}':>11} {words}".rstrip())

    def _content(self, message: protocol.Message) -> Aside:
        """The content of a message as a record and in words; empty for one without."""
        match message:
            case protocol.Snapshot() if self._as_json:
                return snapshot_record(message, self._board), ""
            case protocol.Snapshot():
                return {}, self._snapshots.words(message)
            case protocol.Hello():
                self._snapshots.restart()
                return {**asdict(message), "reset_cause": int(message.reset_cause)}, hello_words(message)
            case protocol.SettingsReport() | protocol.Set():
                own = message.settings
                deadbands = f"field deadband {own.field_deadband}, holder deadband {own.holder_deadband}"
                interval = f"interval {own.shortest_interval} to {own.longest_interval} µs"
                return asdict(own), f"{deadbands}, {interval}"
            case protocol.RingSignals():
                return _signals(message, self._board.wiring)
            case protocol.SetThresholds():
                record: dict[str, object] = {"converter": message.chip, "thresholds": list(message.thresholds)}
                return record, f"converter {message.chip}: {' '.join(map(str, message.thresholds))} counts"
            case protocol.SetBoardId():
                return {}, f"board {message.board_id:08x}"
            case _:
                return {}, ""


def show_frames(
    *,
    file: str | None = None,
    port: str | None = None,
    config: Path | None = None,
    as_json: bool = False,
    everything: bool = False,
    raw: Path | None = None,
    clock: boards.Clock | None = None,
) -> None:
    """Print frames until the file ends, or, listening to a port, until the program is stopped; then the counters.

    Args:
        file: raw bytes, ``-`` is standard input; without one a port is listened to.
        port: that port, in place of the configured one.
        config: the configuration, in place of the one that is found.
        as_json: as JSON Lines.
        everything: each snapshot in full.
        raw: a file in which the bytes are kept.
        clock: for tests.

    Raises:
        ConfigError: the configuration is refused, or the file for the bytes cannot be written.
        WiringError: the wiring map is refused.
        LinkError: no port is named, or it cannot be opened.
        OSError: the file cannot be read.
        Stopped: it was stopped; all is printed.
    """
    board = boards.board_of(config, port)
    report = Report(board, click.echo, as_json=as_json, everything=everything)
    with ExitStack() as stack:
        source: IO[bytes] | None = None
        if file is not None:
            source = stack.enter_context(click.open_file(file, "rb"))
            if file != "-" and source.isatty():
                raise LinkError(f"{file}: is a port, not a file: give it with --port")
        if raw is not None and source is not None:
            with suppress(OSError):  # nothing is there yet, or what is read is no file of the system's
                if os.path.samestat(os.fstat(source.fileno()), raw.stat()):
                    raise ConfigError(f"{raw}: is the file that is read; name another one for --raw")
        keep = keeping(raw, stack) if raw else lambda data: None
        try:
            if source is not None:
                while data := source.read(_READ):
                    keep(data)
                    report.take(data)
            else:
                _listen(board, report, keep, clock or boards.Clock())
        except Stopped:
            report.end()
            raise
        report.end()


def _listen(board: boards.Board, report: Report, keep: Callable[[bytes], None], clock: boards.Clock) -> None:
    """Report what comes on a port, indefinitely; wait for a port that goes away.

    As any host does, it sends IDENTIFY, so that the board says who it is, and HEARTBEAT once it may be used.
    """
    port, began = board.port, clock.now()

    def tap(data: bytes) -> None:
        keep(data)
        report.take(data, clock.now() - began)

    was_open = False
    with closing(SerialLink(port, board.wiring.hash, tap=tap, backlog=1)) as link:
        while True:
            now = clock.now()
            for event in link.poll(now):
                if isinstance(event, Unreachable) and link.statistics.opens == 0:
                    raise link_error(event.reason)
                if isinstance(event, Unreachable | Lost):
                    report.restart(link_words(event.reason), now - began)
            is_open = link.fileno() is not None
            if is_open and not was_open and link.statistics.opens > 1:
                report.restart(f"{port}: opened again", now - began)
            was_open = is_open
            clock.wait(link.fileno(), LOOK_EVERY)
