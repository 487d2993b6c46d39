"""The pin factory: named, refused in one line where it cannot work, and lgpio kept from changing the folder."""

import os
from pathlib import Path

import pytest

from tamsk_hw.panel.hardware import Computer, DriverError, PinFactory, open_pin_factory, this_computer
from tamsk_hw.words.hardware import driver_words
from tests.panel.pi import PI_4, PI_5

NO_PI = Computer()


def refusal(name: PinFactory, computer: Computer) -> str:
    """The line with which a factory is refused."""
    with pytest.raises(DriverError) as refused:
        open_pin_factory(name, computer)
    return driver_words(refused.value.trouble)


@pytest.mark.parametrize(
    ("name", "computer", "said"),
    [
        (PinFactory.LGPIO, NO_PI, 'this computer is no Raspberry Pi: choose the pin factory "mock"'),
        (PinFactory.LGPIO, PI_4, "lgpio is not installed: pip install 'tamsk-hw[pi]'"),
        (PinFactory.RPIGPIO, PI_4, "RPi is not installed: pip install 'tamsk-hw[pi]'"),
        (
            PinFactory.RPIGPIO,
            PI_5,
            "RPi.GPIO cannot drive a Raspberry Pi 5 Model B Rev 1.0: choose the pin factory",
        ),
    ],
)
def test_what_cannot_be_had_is_refused_in_one_line(
    without_drivers: None, name: PinFactory, computer: Computer, said: str
) -> None:
    line = refusal(name, computer)
    assert line.startswith(said)
    assert "\n" not in line


def test_rpi_gpio_that_finds_no_pi_or_is_rpi_lgpio_is_refused_and_lgpio_works(
    drivers: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It raises no `ImportError` where it finds no Pi; rpi-lgpio installs another module under its name."""
    with monkeypatch.context() as away:
        away.setenv("TAMSK_NO_PI", "1")
        said = refusal(PinFactory.RPIGPIO, PI_4)
    assert said == 'RPi.GPIO finds no Raspberry Pi here: choose the pin factory "mock"'
    installed = tmp_path / "rpi_lgpio-0.6.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: rpi-lgpio\nVersion: 0.6\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    said = refusal(PinFactory.RPIGPIO, PI_4)
    assert said.startswith("rpi-lgpio stands in the place of RPi.GPIO: choose the pin factory")
    for computer in (PI_4, PI_5):
        open_pin_factory(PinFactory.LGPIO, computer).close()


def test_which_computer_this_is(tmp_path: Path) -> None:
    assert this_computer(tmp_path / "none") == Computer()
    for model, compatible, computer in (
        ("Raspberry Pi Zero 2 W Rev 1.0", b"raspberrypi,model-zero-2-w\0brcm,bcm2837\0", {"is_pi": True}),
        (
            "Raspberry Pi Compute Module 5 Rev 1.0",
            b"raspberrypi,5-compute-module\0brcm,bcm2712\0",
            {"is_pi": True, "is_pi_5": True},
        ),
        ("Some other board", b"other,board\0", {}),
    ):
        (tmp_path / "model").write_bytes(model.encode() + b"\0")
        (tmp_path / "compatible").write_bytes(compatible)
        assert this_computer(tmp_path) == Computer(model, **computer)


# lgpio, its pipe and its folder.


@pytest.mark.parametrize("named", [False, True])
def test_lgpio_leaves_the_folder_the_environment_and_no_trace_but_where_it_is_named(
    drivers: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, named: bool
) -> None:
    here, other = tmp_path / "here", tmp_path / "other"
    here.mkdir()
    other.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(other))
    if named:
        monkeypatch.setenv("LG_WD", str(other))
    open_pin_factory(PinFactory.LGPIO, PI_4).close()
    assert Path.cwd() == here
    assert os.environ.get("LG_WD") == (str(other) if named else None)
    assert list(here.iterdir()) == []
    assert [path.name for path in other.iterdir()] == [".lgd-nfy0"] * named


def test_a_folder_that_lgpio_cannot_use_is_named(
    drivers: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LG_WD", str(tmp_path / "none"))
    assert refusal(PinFactory.LGPIO, PI_4) == (
        f"lgpio cannot write to the folder {tmp_path}/none: set LG_WD to another, or to none"
    )
