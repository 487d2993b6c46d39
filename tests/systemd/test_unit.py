"""The service's unit: right in systemd's own eyes, hardened, and at one with the program."""

import re
import signal
from pathlib import Path

import pytest

from tamsk_hw.configuration.reading import SYSTEM_FILE
from tamsk_hw.configuration.settings import SYSTEM_STATE
from tests.systemd.tools import FILES, printed, tool
from tests.systemd.unit_file import Section, read_unit

UNIT = FILES / "tamsk-hw.service"
PAGE = FILES / "tamsk-hw-web.service"
HALL = FILES / "tamsk-hw@.service"


@pytest.fixture(scope="module")
def service() -> Section:
    return read_unit(UNIT)["Service"]


def as_started(unit: Path, folder: Path) -> Path:
    """A copy of a unit that names a program which exists; of a template the instance for a board's bridge."""
    program, copy = folder / "tamsk-hw", folder / unit.name.replace("@.", "@mqtt.")
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    copy.write_text(unit.read_text().replace("/opt/tamsk-hw/venv/bin/tamsk-hw", str(program)))
    return copy


@pytest.mark.parametrize("unit", [UNIT, PAGE, HALL], ids=lambda unit: unit.stem)
def test_systemd_finds_nothing_to_say(unit: Path, tmp_path: Path) -> None:
    """Of what it does not know it speaks with status 0: only silence is good."""
    analyze = tool("systemd-analyze")
    assert printed(analyze, "verify", "--man=no", as_started(unit, tmp_path)) == (0, "")


@pytest.mark.parametrize(
    ("unit", "most"), [(UNIT, 3.0), (PAGE, 2.0), (HALL, 2.0)], ids=["referee", "page", "hall"]
)
def test_exposure_is_bounded(unit: Path, most: float, tmp_path: Path) -> None:
    analyze = tool("systemd-analyze")
    if "--offline" not in printed(analyze, "--help")[1]:
        pytest.skip("systemd-analyze is older than version 250: no security --offline")
    status, said = printed(analyze, "security", "--offline=true", "--no-pager", as_started(unit, tmp_path))
    exposure = re.search(r"Overall exposure level for [\w@.-]+: (\d+\.\d)", said)
    assert status == 0, said
    assert exposure is not None, said
    assert float(exposure[1]) <= most, said


def test_it_is_started_again_after_a_failure_but_not_after_a_refusal(service: Section) -> None:
    assert service["Restart"] == ["on-failure"]
    assert service["RestartPreventExitStatus"] == ["2"]
    limits = read_unit(UNIT)["Unit"]
    assert limits.keys() >= {"StartLimitIntervalSec", "StartLimitBurst"}, "these belong to [Unit]"


def test_ending_by_a_signal_is_no_failure(service: Section) -> None:
    """The program exits with 128 and the signal's number."""
    ends = {str(128 + each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    assert set(service["SuccessExitStatus"][0].split()) == ends


def test_its_folders_are_those_where_the_program_looks(service: Section) -> None:
    assert Path("/var/lib", *service["StateDirectory"]) == SYSTEM_STATE
    assert Path("/etc", *service["ConfigurationDirectory"]) == SYSTEM_FILE.parent


def test_the_hardware_is_not_hidden(service: Section) -> None:
    """Devices by their fixed majors (Linux, devices.txt): 188 ttyUSB, 166 ttyACM, 153 spidev."""
    assert not {"PrivateDevices", "PrivateNetwork", "ProcSubset"} & service.keys()
    assert service["DevicePolicy"] == ["closed"]
    allowed = dict(each.split() for each in service["DeviceAllow"])
    assert allowed.keys() == {"char-188", "char-166", "char-153", "char-gpiochip", "char-*gpiomem"}
    assert set(allowed.values()) == {"rw"}


def test_the_page_has_no_device_and_a_user_of_its_own_who_may_read_the_stream() -> None:
    page = read_unit(PAGE)["Service"]
    assert page["ExecStart"][0].split()[1:] == ["web"]
    assert (page["PrivateDevices"], page["DevicePolicy"]) == (["yes"], ["closed"])
    assert not {"DeviceAllow", "StateDirectory", "RuntimeDirectory"} & page.keys()
    [user] = page["User"]
    assert user != read_unit(UNIT)["Service"]["User"][0]
    users = (FILES / "tamsk-hw.sysusers.conf").read_text()
    assert re.search(rf"^u {user} ", users, re.MULTILINE)
    assert f"\nm {user} tamsk-hw\n" in users
    memberships = [line for line in users.splitlines() if line.startswith(f"m {user} ")]
    assert len(memberships) == 1, "not dialout, gpio or spi"
