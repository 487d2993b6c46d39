"""A tournament: entrants, pairings and results as values, the next round, standings, exports.

`next_round` and `round_by_hand` return pairings to add, `with_pairings` enters what has changed in some of them.
Messages are in the language that is spoken.
"""

import csv
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum
from fractions import Fraction
from io import StringIO
from itertools import combinations, groupby
from operator import attrgetter
from typing import Annotated, Any, ClassVar

from tamsk_hw.errors import HallError
from tamsk_hw.forms import Shape, number, scalar, to_json
from tamsk_hw.game.ruleset import Level
from tamsk_hw.game.tubes import RINGS_EACH, Player
from tamsk_hw.words.translating import tr


def _written(points: Fraction) -> float:
    """The points as a JSON number, which is exact: the smallest part is a quarter."""
    return int(points) if points.denominator == 1 else float(points)


Points = Annotated[Fraction, scalar(_written, Fraction, {"type": "number"}, "a number of points")]
Rings = Annotated[int, number(int, 0, RINGS_EACH)]

_WIN, _TIE, _LOSS = Fraction(1), Fraction(1, 2), Fraction(0)


class System(Enum):
    """Ways to pair; in each of them, any round can be given by hand instead."""

    ROUND_ROBIN = "round_robin"
    SWISS = "swiss"
    KNOCK_OUT = "knock_out"
    BY_HAND = "by_hand"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A participant. A withdrawn one keeps his results and is not paired any more."""

    name: str
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """The winner (None for a tie), and the rings that each player has left.

    Without rings there was no game: the winner's opponent did not come. If there is no winner either, neither came
    and neither gets a point.

    Raises:
        HallError: rings out of range, or of one player only.
    """

    winner: Player | None
    red: Rings | None = None
    black: Rings | None = None

    def __post_init__(self) -> None:
        rings, allowed = {self.red, self.black}, {*range(RINGS_EACH + 1)}
        if rings != {None} and not rings <= allowed:
            raise HallError(tr("Rings left: 0 to {count} for both players, or none for both.", count=RINGS_EACH))


@dataclass(frozen=True, slots=True)
class Side:
    """One entrant's part in a pairing. ``opponent`` is None where no game was played (a bye, a forfeit).

    ``rings`` is the ring difference: the rings that the opponent has left, minus the entrant's own.
    """

    name: str
    colour: Player
    points: Points
    opponent: str | None = None
    rings: int = 0


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entrants who meet, or a bye for ``red`` if ``black`` is None.

    ``round`` and ``table`` (the place in the round's list) count from 1. ``result`` is None while it is missing. A
    bye has none and counts as a win. ``board`` is the name of its board, ``game`` the key of the game that was set
    up there.
    """

    round: int
    table: int
    red: str
    black: str | None = None
    result: Result | None = None
    board: str | None = None
    game: str | None = None
    shape: ClassVar = Shape(spare=("board", "game"))

    @property
    def place(self) -> tuple[int, int]:
        """Round and table."""
        return self.round, self.table

    @property
    def winner(self) -> str | None:
        """The winner's name; None for a tie, and while the result is missing."""
        return next((side.name for side in self.sides() if side.points == _WIN), None)

    def sides(self) -> tuple[Side, ...]:
        """Both parts, or the only one of a bye; none while the result is missing."""
        if self.black is None:
            return (Side(self.red, Player.RED, _WIN),)
        if (result := self.result) is None:
            return ()
        rings = None if result.red is None or result.black is None else result.black - result.red
        tie = _LOSS if rings is None else _TIE
        red, black = {None: (tie, tie), Player.RED: (_WIN, _LOSS), Player.BLACK: (_LOSS, _WIN)}[result.winner]
        if rings is None:
            return Side(self.red, Player.RED, red), Side(self.black, Player.BLACK, black)
        return (
            Side(self.red, Player.RED, red, self.black, rings),
            Side(self.black, Player.BLACK, black, self.red, -rings),
        )


