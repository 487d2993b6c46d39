"""The curves: for each disturbance the strengths at which games are played, and the goal."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tests.curves.played import PlayedGame, play
from tests.curves.said import About
from tests.disturbances.board import DisturbedBoard
from tests.disturbances.light import Light, cloud, mains, patch, pwm, steady, switched, television
from tests.disturbances.line import DelayedFrames, DoubledFrames, FlippedBits, LostFrames
from tests.disturbances.sensors import FieldNoise, HolderNoise, RestDrift, set_magnets, unequal_magnets
from tests.disturbances.stalls import Stalls

#: Seeds whose undisturbed games leave no doubt: nobody acts in the very moment that decides.
SEEDS = (1, 2, 3, 4, 5, 7, 8, 9, 10, 11)

#: Seconds of a game that are played.
LIMIT = 100.0


@dataclass(frozen=True)
class Curve:
    """A disturbance, put into a board by ``disturb`` with a strength and a seed; strengths rise.

    ``goal``: the strength up to which nothing may be wrong; None: none is set. ``unit`` has a place for it.
    ``calibrated``: the ring sensors have thresholds of their own. ``rest``: after so many seconds nobody does
    anything for so many. ``limit``: seconds of the game, without rest.
    ``weight``: how long its games take to compute, the others' being 1.
    """

    name: str
    title: str
    about: About
    disturb: Callable[[DisturbedBoard, float, int], Stalls | None]
    strengths: tuple[float, ...]
    unit: str
    goal: float | None = None
    holders: bool = False
    calibrated: bool = False
    rest: tuple[float, float] | None = None
    from_setup: bool = False
    limit: float = LIMIT
    weight: int = 1

    def play(self, strength: float, seed: int, limit: float | None = None) -> PlayedGame:
        """A game at that strength; games without sand and with it take turns."""
        return play(
            seed,
            lambda board: self.disturb(board, strength, seed),
            level=1 if self.rest or self.holders else (3, 1)[seed % 2],
            holders=self.holders,
            calibrated=self.calibrated,
            limit=(limit or self.limit) + (self.rest[1] if self.rest else 0.0),
            rest=self.rest,
            from_setup=self.from_setup,
        )


def _loses(board: DisturbedBoard, percent: float, seed: int) -> None:
    board.disturb_line(LostFrames(percent / 100, seed))


def _flips(board: DisturbedBoard, percent: float, seed: int) -> None:
    board.disturb_line(FlippedBits(percent / 100, seed))


def _doubles(board: DisturbedBoard, percent: float, seed: int) -> None:
    board.disturb_line(DoubledFrames(percent / 100, seed))


def _delays(board: DisturbedBoard, milliseconds: float, seed: int) -> None:
    board.disturb_line(DelayedFrames(milliseconds / 1000, seed))


def _stalls(board: DisturbedBoard, seconds: float, seed: int) -> Stalls:
    return Stalls(seconds, seed)


def _scatters(board: DisturbedBoard, steps: float, seed: int) -> None:
    board.sensors.disturb(scatter=FieldNoise(steps, seed))


def _drifts(board: DisturbedBoard, steps: float, seed: int) -> None:
    board.sensors.disturb(drift=RestDrift(steps, seed, start=board.now))


def _magnets(board: DisturbedBoard, percent: float, seed: int) -> None:
    set_magnets(board.world, unequal_magnets(percent / 100, seed))


def _weighs(board: DisturbedBoard, percent: float, seed: int) -> None:
    board.sensors.disturb(weighing=HolderNoise(percent / 100, seed))


#: Frequencies of PWM lamps, by the game's seed: exact multiples of those of bank and scan, and beside them.
HERTZ = (100.0, 400.0, 800.0, 2000.0, 400.1, 20_000.0, 1200.0, 1003.0, 405.0, 200.1, 1600.5, 4000.0)


def _light(
    name: str,
    title: str,
    light: Callable[[float, int], Light],
    strengths: tuple[float, ...],
    goal: float | None = None,
    *,
    calibrated: bool = False,
) -> Curve:
    """A curve of a light, made of its microamperes and the seed."""

    def disturb(board: DisturbedBoard, microamperes: float, seed: int) -> None:
        board.sensors.disturb(light=[light(microamperes, seed)])

    return Curve(
        name, title, About.LIGHT, disturb, strengths, "{:g} µA", goal, calibrated=calibrated, limit=40.0, weight=8
    )


def _phase(seed: int) -> float:
    return Random(f"{seed}/phase").random()


def _dimmed(peak: float, seed: int) -> Light:
    return pwm(peak, HERTZ[seed % len(HERTZ)], 0.3, _phase(seed))


LIGHTS = (
    _light("daylight", "steady light", lambda much, seed: steady(much), (500, 1000, 2000, 4000, 8000), 1000),
    _light(
        "mains",
        "100 Hz, fully modulated",
        lambda mean, seed: mains(mean, 100.0, phase=_phase(seed)),
        (250, 500, 1000, 2000, 4000),
        500,
    ),
    _light(
        "ripple",
        "100 Hz, modulated by 15 %",
        lambda mean, seed: mains(mean, 100.0, 0.15, _phase(seed)),
        (500, 1000, 2000, 4000, 8000),
        1000,
    ),
    _light("dimmed", "PWM, common thresholds", _dimmed, (10, 30, 100, 300), 30),
    _light("dimmed-own", "PWM, own thresholds", _dimmed, (30, 100, 300, 1000), 30, calibrated=True),
    _light("sun", "patch of sun that moves", lambda much, seed: patch(much, 50.0), (1000, 5000, 8000), 5000),
    _light(
        "switched",
        "100 Hz lamp switched on and off",
        lambda mean, seed: switched(mains(mean, 100.0, phase=_phase(seed)), 0.7),
        (250, 500, 1000, 2000),
        500,
    ),
    _light(
        "cloud", "light that rises within 20 ms", lambda much, seed: cloud(0.0, much), (1000, 2000, 5000), 1000
    ),
    _light(
        "shadow",
        "a hand's shadow in daylight",
        lambda much, seed: patch(0.05 * much, much, 1.0, 3.0),
        (500, 1000, 2000, 4000),
        1000,
    ),
    _light(
        "television", "a television of 240 Hz", lambda peak, seed: television(peak, seed), (10, 30, 100, 300), 30
    ),
)

CURVES = (
    Curve("loss", "frames lost at random", About.LINE, _loses, (5, 10, 20, 30, 50, 90), "{:g} %", goal=20),
    Curve("flips", "frames with a flipped bit", About.LINE, _flips, (5, 10, 20, 30, 50, 90), "{:g} %"),
    Curve("doubled", "frames that come twice", About.LINE, _doubles, (5, 20, 50, 100), "{:g} %", goal=100),
    Curve("delay", "mean delay", About.LINE, _delays, (10, 20, 40, 60, 100, 400), "{:g} ms", goal=60),
    Curve(
        "noise",
        "noise of the fields",
        About.FIELDS,
        _scatters,
        (1, 2, 3, 4, 6, 9),
        "{:g} steps",
        goal=3,
        limit=30.0,
        weight=8,
    ),
    Curve(
        "drift",
        "drift of rest within an hour",
        About.FIELDS,
        _drifts,
        (4, 8, 12, 18, 30),
        "{:g} steps",
        goal=12,
        rest=(60.0, 3600.0),
        weight=6,
    ),
    Curve(
        "magnets",
        "strength of magnets",
        About.FIELDS,
        _magnets,
        (5, 10, 20, 25, 35, 50),
        "± {:g} %",
        goal=25,
        from_setup=True,
    ),
    *LIGHTS,
    Curve(
        "holders",
        "noise of the holders",
        About.HOLDERS,
        _weighs,
        (2, 5, 10, 15, 30, 100),
        "{:g} % of a ring",
        holders=True,
        weight=3,
    ),
    Curve("stalls", "host stands still every 5 s", About.HOST, _stalls, (0.1, 0.2, 0.5, 1, 2, 5), "{:g} s"),
)
BY_NAME = {curve.name: curve for curve in CURVES}
