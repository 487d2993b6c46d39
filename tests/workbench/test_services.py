"""Configured places that systemd keeps from the service: the finding, and the drop-in that ends it."""

import os
import re
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_hw.commands.main import main
from tamsk_hw.configuration.reading import Places, parse_configuration
from tamsk_hw.workbench.services import PAGE, SERVICE, check_services
from tests.systemd.tools import FILES
from tests.systemd.unit_file import read_unit

SHOWN = ("ProtectSystem", "ProtectHome", "PrivateTmp", "StateDirectory", "RuntimeDirectory")


class Systemd:
    """A stand-in for systemctl, which shows our two units with the lines of drop-ins."""

    def __init__(self, folder: Path) -> None:
        self.program = folder / "systemctl"
        self.units: dict[str, dict[str, str]] = {}
        for name in (SERVICE, PAGE):
            service = read_unit(FILES / name)["Service"]
            self.units[name] = {key: service[key][0] for key in SHOWN if key in service}
        self._write()

    def drop_in(self, unit: str, *lines: str) -> None:
        for line in lines:
            key, value = line.split("=", 1)
            if key.startswith("Bind"):  # as systemctl shows them: both places, and no quotes
                place = value.strip('"').removeprefix("-")
                value = f"-{place}:{place}:rbind"
            before = self.units[unit].get(key) if key.endswith("Paths") else None
            self.units[unit][key] = f"{before} {value}" if before else value
        self._write()

    def _write(self) -> None:
        shown = "\n\n".join(
            "\n".join((f"Id={name}", "LoadState=loaded", *(f"{key}={value}" for key, value in unit.items())))
            for name, unit in self.units.items()
        )
        self.program.write_text(f"#!/bin/sh\ncat <<'END'\n{shown}\nEND\n", encoding="utf-8")
        self.program.chmod(0o755)

    def warnings(self, text: str) -> list[str]:
        configuration = parse_configuration(text, "c")
        return [str(each) for each in check_services(configuration, Places(), str(self.program))]


@pytest.fixture
def systemd(tmp_path: Path) -> Systemd:
    return Systemd(tmp_path)


def advised(warning: str) -> tuple[str, list[str]]:
    """The unit and the lines of the drop-in that a warning names."""
    found = re.search(r"sudo systemctl edit (\S+), enter the lines \[Service\] and (.*), then", warning)
    assert found is not None, warning
    return f"{found[1]}.service", found[2].split(" and ")


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        (
            'journal.folder = "{outside}"',
            ["journal.folder: tamsk-hw.service may not write in {outside} (ProtectSystem=strict): games are not"],
        ),
        (
            'journal.folder = "/home"',
            [
                "journal.folder: tamsk-hw.service does not see /home (ProtectHome=yes): games are not saved",
                "journal.folder: tamsk-hw-web.service does not see /home (ProtectHome=yes): it shows no games",
            ],
        ),
        (
            'journal.folder = "{folder}"',
            [
                "journal.folder: tamsk-hw.service does not see {folder} (PrivateTmp=yes): games are not saved",
                "journal.folder: tamsk-hw-web.service does not see {folder} (PrivateTmp=yes): it shows no games",
            ],
        ),
        (
            'board.wiring = "/root"',
            ["board.wiring: tamsk-hw.service does not see /root (ProtectHome=yes): it does"],
        ),
        (
            'board.calibration = "/root"',
            ["board.calibration: tamsk-hw.service does not see /root (ProtectHome=yes)"],
        ),
        ('gpio.hands = "/home"', ["gpio.hands: tamsk-hw.service does not see /home (ProtectHome=yes)"]),
    ],
    ids=["outside", "at home", "temporary", "map", "calibration", "hands"],
)
def test_a_place_that_is_kept_out_is_warned_of_until_the_drop_in_is_there(
    text: str, starts: list[str], systemd: Systemd
) -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="tamsk games ") as folder:
        places = {"outside": "/opt", "folder": folder}
        warnings = systemd.warnings(text.format(**places))
        assert len(warnings) == len(starts)
        for warning, start in zip(warnings, starts, strict=True):
            assert warning.startswith(start.format(**places))
            unit, lines = advised(warning)
            systemd.drop_in(unit, *lines)
        assert systemd.warnings(text.format(**places)) == []


def test_a_capture_of_the_service_is_a_place_too(systemd: Systemd) -> None:
    command = "{ path=/opt/tamsk-hw ; argv[]=/opt/tamsk-hw run --capture /opt/game.capture ; pid=0 }"
    systemd.drop_in(SERVICE, f"ExecStart={command}")
    [warning] = systemd.warnings("")
    assert warning.startswith("run --capture: tamsk-hw.service may not write in /opt (ProtectSystem=strict)")
    unit, lines = advised(warning)
    systemd.drop_in(unit, *lines)
    assert systemd.warnings("") == []


def test_what_the_unit_may_use_is_not_warned_of(systemd: Systemd) -> None:
    for text in ("", 'journal.folder = "/var/lib/tamsk-hw/games"', 'board.wiring = "/etc/tamsk-hw/own.toml"'):
        assert systemd.warnings(text) == []


def test_a_folder_is_made_first_as_a_missing_one_stays_shut(systemd: Systemd) -> None:
    [warning] = systemd.warnings('journal.folder = "/srv/no games"')
    assert "sudo install -d -o tamsk-hw -g tamsk-hw -m 750 '/srv/no games', sudo systemctl edit" in warning
    unit, lines = advised(warning)
    systemd.drop_in(unit, *lines)
    assert systemd.warnings('journal.folder = "/srv/no games"') == [warning]


def test_without_the_units_or_systemd_nothing_is_known(systemd: Systemd) -> None:
    for program in ("#!/bin/sh\nexit 1\n", "#!/bin/sh\necho Id=tamsk-hw.service\necho LoadState=not-found\n"):
        systemd.program.write_text(program)
        assert systemd.warnings('journal.folder = "/opt"') == []
    systemd.program.unlink()
    assert systemd.warnings('journal.folder = "/opt"') == []


def test_a_users_own_configuration_is_none_of_the_services(systemd: Systemd, tmp_path: Path) -> None:
    places = Places(user=tmp_path / "config.toml")
    configuration = parse_configuration('journal.folder = "/opt"', "c")
    own = replace(configuration, file=places.user)
    assert list(check_services(own, places, str(systemd.program))) == []


def test_config_check_warns(systemd: Systemd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "config.toml"
    file.write_text('journal.folder = "/opt"\n')
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    told = CliRunner().invoke(main, ["config", "check", "--config", str(file)]).stdout
    [line] = [each for each in told.splitlines() if "ReadWritePaths=-/opt" in each]
    assert line.lower().startswith("warning")


def test_that_systemd_does_not_answer_is_said(
    systemd: Systemd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "silence")
    systemd.program.write_text(f"#!/bin/sh\nread answer <'{tmp_path}/silence'\n", encoding="utf-8")
    monkeypatch.setattr("tamsk_hw.workbench.services.MOST", 0.1)
    [warning] = systemd.warnings('[journal]\nfolder = "/srv/games"\n')
    assert warning.startswith("systemd has not answered")