@dataclass(frozen=True, slots=True)
class Tournament:
    """All that is known of a tournament; the entrants are in order of seeding.

    Raises:
        HallError: a name is empty or used twice, or a round has somebody or a table twice, or somebody unknown.
    """

    system: System
    entrants: tuple[Entrant, ...]
    pairings: tuple[Pairing, ...] = ()
    level: Level = 3

    def __post_init__(self) -> None:
        names = Counter(entrant.name for entrant in self.entrants)
        for name, count in names.items():
            if not name:
                raise HallError(tr("An entrant has no name."))
            if count > 1:
                raise HallError(tr("{count} entrants are called {name}.", count=count, name=name))
        seats = [(one.round, name) for one in self.pairings for name in (one.red, one.black) if name is not None]
        places = [each.place for each in self.pairings]
        is_double = len({*seats}) < len(seats) or len({*places}) < len(places)
        if is_double or not names.keys() >= {name for _, name in seats}:
            raise HallError(tr("The pairings do not go with the entrants."))

    @property
    def active(self) -> list[str]:
        """Names of the entrants who have not withdrawn."""
        return [entrant.name for entrant in self.entrants if not entrant.withdrawn]

    @property
    def rounds(self) -> int:
        """Number of the last round that has been paired, 0 before the first."""
        return max((pairing.round for pairing in self.pairings), default=0)


#: The pairs of a round: red and black, or an entrant with a bye and None.
Pairs = Sequence[tuple[str, str | None]]


def next_round(tournament: Tournament) -> tuple[Pairing, ...]:
    """The pairings of the next round; none after the end of a round robin or knock-out, and for `System.BY_HAND`.

    In a round robin or knock-out, the opponent of a withdrawn entrant has a bye.

    Raises:
        HallError: a result is missing, a tied knock-out game must be played again (its new result replaces the
            tie), or the library for Swiss pairings is not installed.
    """
    for pairing in tournament.pairings:
        n, red, black = pairing.round, pairing.red, pairing.black
        if not pairing.sides():
            missing = tr(
                "Round {round}: the result of {red} against {black} is missing.", round=n, red=red, black=black
            )
            raise HallError(missing)
        if tournament.system is System.KNOCK_OUT and pairing.winner is None:
            tie = tr(
                "Round {round}: {red} against {black} has no winner; play it again.", round=n, red=red, black=black
            )
            raise HallError(tie)
    if len(tournament.active) < 2 or tournament.system is System.BY_HAND:
        return ()
    systems = {System.ROUND_ROBIN: _round_robin, System.SWISS: _swiss, System.KNOCK_OUT: _knock_out}
    return round_by_hand(tournament, systems[tournament.system](tournament))


def round_by_hand(tournament: Tournament, pairs: Pairs) -> tuple[Pairing, ...]:
    """The pairings of a next round of these pairs. Others do not play in it; in a knock-out they are out.

    Raises:
        HallError: somebody is there twice, has withdrawn or is no entrant.
    """
    number = tournament.rounds + 1
    for name, count in Counter(name for pair in pairs for name in pair if name is not None).items():
        if count > 1:
            raise HallError(tr("Round {round}: {name} is paired twice.", round=number, name=name))
        if name not in tournament.active:
            raise HallError(tr("Round {round}: {name} is not among the active entrants.", round=number, name=name))
    return tuple(Pairing(number, table, red, black) for table, (red, black) in enumerate(pairs, 1))


def with_pairings(tournament: Tournament, changed: Iterable[Pairing]) -> Tournament:
    """The tournament with these pairings in place of those at the same tables."""
    new = {pairing.place: pairing for pairing in changed}
    return replace(tournament, pairings=tuple(new.get(each.place, each) for each in tournament.pairings))


def dealt(pairings: Sequence[Pairing], boards: Iterable[str]) -> tuple[Pairing, ...]:
    """The pairings, with these boards for those without; later tables may have none, and a bye needs none."""
    left = iter(boards)
    return tuple(
        each if each.board or each.black is None else replace(each, board=next(left, None)) for each in pairings
    )


