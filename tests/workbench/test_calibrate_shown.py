"""Display of a walk: lights within their current, a picture of 80 by 23, a report that names what is bad."""

from dataclasses import replace
from itertools import combinations, count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_hw.board.calibration import FIELD_NAMES, KnownCalibration
from tamsk_hw.board.protocol import FIELDS, Snapshot
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.configuration import Configuration
from tamsk_hw.configuration.settings import LightSettings
from tamsk_hw.errors import Severity
from tamsk_hw.game.tubes import PLAYERS, TUBES, End, Tube
from tamsk_hw.panel.lights import milliamps
from tamsk_hw.workbench.board import BoardState
from tamsk_hw.workbench.calibrate import SensorWalk
from tamsk_hw.workbench.findings import OK, PROBLEM, WARNING
from tamsk_hw.workbench.measurements import (
    Agreement,
    FieldFound,
    HolderFound,
    LevelFound,
    Measurements,
    Sample,
    Verdicts,
    judge,
    report_lines,
    unmeasured,
)
from tamsk_hw.workbench.walk import Mark, Prompt, prompt_lights
from tests.workbench.boards import setup_of, snapshot
from tests.workbench.walker import why

WIRING = load_wiring()

UNKNOWN = KnownCalibration()

#: The marks of a calibration.
ASKED = list(Mark)[4:]


def lit(showing: Prompt, t: float = 0.0, cap: int = 1200) -> bytes:
    return prompt_lights(showing, t, setup_of(configuration=Configuration(lights=LightSettings(milliamps=cap))))


def asking(lit: dict[int, Mark], *, awaits_start: bool = False) -> Prompt:
    return Prompt(
        title="",
        words="",
        marks={FIELD_NAMES[index]: (mark,) for index, mark in lit.items()},
        awaits_start=awaits_start,
    )


def pixel(picture: bytes, place: int) -> tuple[int, ...]:
    return tuple(picture[3 * place : 3 * place + 3])


# ---- lights


@pytest.mark.parametrize("each", Mark)
def test_the_current_is_kept_whatever_is_lit(each: Mark) -> None:
    everything = asking(dict.fromkeys(range(FIELDS), each), awaits_start=True)
    assert all(milliamps(lit(everything, step / 20, 60)) <= 60 for step in range(40))


def test_no_two_lights_look_alike_over_two_seconds() -> None:
    def course(each: Mark) -> tuple[tuple[int, ...], ...]:
        showing = asking({Tube.D4: each})
        return tuple(pixel(lit(showing, step / 20), WIRING.tube_pixels[Tube.D4]) for step in range(40))

    courses = {each: course(each) for each in ASKED}
    assert all(courses[one] != courses[other] for one, other in combinations(ASKED, 2))
    assert all(any(map(any, course)) for course in courses.values()), "none is dark for good"


def test_start_is_asked_for_at_the_players_lights() -> None:
    places = [place for player in PLAYERS for place in WIRING.player_pixels[player]]
    asked, quiet = lit(asking({}, awaits_start=True)), lit(asking({}))
    assert all(any(pixel(asked, place)) for place in places)
    assert not any(quiet)


# ---- the picture


def drawn(showing: Prompt, shown: Snapshot | None, port: str = "p", note: str = "", typed: str = "") -> list[str]:
    """The rows of the picture of a walk that shows this."""
    walk = SensorWalk(unmeasured(), setup_of(port=port), BoardState(snapshot=shown))
    walk.prompt = lambda t: showing  # type: ignore[method-assign]
    return walk.picture(0.0, [(note, None)], typed).plain.split("\n")


LONG = " ".join(["Nothing is felt in D4 whatever one does about it."] * 12)


@pytest.mark.parametrize("trouble", ["", LONG])
@pytest.mark.parametrize("shown", [None, snapshot(dict.fromkeys(range(FIELDS), 255))])
def test_it_fits_eighty_by_twenty_four(trouble: str, shown: Snapshot | None) -> None:
    showing = Prompt(
        words="Take glasses, the timer and rings off the board and empty both ring holders, then press start",
        trouble=trouble,
        marks={name: (list(Mark)[index % len(Mark)],) for index, name in enumerate(FIELD_NAMES)},
        title="38 of 38",
    )
    rows = drawn(showing, shown, "/dev/serial/by-id/" + "x" * 90, "y" * 200, "z" * 200)
    assert len(rows) == 23
    assert {len(row) for row in rows} == {80}


