"""What a learner's hands do to solve each lesson, and to fail it in each of its ways, as requests to hands."""

from typing import Any, Final

Requests = list[dict[str, Any]]


def move(at: str, to: str, *, turned: bool = True, player: str = "red") -> Requests:
    lift = {"do": "lift", "player": player, "tube": at}
    return [lift, {"do": "seat", "player": player, "tube": to, "turned": turned}]


def drop(tube: str) -> Requests:
    return [{"do": "drop", "player": "red", "tube": tube}]


def pause(seconds: float) -> Requests:
    return [{"do": "wait", "seconds": seconds}]


TIMER: Final[Requests] = [{"do": "turn_timer", "player": "red"}]
TAKE: Final[Requests] = [{"do": "take", "player": "red", "tube": "D2"}]
CLAIM: Final[Requests] = [{"do": "press", "button": "red"}]

SOLVING: Final[dict[str, Requests]] = {
    "01-three-moves": [
        *(*move("D1", "D2"), *drop("D2"), *pause(6.0), *move("G4", "F4"), *drop("F4")),
        *(*pause(6.0), *move("A4", "B4"), *drop("B4")),
    ],
    "02-ring-of-the-move": [*move("D1", "D2"), *drop("D2")],
    "03-full-tube": move("D1", "D2"),
    "04-claim": [*CLAIM, *drop("F2")],
    "05-ring-too-many": TAKE,
    "06-turn-over": move("D1", "D2"),
    "07-first-three-turns": move("G4", "F4"),
    "08-put-right": move("D3", "D1", turned=False),
    "09-keep-it-alive": [*pause(4.0), *move("D3", "C3")],
    "10-timer": [*pause(16.0), *TIMER],
    "11-penalty-ring": [*move("G4", "F4"), *drop("F4"), *drop("D4")],
}

#: For each lesson what fails it, by its ways.
FAILING: Final[dict[str, list[Requests]]] = {
    "01-three-moves": [[*move("D1", "D2"), *pause(190.0)], [{"do": "press", "button": "red", "press": "long"}]],
    "02-ring-of-the-move": [drop("D2"), move("D1", "D2")],
    "03-full-tube": [move("D1", "C1"), move("G4", "F4")],
    "04-claim": [move("D2", "D3"), drop("F2")],
    "05-ring-too-many": [drop("D3")],
    "06-turn-over": [move("D1", "D2", turned=False), move("D1", "D3")],
    "07-first-three-turns": [move("D2", "D3")],
    "08-put-right": [move("D3", "D4")],
    "09-keep-it-alive": [[]],
    "10-timer": [TIMER, []],
    "11-penalty-ring": [drop("D4"), [*move("G4", "F4"), *drop("F4")]],
}

#: The rulings by which the lessons end so: of the solution, then of each way of failing.
RULED: Final[dict[str, list[tuple[str, str]]]] = {
    "01-three-moves": [("ring", "R4.1"), ("glass_lost", "R6.2"), ("game_over", "R5.5")],
    "02-ring-of-the-move": [("ring", "R4.1"), ("violation", "R4.7"), ("move", "R2.1")],
    "03-full-tube": [("move", "R2.1"), ("game_over", "R3.2"), ("move", "R2.1")],
    "04-claim": [("ring", "R4.3"), ("move_started", "R2.1"), ("ring", "R4.1")],
    "05-ring-too-many": [("restored", "R4.7"), ("violation", "R4.7")],
    "06-turn-over": [("move", "R2.1"), ("violation", "R2.2"), ("violation", "R2.1")],
    "07-first-three-turns": [("move", "R2.1"), ("violation", "R2.4")],
    "08-put-right": [("restored", "R2.6"), ("violation", "R2.1")],
    "09-keep-it-alive": [("move", "R2.1"), ("glass_lost", "R6.2")],
    "10-timer": [("timer_started", "R7.2"), ("violation", "R7.2"), ("move", "R2.1")],
    "11-penalty-ring": [("ring", "R7.6"), ("violation", "R4.7"), ("move", "R2.1")],
}