def _circle(names: Sequence[str]) -> Iterator[list[tuple[str | None, str | None]]]:
    """The rounds of the circle method as in FIDE's Berger tables; an empty seat (None) makes an odd number even.

    The lower seat has red if the sum of both is odd; against the last seat, which stays, the lower half has red.
    So at the end nobody has had one colour more than once more often than the other.
    """
    seats = [*names, *[None] * (len(names) % 2)]
    last = len(seats) - 1
    for turn in range(last):
        pairs = []
        for one, two in combinations(range(last + 1), 2):
            total, lower_has_red = (2 * one, 2 * one < last) if two == last else (one + two, (one + two) % 2 == 1)
            if total % last == turn:
                pairs.append((seats[one], seats[two]) if lower_has_red else (seats[two], seats[one]))
        yield pairs


def _round_robin(tournament: Tournament) -> Pairs:
    """The first round of the circle with pairs who have not met, and only these: others may have met by hand.

    Everybody has one bye if the number of entrants is odd, and one for each withdrawn entrant whom he has not met.
    """
    active = {*tournament.active}
    met = {frozenset((each.red, each.black)) for each in tournament.pairings if each.black is not None}
    byes = Counter(each.red for each in tournament.pairings if each.black is None)
    for circle in _circle([entrant.name for entrant in tournament.entrants]):
        pairs: list[tuple[str, str | None]] = []
        for pair in circle:
            names = [name for name in pair if name in active]
            if not names or frozenset(pair) in met:
                continue
            if names[1:]:
                pairs.append((names[0], names[1]))
            elif byes[names[0]]:
                byes[names[0]] -= 1
            else:
                pairs.append((names[0], None))
        if pairs:
            return sorted(pairs, key=lambda pair: pair[1] is None)
    return []


