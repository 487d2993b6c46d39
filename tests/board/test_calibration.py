"""The calibration as a value: nominal figures, plain dicts and back, refusals by name."""

from typing import Any

import pytest

from tamsk_hw.board.calibration import Calibration, FieldCalibration, HolderCalibration
from tamsk_hw.errors import ConfigError
from tamsk_hw.game.tubes import Tube


def test_the_nominal_board_is_that_of_the_reference_build() -> None:
    nominal = Calibration()
    assert len(nominal.fields) == 38
    # 52 mT at 5 mm (8 × 2 N35), 25 mV/mT (DRV5055A3), 19.5 mV a step.
    assert nominal.fields[Tube.D4].end_a == pytest.approx(52 * 25 / 19.5, abs=1)
    assert nominal.fields[37].rest == 128
    # 10.7 µV a ring; the HX711 at gain 128 spans ±0.5 × 4.3 V / 128 over 24 bits.
    counts = 10.7e-6 / (4.3 / 128) * 2**24
    assert nominal.holders[0].per_ring == pytest.approx(counts, rel=0.01)
    assert nominal.sand.glass == (180.0, 180.0)
    assert nominal.sand.timer == (15.0, 15.0)


def test_what_is_missing_is_nominal() -> None:
    assert Calibration.from_dict({}) == Calibration()
    calibration = Calibration.from_dict(
        {
            "fields": {"A1": {"rest": 130}, "timer": {"end_b": 50}},
            "holders": {"black": {"per_ring": 4000, "margin": 800}},
            "sand": {"glass": [175, 175], "glasses": {"G4": [170, 172]}},
        }
    )
    assert calibration.fields[Tube.A1] == FieldCalibration(rest=130)
    assert calibration.fields[37] == FieldCalibration(end_b=50)
    assert calibration.fields[Tube.A2] == FieldCalibration()
    assert calibration.holders[1] == HolderCalibration(per_ring=4000, margin=800)
    assert calibration.sand.glass == (175, 175)
    assert calibration.sand.glasses == ((Tube.G4, (170, 172)),)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"felds": {}}, 'unknown key "felds"'),
        ({"fields": {"H1": {}}}, r"fields\.H1 is"),
        ({"fields": {"D4": {"rest": True}}}, r"fields\.D4\.rest is true; allowed: a number"),
        ({"fields": {"D4": {"rest": 10**400}}}, r"fields\.D4\.rest is 1000"),
        ({"fields": {"D4": {"rest": 60}}}, r"fields\.D4\.rest: 60; allowed are 90 to 166"),
        ({"fields": {"D4": {"rest": float("nan")}}}, r"fields\.D4\.rest is NaN"),
        ({"fields": {"D4": {"end_a": 19}}}, r"fields\.D4\.end_a: 19; allowed are 20 steps or more"),
        ({"fields": {"D4": {"end_a": 113}}}, r"fields\.D4\.end_a: 113; allowed are 112 steps or less"),
        ({"fields": {"timer": {"end_b": 114}}}, r"fields\.timer\.end_b: 114; allowed are 113 steps or less"),
        ({"fields": {"D4": {"noise": 0}}}, r"fields\.D4\.noise: 0"),
        ({"fields": {"D4": {"noise": 11}}}, r"fields\.D4\.noise: 11; allowed are .* at most 10.05"),
        ({"fields": []}, r"fields is \[\]; allowed: an object"),
        ({"holders": {"red": {"per_ring": 0}}}, r"holders\.red\.per_ring: 0; allowed are 100"),
        ({"holders": {"red": {"zero": 2**23}}}, r"holders\.red\.zero: 8\.38861e\+06"),
        ({"holders": {"red": {"margin": -1}}}, r"holders\.red\.margin: -1"),
        ({"sand": {"glass": [180]}}, r"sand\.glass is \[180\]; allowed: a list of 2"),
        ({"sand": {"glass": [180, 0]}}, r"sand\.glass: 0; allowed are 1 to 3600 seconds"),
        ({"sand": {"glasses": {"D4": [180, 180]}}}, r"sand\.glasses\.D4 is .*D1"),
        ({"sand": {"tolerance": 1}}, r"sand\.tolerance: 1; allowed are 0 to less than 1"),
    ],
)
def test_what_cannot_be_is_refused_by_name(data: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words) as refusal:
        Calibration.from_dict(data)
    assert "\n" not in str(refusal.value)


def test_a_calibration_of_too_few_fields_is_refused() -> None:
    with pytest.raises(ConfigError, match="37 fields; allowed is 38"):
        Calibration(fields=(FieldCalibration(),) * 37)