def test_the_tube_is_found_without_colour() -> None:
    showing = asking({Tube.C4: Mark.HERE, Tube.C5: Mark.NEXT})
    rows = drawn(showing, snapshot({Tube.C4: 190}))
    row, column = 3 + int((6 - Tube.C4.height) * 2), 2 + 7 * Tube.C4.column
    assert rows[row][column : column + 6] == "190 ▼ "
    assert rows[row + 1][column : column + 2] == "C4"
    assert "set it here" in "\n".join(rows)
    assert len({each.sign[0] for each in ASKED}) == len(ASKED)


# ---- samples: a run of readings that hold still counts, a single one never

RULE = Agreement(readings=10, seconds=0.4, margin=4.0, drift=1.0)

EVERY = 0.05


def fed(readings: list[float], rule: Agreement = RULE, every: float = EVERY) -> Agreement:
    agreement = replace(rule)
    for place, reading in enumerate(readings):
        agreement.feed(reading, place * every)
    return agreement


def test_what_creeps_within_the_margin_does_not_count() -> None:
    creeping = [100.0 + 0.4 * step for step in range(10)]
    assert max(creeping) - min(creeping) < RULE.margin
    assert fed(creeping).sample is None
    settled = fed([*creeping, *[103.6] * 10]).sample
    assert settled is not None
    assert settled.mean == pytest.approx(103.6, abs=RULE.drift)


def test_the_head_of_a_run_is_left_out() -> None:
    rule = replace(RULE, head=0.4)
    assert fed([97.0] * 4 + [100.0] * 6, rule).sample == Sample(100.0, 100.0, 100.0, 6)


@given(st.lists(st.integers(0, 255), max_size=200))
def test_a_sample_is_always_a_run_that_agrees(readings: list[int]) -> None:
    agreement, place = replace(RULE), count()
    for reading in readings:
        at = next(place)
        if agreement.feed(reading, at * EVERY):
            sample = agreement.sample
            assert sample is not None
            run = readings[at + 1 - sample.readings : at + 1]
            assert sample.readings >= RULE.readings
            assert max(run) - min(run) <= RULE.margin
            assert sample.mean == pytest.approx(sum(run) / len(run))
            return
    for start in range(len(readings) - 9):
        # Else there is no run of ten equal readings, which would have agreed whatever came before.
        assert len(set(readings[start : start + 10])) > 1


# ---- the report


def sample(mean: float, stray: float = 1.0) -> Sample:
    return Sample(mean, mean - stray, mean + stray, 20)


def found(rest: float = 128.0, a: float = 67.0, b: float = 67.0, stray: float = 1.0) -> FieldFound:
    return FieldFound(
        rest=sample(rest, stray), ends={End.A: sample(rest + a, stray), End.B: sample(rest - b, stray)}
    )


def judged(**fields: FieldFound) -> Verdicts:
    measurements = Measurements(fields={int(Tube[name]): each for name, each in fields.items()})
    return judge(measurements, UNKNOWN)


@pytest.mark.parametrize(
    ("field", "judgement", "words"),
    [
        (found(), OK, None),
        (found(rest=170.0), PROBLEM, "rest: 170"),
        (found(a=19.0), PROBLEM, "the magnet in the cap is too weak"),
        (found(a=24.0, b=26.0), WARNING, "24 steps only: the sensor lies too deep"),
        (found(a=60.0, b=85.0), WARNING, "end A moves it by 60 steps, end B by 85"),
        (FieldFound(rest=sample(128.0)), None, None),
    ],
)
def test_a_field_is_judged(field: FieldFound, judgement: Severity | None, words: str | None) -> None:
    verdict = judged(D4=field).fields[Tube.D4]
    assert verdict.severity is judgement
    assert (words is None and why(verdict) == "") or str(words) in why(verdict)
    assert (verdict.values is not None) is (judgement in (OK, WARNING))
    assert verdict.values is None or verdict.values.problem() is None