def _knock_out(tournament: Tournament) -> Pairs:
    """The winners of the last round by tables: the first against the last, the second against the last but one, …

    The first round pairs the seeds in the same way, filled up with byes to a power of two, so that the first two
    can only meet in the final. Red is the entrant who was red less often.
    """
    last = sorted((one for one in tournament.pairings if one.round == tournament.rounds), key=attrgetter("table"))
    names = [each.winner for each in last] if last else tournament.active
    slots = [name if name in tournament.active else None for name in names]
    if len(slots) - slots.count(None) < 2:
        return []
    slots += [None] * ((1 << (len(slots) - 1).bit_length()) - len(slots))
    reds = Counter(each.red for each in tournament.pairings if each.black is not None)
    reds.subtract(each.black for each in tournament.pairings if each.black is not None)
    pairs: list[tuple[str, str | None]] = []
    for place in range(len(slots) // 2):
        pair = [name for name in (slots[place], slots[-1 - place]) if name is not None]
        if place % 2:
            pair.reverse()
        pair.sort(key=reds.__getitem__)
        if pair:
            pairs.append((pair[0], pair[1] if pair[1:] else None))
    return pairs


def _swiss(tournament: Tournament) -> Pairs:
    """The Dutch system of FIDE (C.04.3), with red as white.

    In a small field its rules can become impossible to keep. Then colours are no longer forced; if that is not
    enough, entrants may meet again, those of the oldest rounds first. Nobody has a second bye before all have had
    one. A forfeited game counts as a bye for its winner, and is no meeting.
    """
    try:
        from caissify_pairings import generate_pairings
    except ImportError:
        raise HallError(tr("The library for Swiss pairings is missing: pip install 'tamsk-hw[hall]'")) from None
    # The library only warns of pairings with too many byes; they are refused below.
    logging.getLogger("caissify_pairings").setLevel(logging.ERROR)
    players, met = _history(tournament)
    names = {player["id"]: player["name"] for player in players}
    may_have_bye = {player["id"] for player in players if not player["bye_count"]} or {*names}
    games: list[dict[str, Any]] = []
    for forgotten in range(-1, tournament.rounds + 1):
        if forgotten == 0:
            for player in players:
                player["color_hist"] = player["color_hist"][-1:]
        previous = {pair for round_number, pair in met if round_number > forgotten}
        games = generate_pairings("dutch", players, previous, tournament.rounds + 1, tournament.rounds + 2)
        byes = [game["white_id"] for game in games if game["black_id"] is None]
        if len(byes) == len(players) % 2 and may_have_bye.issuperset(byes):
            break
    return [(names[game["white_id"]], names.get(game["black_id"])) for game in games]


def _history(tournament: Tournament) -> tuple[list[dict[str, Any]], list[tuple[int, tuple[int, int]]]]:
    """The active entrants as the library takes them, and the rounds of all games with the ids of both."""
    players: dict[str, dict[str, Any]] = {
        entrant.name: {"id": seed, "pairing_number": seed, "name": entrant.name, "score": 0.0, "bye_count": 0}
        | {"starting_number": seed, "color_hist": [], "float_history": []}
        for seed, entrant in enumerate(tournament.entrants, 1)
    }
    met: list[tuple[int, tuple[int, int]]] = []
    by_round = attrgetter("round")
    for round_number, pairings in groupby(sorted(tournament.pairings, key=by_round), by_round):
        before = {name: player["score"] for name, player in players.items()}
        for side in (side for pairing in pairings for side in pairing.sides()):
            player = players[side.name]
            player["score"] += float(side.points)
            if side.opponent is None:
                player["bye_count"] += side.points == _WIN
                lead = float(side.points)
            else:
                player["color_hist"].append("white" if side.colour is Player.RED else "black")
                met.append((round_number, (player["id"], players[side.opponent]["id"])))
                lead = before[side.name] - before[side.opponent]
            player["float_history"].append("down" if lead > 0 else "up" if lead < 0 else "none")
    return [players[name] for name in tournament.active], met


@dataclass(frozen=True, slots=True)
class Ranking:
    """One entrant's line of the standings; who is equal in everything shares a place."""

    place: int
    name: str
    points: Points
    buchholz: Points
    """Sum of the opponents' points."""
    sonneborn_berger: Points
    """Sum of the points of beaten opponents, and of half the points of those with whom there was a tie."""
    ring_difference: int
    """Rings that the opponents had left, minus the entrant's own: more is better."""


def standings(tournament: Tournament) -> tuple[Ranking, ...]:
    """The standings by the results so far: by points, Buchholz, Sonneborn-Berger, ring difference.

    For Buchholz and Sonneborn-Berger a bye or a forfeit, won or lost, counts as a tie against oneself. A round in
    which an entrant is not paired adds nothing.
    """
    sides = [side for pairing in tournament.pairings for side in pairing.sides()]
    points = {entrant.name: _LOSS for entrant in tournament.entrants}
    for side in sides:
        points[side.name] += side.points
    scores = {}
    for name in points:
        own = [side for side in sides if side.name == name]
        met = [(points[name], _TIE) if one.opponent is None else (points[one.opponent], one.points) for one in own]
        buchholz = sum((strength for strength, _ in met), _LOSS)
        sonneborn_berger = sum((strength * share for strength, share in met), _LOSS)
        scores[name] = (points[name], buchholz, sonneborn_berger, sum(side.rings for side in own))
    return tuple(
        Ranking(1 + sum(other > scores[name] for other in scores.values()), name, *scores[name])
        for name in sorted(scores, key=lambda name: scores[name], reverse=True)
    )


@dataclass(frozen=True, slots=True)
class Overview:
    """A tournament with its standings; `to_json` makes the export of it."""

    tournament: Tournament
    standings: tuple[Ranking, ...]


def standings_csv(tournament: Tournament) -> str:
    """The standings as CSV, with the names of the fields as header.

    In all CSV a text that a spreadsheet would take for a formula has an apostrophe before it.
    """
    rows = [to_json(ranking) for ranking in standings(tournament)]
    return _csv([field.name for field in fields(Ranking)], [row.values() for row in rows])


def rounds_csv(tournament: Tournament) -> str:
    """All pairings as CSV, by rounds and tables; empty fields where there is no opponent, result or game."""
    rows = []
    for pairing in sorted(tournament.pairings, key=attrgetter("round", "table")):
        points = [*map(_written, (side.points for side in pairing.sides())), None, None][:2]
        rings = (pairing.result.red, pairing.result.black) if pairing.result else (None, None)
        rows.append((pairing.round, pairing.table, pairing.red, pairing.black, *points, *rings))
    header = ("round", "table", "red", "black", "red_points", "black_points", "red_rings", "black_rings")
    return _csv(header, rows)


def _csv(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    file = StringIO()
    csv.writer(file).writerows([map(_plain, row) for row in (header, *rows)])
    return file.getvalue()


def _plain(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
