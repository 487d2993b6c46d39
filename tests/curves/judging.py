"""Compares what the program reported with the truth: events missed, invented, late, rulings that differ."""

from dataclasses import dataclass
from typing import NamedTuple

from tamsk_hw.referee.events import Event, Holder, Lift, Rings, Seat, Tilt, TimerLifted, TimerSeated
from tamsk_hw.referee.rulings import Caution, Ruling, Setup, Started, Warned
from tests.curves.played import PlayedGame

#: An event may be dated so long before the truth, in which a glass or ring has come to rest, and so long after it.
EARLY, AFTER = 0.8, 0.5

#: A holder is dated when its weight has come to rest, which a hand and noise put off.
HOLDER_AFTER = 1.2

#: It is late when it is told so long after it (seconds).
LATE = 1.0

#: A holder that changes again within so many seconds is told of once.
MERGED = 1.5

#: A ruling may be dated so far from the true one.
NEAR = 1.6

#: The rulings on sand that are further off, as every glass is turned over a little sooner than it came to rest.
OF_SAND, NEAR_OF_SAND = ("glass_doubtful", "glass_lost"), 15.0

#: What is further from the truth than this (seconds) is another thing.
SAME = 60.0

#: The last seconds of the true game, in which nothing is compared: who was first is a matter of moments there.
ENDING = 2.0

#: What a thing is, but for its times.
What = tuple[object, ...]


class Entry(NamedTuple):
    """A thing that was told or should have been: the time that it has, when it was known, what it is."""

    t: float
    known: float
    what: What


class Window(NamedTuple):
    """Seconds by which a thing may be dated before and after the truth, and known after it."""

    early: float
    after: float
    late: float


@dataclass(frozen=True)
class Wrong:
    """Something that was told wrongly, or not at all: when that came out (seconds), how, what."""

    at: float
    how: str
    what: str

    def __str__(self) -> str:
        return f"{self.at:.2f} s {self.how}: {self.what}"


@dataclass(frozen=True)
class Verdict:
    """All that was wrong in a game, in the order in which it came out."""

    events: tuple[Wrong, ...]
    rulings: tuple[Wrong, ...]

    @property
    def is_right(self) -> bool:
        """Nothing was wrong."""
        return not self.events and not self.rulings


def judge(played: PlayedGame, patience: float = 0.0) -> Verdict:
    """Compare what was told with the truth, from the start of the game to its end.

    ``patience``: seconds by which all may be told later, as the host stood still.
    """
    game, told = played.game, played.told
    started = next((ruling.t for ruling in game.rulings if isinstance(ruling, Started)), 0.0)
    end = (game.rulings[-1].t if game.is_over else played.board.now - ENDING) - ENDING
    true = [Entry(event.t, event.t, key) for event in game.events if (key := _key(event))]
    sensed = [Entry(event.t, at, key) for at, event in told.events if (key := _key(event))]
    due = [Entry(ruling.t, ruling.t, essence(ruling)) for ruling in game.rulings if counts(ruling)]
    ruled = [Entry(ruling.t, at, essence(ruling)) for at, ruling in told.rulings if counts(ruling)]
    events = compare(true, sensed, Window(EARLY, AFTER, LATE + patience), started, end)
    near, sand = Window(NEAR, NEAR, NEAR + patience), Window(NEAR_OF_SAND, NEAR_OF_SAND, NEAR_OF_SAND + patience)
    rulings = [
        *compare(*_split(due, ruled, of_sand=False), near, started - NEAR, end),
        *compare(*_split(due, ruled, of_sand=True), sand, started, end - NEAR_OF_SAND),
    ]
    return Verdict(
        tuple(wrong for wrong in events if not _is_merged(wrong, true)),
        tuple(sorted(rulings, key=lambda wrong: wrong.at)),
    )


def compare(true: list[Entry], told: list[Entry], window: Window, start: float, end: float) -> list[Wrong]:
    """Match each true thing with the first like it that was told; what is left on either side is wrong."""
    left = sorted(told, key=lambda entry: entry.t)
    wrongs: list[Wrong] = []
    for entry in sorted(true, key=lambda entry: entry.t):
        t, what = entry.t, entry.what
        found = next((e for e in left if e.what == what and t - window.early <= e.t <= t + SAME), None)
        if found is not None and found.t > t + window.after and _is_of_another(found, entry, true, window):
            found = None
        if found is not None:
            left.remove(found)
        if not start <= t <= end:
            continue
        if found is None:
            wrongs.append(Wrong(t + window.late, "missed", _text(what)))
        elif (
            found.t > t + (HOLDER_AFTER if what[0] == "holder" else window.after) or found.known > t + window.late
        ):
            off = f"dated {found.t - t:+.2f} s, told {found.known - t:+.2f} s"
            wrongs.append(Wrong(t + window.late, "late", f"{_text(what)}, {off}"))
    wrongs += [Wrong(entry.known, "invented", _text(entry.what)) for entry in left if start <= entry.t <= end]
    return sorted(wrongs, key=lambda wrong: wrong.at)


def _is_of_another(found: Entry, entry: Entry, true: list[Entry], window: Window) -> bool:
    """True when a finding tells of a later thing that is just like it."""
    return any(
        other.what == found.what and other is not entry and abs(other.t - found.t) <= window.early
        for other in true
    )


def _key(event: Event) -> What:
    """Facts of an event but its time; nothing for one that is not sensed."""
    match event:
        case Seat():
            return "seat", event.tube.name, event.end.value
        case Lift():
            return "lift", event.tube.name
        case Tilt():
            return "tilt", event.tube.name
        case Rings():
            return "rings", event.tube.name, event.count
        case Holder():
            return "holder", event.player.value, event.count
        case TimerSeated():
            return "timer", "seated", event.end.value
        case TimerLifted():
            return "timer", "lifted"
        case _:
            return ()


def counts(ruling: Ruling) -> bool:
    """The ruling is on the game: not on what was there before it, and not what says that something is wrong."""
    if isinstance(ruling, Warned) and ruling.code in (Caution.LINK_LOST, Caution.SENSOR_FAULT):
        return False
    return not isinstance(ruling, Setup)


def essence(ruling: Ruling) -> What:
    """The facts of a ruling but for its times and its clause."""
    facts = ruling.as_dict()
    return tuple(
        str(value) for key, value in facts.items() if key not in ("t", "deadline", "rule") and value is not None
    )


def _split(due: list[Entry], ruled: list[Entry], *, of_sand: bool) -> tuple[list[Entry], list[Entry]]:
    """The rulings that the sand decides, or the others."""
    true, told = ([each for each in some if (each.what[0] in OF_SAND) is of_sand] for some in (due, ruled))
    return true, told


def _text(what: What) -> str:
    return " ".join(str(part) for part in what)


def _is_merged(wrong: Wrong, true: list[Entry]) -> bool:
    """A holder's count that was missed because the next came at once."""
    player = wrong.what.split()[1]
    if wrong.how != "missed" or not wrong.what.startswith("holder"):
        return False
    t = next(each.t for each in true if _text(each.what) == wrong.what)
    return any(each.what[:2] == ("holder", player) and t < each.t <= t + MERGED for each in true)
