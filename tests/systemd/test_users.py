"""The service's user: systemd-sysusers makes it, below a folder that stands for the computer."""

from pathlib import Path

import pytest

from tests.systemd.tools import FILES, printed, tool

USERS = FILES / "tamsk-hw.sysusers.conf"
PI = "dialout:x:20:\ngpio:x:997:\nspi:x:999:\n"
ELSEWHERE = "dialout:x:20:\n"


@pytest.fixture(params=[PI, ELSEWHERE], ids=["on a Pi", "elsewhere"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A computer's users and groups before; twice over, since installing can be repeated."""
    sysusers = tool("systemd-sysusers")
    etc = tmp_path / "etc"
    etc.mkdir()
    (etc / "passwd").write_text("root:x:0:0:root:/root:/bin/sh\n")
    (etc / "group").write_text(f"root:x:0:\n{request.param}")
    for _ in range(2):
        status, said = printed(sysusers, f"--root={tmp_path}", USERS)
        assert status == 0, said
        for file in etc.iterdir():
            file.chmod(0o600)  # gshadow has mode 0, which stops all but root
    return tmp_path


def lines(file: Path) -> dict[str, list[str]]:
    """The lines of a file such as /etc/group, by their names."""
    return {fields[0]: fields for fields in (line.split(":") for line in file.read_text().splitlines())}


def test_the_users_are_in_their_groups(root: Path) -> None:
    groups = lines(root / "etc/group")
    assert [groups[name][3] for name in ("dialout", "gpio", "spi")] == ["tamsk-hw"] * 3
    # The page may speak to the service and touch no device.
    assert [name for name, fields in groups.items() if "tamsk-hw-web" in fields[3].split(",")] == ["tamsk-hw"]
    assert groups["dialout"][2] == "20", "groups that are there keep their numbers"


def test_nobody_logs_in_as_this_user(root: Path) -> None:
    user = lines(root / "etc/passwd")["tamsk-hw"]
    assert user[5] == "/var/lib/tamsk-hw"
    assert user[6].endswith("/nologin")
    assert 0 < int(user[2]) < 1000, "a system user"
