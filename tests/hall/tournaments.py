"""Tournaments in tests: entrants by names, and rounds played with given results."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from hypothesis import strategies as st

from tamsk_hw.game import Player
from tamsk_hw.hall.tournament import Entrant, Pairing, Result, System, Tournament, next_round

RED_WINS, BLACK_WINS, TIE = Result(Player.RED, 10, 12), Result(Player.BLACK, 12, 10), Result(None, 9, 9)
BLACK_ABSENT, RED_ABSENT, BOTH_ABSENT = Result(Player.RED), Result(Player.BLACK), Result(None)

#: Any result of a game, most of them played.
any_result = st.sampled_from([RED_WINS, BLACK_WINS, TIE] * 3 + [BLACK_ABSENT, RED_ABSENT, BOTH_ABSENT])


def tournament(system: System, names: Iterable[str]) -> Tournament:
    return Tournament(system, tuple(map(Entrant, names)))


def of_size(system: System, size: int) -> Tournament:
    """Entrants called 1, 2, … by their seeds."""
    return tournament(system, map(str, range(1, size + 1)))


def pairs(pairings: Iterable[Pairing]) -> list[tuple[str, str | None]]:
    """Red and black of each table, in order."""
    ordered = sorted(pairings, key=lambda pairing: (pairing.round, pairing.table))
    return [(pairing.red, pairing.black) for pairing in ordered]


def with_round(before: Tournament, pairings: Iterable[Pairing], *results: Result | None) -> Tournament:
    """The tournament with one more round, and its results in the order of the tables with two entrants."""
    left = iter(results)
    new = [pairing if pairing.black is None else replace(pairing, result=next(left)) for pairing in pairings]
    return replace(before, pairings=(*before.pairings, *new))


def with_results(before: Tournament, result: Callable[[Pairing], Result]) -> Tournament:
    """The tournament with its next round, played."""
    new = next_round(before)
    return with_round(before, new, *(result(pairing) for pairing in new if pairing.black is not None))


def without(before: Tournament, *names: str) -> Tournament:
    """These entrants have withdrawn."""
    entrants = (replace(each, withdrawn=each.withdrawn or each.name in names) for each in before.entrants)
    return replace(before, entrants=tuple(entrants))
