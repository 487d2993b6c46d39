"""What of the virtual machine can be tested without one."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.machine.image import GUEST, PACKAGES, PROJECT, WANTED, Image, installed_files, key, mirror, missing
from tests.machine.outside import Bridge, listen_at, to_path, to_port
from tests.machine.table import seen_of, truth_of
from tests.machine.virtual import Ports, qemu_command


@pytest.mark.parametrize(
    "text",
    [
        "Types: deb\n# http://old.invalid/debian\nURIs: http://one.invalid/debian\nSuites: bookworm\n",
        "deb http://one.invalid/debian bookworm main\n",
        "deb [signed-by=/etc/apt/key.gpg arch=amd64] http://one.invalid/debian/ bookworm main\n",
    ],
)
def test_the_mirror_is_the_one_that_apt_uses(text: str) -> None:
    others = "deb https://two.invalid/sdk stable main\nURIs: http://two.invalid/debian-security\n"
    assert mirror([others, text]) == "http://one.invalid/debian"
    assert mirror([others]) is None


def test_a_key_changes_with_every_name_and_byte() -> None:
    keys = [key({"a": b"bc"}), key({"ab": b"c"}), key({"a": b"b", "c": b""}), key({"a": b"bd"}), key({})]
    assert len(set(keys)) == len(keys)
    assert key({"a": b"1", "b": b"2"}) == key({"b": b"2", "a": b"1"})


def test_one_line_says_what_is_missing() -> None:
    def lacking(*, tools: bool = True, root: bool = True, free: int = 100_000, made: bool = False) -> str | None:
        return missing(lambda tool: tools or tool == "git", root=root, free=free, made=made)

    assert lacking() is None
    assert lacking(root=False, free=0, made=True) is None
    for said, word in (
        (lacking(tools=False, made=True), "apt-get install qemu-system-x86"),
        (lacking(root=False), "root"),
        (lacking(free=1000), "1000 MB are free"),
    ):
        assert said is not None
        assert word in said
        assert "\n" not in said


def test_what_is_installed_goes_into_the_key() -> None:
    names = {str(path.relative_to(PROJECT)) for path in installed_files()}
    assert {"tamsk_hw/__init__.py", "systemd/tamsk-hw.service", "wiring/board.toml", "Makefile"} <= names
    assert not [name for name in names if name.startswith("tests/") or name.endswith(".pyc")]


def test_every_unit_that_is_wanted_is_there() -> None:
    for unit in WANTED:
        assert (GUEST / unit[1:]).is_file() or (PROJECT / "systemd" / Path(unit).name).is_file(), unit


def test_qemu_is_given_the_ports_and_the_disk() -> None:
    ports = Ports(page=1001, live=1002, hands=1003)
    image = Image(Path("/i/disk.img"), Path("/i/vmlinuz"), Path("/i/initrd.img"))
    command = " ".join(qemu_command(image, Path("/f/disk.qcow2"), Path("/f"), ports))
    assert "hostfwd=tcp:127.0.0.1:1001-:8137" in command
    assert "hostfwd=tcp:127.0.0.1:1002-:7001" in command
    assert "tamsk.hands=1003" in command
    assert "file=/f/disk.qcow2" in command
    assert "/i/disk.img" not in command, "the image is never written"


def test_the_guest_and_qemu_agree_on_the_live_port() -> None:
    assert "ListenStream=7001" in (GUEST / "etc/systemd/system/vm-live.socket").read_text()
    assert "linux-image-amd64" in PACKAGES


def test_a_bridge_passes_bytes_both_ways_and_can_be_cut(tmp_path: Path) -> None:
    far = socket.create_server(("127.0.0.1", 0))
    bridge = Bridge(listen_at(tmp_path / "near"), to_port(far.getsockname()[1]))
    with to_path(tmp_path / "near")() as near:
        answering, _ = far.accept()
        near.settimeout(20)
        answering.settimeout(20)
        near.sendall(b"question")
        assert answering.recv(100) == b"question"
        answering.sendall(b"answer")
        assert near.recv(100) == b"answer"
        bridge.cut()
        assert near.recv(100) == b""
    answering.close()
    bridge.close()
    far.close()


def test_a_bridge_to_nobody_ends_the_connection(tmp_path: Path) -> None:
    bridge = Bridge(listen_at(tmp_path / "near"), to_path(tmp_path / "nobody"))
    with to_path(tmp_path / "near")() as near:
        near.settimeout(20)
        assert near.recv(100) == b""
    bridge.close()


def test_a_ring_more_or_a_glass_elsewhere_is_seen() -> None:
    state = {"rings_seen": {"C3": 2}, "glasses": [{"owner": "red", "standing": "C3"}]}
    truth = {"rings": {"C3": 2}, "glasses": [{"owner": "red", "tube": "C3"}, {"owner": "black", "tube": None}]}
    assert seen_of(state) == truth_of(truth)
    assert seen_of(state) != truth_of(truth | {"rings": {"C3": 3}})
    assert seen_of(state) != truth_of(truth | {"glasses": [{"owner": "black", "tube": "C3"}]})
