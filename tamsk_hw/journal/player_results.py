"""Results of each player and each pair, from the journal's list of games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tamsk_hw.game.players import Player
from tamsk_hw.journal.entries import GameSummary
from tamsk_hw.partner.seat import PARTNER_NAMES
from tamsk_hw.referee.rulings import Reason


@dataclass(slots=True)
class Results:
    """A player's games that were played to a result."""

    games: int = 0
    won_as_red: int = 0
    won_as_black: int = 0
    tied: int = 0

    @property
    def won(self) -> int:
        """Games won with either colour."""
        return self.won_as_red + self.won_as_black

    @property
    def lost(self) -> int:
        """Games lost."""
        return self.games - self.won - self.tied

    def add(self, winner: Player | None, colour: Player) -> None:
        """Count a game in which this player had ``colour``."""
        self.games += 1
        if winner is None:
            self.tied += 1
        elif winner is colour is Player.RED:
            self.won_as_red += 1
        elif winner is colour:
            self.won_as_black += 1


@dataclass(frozen=True, slots=True)
class PlayerResults:
    """The results of every player by name, and of every pair; a pair's are those of the first of its names."""

    players: dict[str, Results]
    pairs: dict[tuple[str, str], Results]


def player_results(games: Iterable[GameSummary]) -> PlayerResults:
    """Count the games that have a result; those that somebody played against himself tell nothing.

    Games against the program count between it and its opponent only, not among anybody's games in all.
    """
    players: dict[str, Results] = {}
    pairs: dict[tuple[str, str], Results] = {}
    for game, winner in _counted(games):
        names = ((game.red, Player.RED), (game.black, Player.BLACK))
        for name, colour in names:
            if name is not None and game.red not in PARTNER_NAMES and game.black not in PARTNER_NAMES:
                players.setdefault(name, Results()).add(winner, colour)
        if game.red is not None and game.black is not None:
            first, second = sorted((game.red, game.black))
            colour = Player.RED if first == game.red else Player.BLACK
            pairs.setdefault((first, second), Results()).add(winner, colour)
    return PlayerResults(dict(sorted(players.items())), dict(sorted(pairs.items())))


def results_against(games: Iterable[GameSummary], name: str) -> dict[str, Results]:
    """A player's results against each other player, by their names; counted as `player_results` does."""
    against: dict[str, Results] = {}
    for game, winner in _counted(games):
        for colour, own, other in ((Player.RED, game.red, game.black), (Player.BLACK, game.black, game.red)):
            if own == name and other is not None:
                against.setdefault(other, Results()).add(winner, colour)
    return dict(sorted(against.items()))


def _counted(games: Iterable[GameSummary]) -> Iterator[tuple[GameSummary, Player | None]]:
    """The games that have a result, each with its winner."""
    for game in games:
        if game.over is not None and game.over.reason is not Reason.ABANDONED and game.red != game.black:
            yield game, game.over.winner
