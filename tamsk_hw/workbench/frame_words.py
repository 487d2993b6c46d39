"""A frame's content in words, on one line; of a snapshot, what has changed since the one before."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tamsk_hw.board import protocol
from tamsk_hw.board.calibration import FIELD_NAMES, Calibration
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.game.tubes import PLAYERS, TUBES
from tamsk_hw.words.hardware import reset_words
from tamsk_hw.workbench.board import Standing, flag_names, gaps, ring_code, ring_codes, ring_places, standing

#: The ways in which a frame is damaged, by their counters in `DecoderCounters`: name and words.
DAMAGES: Final = {
    "malformed": ("malformed", "malformed"),
    "crc_errors": ("crc_error", "wrong CRC"),
    "unknown": ("unknown", "unknown type"),
    "misshapen": ("misshapen", "payload too short for its type"),
}


@dataclass(frozen=True, slots=True)
class Missing:
    """``count`` frames (1 … 255) are missing before the next one, by its seq."""

    count: int


@dataclass(frozen=True, slots=True)
class Damaged:
    """Bytes that form no message, without their zero byte; ``cut``: only the beginning of too many.

    ``why``: the name of a damage, or "unfinished" for bytes at the end that no zero byte follows.
    """

    why: str
    data: bytes
    cut: bool = False


Piece = protocol.Message | Missing | Damaged


#: Steps of a field or reference, and counts of a holder, that count as noise: the controller's own deadbands.
FIELD_NOISE, HOLDER_NOISE = protocol.Settings().field_deadband, protocol.Settings().holder_deadband

_WORDS = {**dict(DAMAGES.values()), "unfinished": "not finished"}


def kind_of(message: protocol.Message) -> str:
    """The message's name in PROTOCOL.md."""
    name = type(message).__name__
    return "SETTINGS" if name == "SettingsReport" else re.sub(r"(?<!^)([A-Z])", r"_\1", name).upper()


def damage_words(piece: Damaged) -> str:
    """The damage, with the bytes in hexadecimal."""
    if piece.cut:
        return f"malformed, {len(piece.data)} bytes or more without a zero byte: {piece.data.hex(' ')} …"
    return f"{_WORDS[piece.why]}: {piece.data.hex(' ')}"


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

    def __init__(
        self, wiring: Wiring, calibration: Calibration, settings: SensingSettings, *, everything: bool = False
    ) -> None:
        self._wiring = wiring
        self._calibration = calibration
        self._settings = settings
        self._everything = everything
        self.restart()

    def restart(self) -> None:
        """Describe the next snapshot in full."""
        self._fields: list[int] | None = None
        self._references: list[int] = []
        self._holders: list[int] = []
        self._rings: tuple[str, ...] = ()
        self._faults = 0

    def words(self, snapshot: protocol.Snapshot) -> str:
        """Describe a snapshot."""
        rings = ring_codes(snapshot, self._wiring)
        if self._everything or self._fields is None:
            shown = self._all(snapshot, rings)
            self._fields = list(snapshot.fields)
            self._references = list(snapshot.references)
            self._holders = list(snapshot.holders)
        else:
            shown = self._changes(snapshot, rings, self._fields)
        self._rings, self._faults = rings, snapshot.faults
        return "; ".join(shown) or "no change"

    def _all(self, snapshot: protocol.Snapshot, rings: tuple[str, ...]) -> list[str]:
        tubes = [int(tube) for tube in self._wiring.tubes]
        felt = [index for index in tubes if self._standing(snapshot, index) is not Standing.GONE]
        # In full, every tube has its reading, not only those with a glass.
        shown = tubes if self._everything else felt
        return [
            "glasses " + _list(self._field(snapshot, index) for index in shown),
            self._field(snapshot, protocol.TIMER_FIELD, " "),
            "rings " + _list(_ring(index, code) for index, code in enumerate(rings) if code.strip("0")),
            "references " + " ".join(map(str, snapshot.references)),
            "holders " + " ".join(map(str, snapshot.holders)),
            "flags " + _list(flag_names(snapshot.faults)),
        ]

    def _changes(self, snapshot: protocol.Snapshot, rings: tuple[str, ...], before: list[int]) -> list[str]:
        parts = []
        fitted = self._wiring.fields
        changed = [index for index in _moved(before, snapshot.fields, FIELD_NOISE) if index in fitted]
        if any(index != protocol.TIMER_FIELD for index in changed):
            parts.append(
                "glasses "
                + _list(self._field(snapshot, index) for index in changed if index < protocol.TIMER_FIELD)
            )
        if protocol.TIMER_FIELD in changed:
            parts.append(self._field(snapshot, protocol.TIMER_FIELD, " "))
        new = [_ring(index, code) for index, code in enumerate(rings) if code != self._rings[index]]
        if new:
            parts.append("rings " + _list(new))
        if _moved(self._references, snapshot.references, FIELD_NOISE):
            parts.append("references " + " ".join(map(str, snapshot.references)))
        parts += [
            f"holder {PLAYERS[index]} {snapshot.holders[index]}"
            for index in _moved(self._holders, snapshot.holders, HOLDER_NOISE)
        ]
        if snapshot.faults != self._faults:
            parts.append("flags " + _list(flag_names(snapshot.faults)))
        return parts

    def _standing(self, snapshot: protocol.Snapshot, index: int) -> Standing:
        return standing(snapshot.fields[index], self._calibration.fields[index], self._settings)

    def _field(self, snapshot: protocol.Snapshot, index: int, between: str = ":") -> str:
        return f"{FIELD_NAMES[index]}{between}{snapshot.fields[index]}{self._standing(snapshot, index).value}"


