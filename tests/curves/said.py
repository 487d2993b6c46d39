"""The words that say that something is wrong with line, light or sensors.

The one place that knows them: a new notice or fault is added here.
"""

from enum import Enum, auto

from tamsk_hw.referee.events import Fault, SensorKind
from tamsk_hw.referee.rulings import Caution, Ruling, Setup, Warned
from tests.curves.played import Told


class About(Enum):
    """The subject of a disturbance, and so of the words that help against it."""

    LINE = auto()
    FIELDS = auto()
    LIGHT = auto()
    HOLDERS = auto()
    HOST = auto()


#: Codes of the notices (`tamsk_hw.facts.notices`) that say it.
NOTICES: dict[About, set[str]] = {
    About.LINE: {"board_lost", "line_bad"},
    About.HOST: {"board_lost", "line_bad", "host_slow"},
    About.FIELDS: {"rest_drifted", "glasses_weak"},
    About.LIGHT: set(),
    About.HOLDERS: set(),
}

#: Kinds of the sensors whose fault says it.
SENSORS: dict[About, set[SensorKind]] = {
    About.LINE: set(),
    About.HOST: set(),
    About.FIELDS: {SensorKind.GLASS, SensorKind.TIMER, SensorKind.MUX, SensorKind.SELECT_LINES, SensorKind.SUPPLY},
    About.LIGHT: {SensorKind.RING_LIGHT, SensorKind.RING, SensorKind.RING_CONVERTERS},
    About.HOLDERS: {SensorKind.HOLDER},
}


def said_at(told: Told, about: About) -> float | None:
    """The time at which it was first said (seconds); None: never."""
    times = [at for at, notice in told.notices if notice.code in NOTICES[about]]
    for at, event in told.events:
        if isinstance(event, Fault) and not event.cleared and event.sensor.kind in SENSORS[about]:
            times.append(at)
    times += [at for at, ruling in told.rulings if _says(ruling, about)]
    return min(times, default=None)


def _says(ruling: Ruling, about: About) -> bool:
    """A ruling that says it, too."""
    match ruling:
        case Warned(code=Caution.LINK_LOST):
            return about in (About.LINE, About.HOST)
        case Setup(problems=problems):
            # start was pressed, and the tubes are named whose glasses do not seem to stand
            return about is About.FIELDS and bool(problems)
        case _:
            return False