@pytest.mark.parametrize(
    ("bare", "ring", "judgement", "words"),
    [
        (1.0, 21.0, OK, ""),
        (1.0, 17.0, WARNING, "its ring gives 17 counts; 20 and more are usual"),
        (6.0, 21.0, WARNING, "no ring 6: near to the threshold between"),
        (9.0, 21.0, PROBLEM, "no ring 9: no threshold fits between"),
        (30.0, 20.0, PROBLEM, "no threshold fits between"),
        (2.0, None, None, ""),
    ],
)
def test_a_ring_sensor_is_judged(bare: float, ring: float | None, judgement: Severity | None, words: str) -> None:
    """Its threshold is half of its ring's counts, at least 5 from either signal, or little is to spare."""
    verdicts = judge(Measurements(levels={Tube.A1: [LevelFound(bare, ring)]}), UNKNOWN)
    (verdict,) = verdicts.levels[Tube.A1]
    assert verdict.severity is judgement
    assert words in why(verdict)
    assert verdict.values == {OK: ring, WARNING: ring, PROBLEM: 0, None: None}[judgement]


def test_nothing_that_is_saved_would_be_refused() -> None:
    """Whatever was read, the merged calibration can be built: no crash at the end of the walk."""
    for rest in range(0, 256, 15):
        for deflection in range(0, 256, 15):
            for stray in (0.0, 3.0, 40.0):
                verdicts = judged(D4=found(rest, deflection, 255 - deflection, stray))
                verdicts.merged(UNKNOWN)
    for empty in (-(2**23), 0, 2**23 - 1):
        for loaded in (-(2**23), -1, 0, 1, 100, 171_000, 2**23 - 1):
            for stray in (0.0, 5e3, 1e7):
                holder = HolderFound(sample(empty, stray), sample(loaded, stray))
                holders = Measurements(holders=dict.fromkeys(PLAYERS, holder))
                judge(holders, UNKNOWN).merged(UNKNOWN)


def test_the_report_fits_eighty_columns_and_has_a_line_for_each_tube() -> None:
    measurements = Measurements(
        fields={index: found(a=60.0 + index / 2) for index in range(FIELDS)},
        levels={tube: [LevelFound(3.0, 64.0) for _ in WIRING.ring_bits[tube]] for tube in TUBES},
        holders=dict.fromkeys(PLAYERS, HolderFound(sample(-120_000, 90), sample(51_000, 90))),
    )
    measurements.fields[Tube.D4] = FieldFound(
        rest=sample(0.0), trouble=("reads 0, an end of the scale", "look at it")
    )
    for tube, level in ((Tube.E3, 2), (Tube.A1, 0), (Tube.E4, 1)):
        trouble = "sees a ring where there is none" if tube is Tube.A1 else "does not see its ring"
        measurements.levels[tube][level].covered_trouble = (trouble, "look at it")
    verdicts = judge(measurements, UNKNOWN)
    lines = report_lines(verdicts)
    assert max(map(len, lines)) <= 80
    for tube in TUBES:
        (line,) = [each for each in lines if each.startswith(f"{tube} ")]
        assert ("BAD" in line) is (tube in (Tube.A1, Tube.D4, Tube.E3, Tube.E4))
    text = " ".join(" ".join(lines).split())
    assert "field of D4: reads 0, an end of the scale" in text
    assert "ring sensors E3.3 E4.2 (tube.level, 1 is the lowest): does not see its ring" in text
    assert "ring sensor of A1, level 1 (the lowest): sees a ring" in text
    assert "red's ring holder: empty -120000, 5344 counts a ring" in text


def test_what_was_not_measured_is_said() -> None:
    measurements = unmeasured(fields=(0, 1), holders=True)
    measurements.fields[0] = found()
    (words,) = [line for line in report_lines(judge(measurements, UNKNOWN)) if line.startswith("Not measured")]
    assert words == "Not measured: the fields of A2; the ring sensors; the ring holders."