def _moved(shown: list[int], now: Iterable[int], noise: int) -> list[int]:
    """The places at which a value has changed since it was last shown; it counts as shown from now on."""
    moved = []
    for index, value in enumerate(now):
        if abs(value - shown[index]) > noise:
            shown[index] = value
            moved.append(index)
    return moved


def _list(words: Iterable[str]) -> str:
    return " ".join(words) or "none"


def _ring(index: int, code: str) -> str:
    return f"{TUBES[index].name}:{code}{'(gap)' * bool(gaps(code))}"


def _settings_words(settings: protocol.Settings) -> str:
    return (
        f"field deadband {settings.field_deadband}, holder deadband {settings.holder_deadband}, "
        f"interval {settings.shortest_interval} to {settings.longest_interval} µs, light {settings.light_time} µs"
    )


def _self_test_words(report: protocol.SelfTestReport, wiring: Wiring) -> str:
    by_time: dict[int, list[str]] = {}
    for bit, sensor in ring_places(wiring).items():
        by_time.setdefault(report.shortest[bit], []).append(sensor)
    names = {protocol.SELF_TEST_UNSEEN: "no ring seen", protocol.SELF_TEST_DARK: "light while dark"}
    return "; ".join(
        f"{names.get(time, f'{time} µs')}: {' '.join(sorted(sensors))}"
        for time, sensors in sorted(by_time.items())
    )


def content_words(message: protocol.Message, wiring: Wiring, snapshots: SnapshotWords) -> str:
    """The content of a message; empty for one without."""
    match message:
        case protocol.Snapshot():
            return snapshots.words(message)
        case protocol.Hello():
            snapshots.restart()
            return hello_words(message)
        case protocol.SettingsReport() | protocol.Set():
            return _settings_words(message.settings)
        case protocol.SelfTestReport():
            return _self_test_words(message, wiring)
        case protocol.SetBoardId():
            return f"board {message.board_id:08x}"
        case _:
            return ""


def snapshot_record(
    snapshot: protocol.Snapshot, wiring: Wiring, calibration: Calibration, settings: SensingSettings
) -> dict[str, object]:
    """A snapshot in full, as a JSON object."""
    names = {index: FIELD_NAMES[index] for index in wiring.fields}
    glasses = {}
    for index, name in names.items():
        if (stands := standing(snapshot.fields[index], calibration.fields[index], settings)) is not Standing.GONE:
            glasses[name] = stands.name.lower()
    return {
        "controller_time": snapshot.time / 1e6,
        "fields": {name: snapshot.fields[index] for index, name in names.items()},
        "glasses": glasses,
        "rings": {tube.name: ring_code(snapshot, wiring, tube) for tube in wiring.tubes},
        "references": list(snapshot.references),
        "holders": {player.value: snapshot.holders[index] for index, player in enumerate(PLAYERS)},
        "flags": flag_names(snapshot.faults),
    }
