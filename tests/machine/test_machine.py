"""What of the virtual machine can be tested without one."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.machine.architecture import AMD64, ARM64, BY_NAME, VARIABLE, Architecture, chosen
from tests.machine.image import GUEST, PROJECT, TOOLS, WANTED, Image, installed_files, key, missing
from tests.machine.initrd import in_order
from tests.machine.outside import Bridge, listen_at, to_path, to_port
from tests.machine.running import MachineError
from tests.machine.system import mirror
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
        return missing(
            {**AMD64.tools, **TOOLS}, lambda tool: tools or tool == "git", root=root, free=free, made=made
        )

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


@pytest.mark.parametrize("architecture", BY_NAME.values(), ids=BY_NAME)
def test_qemu_is_given_the_ports_and_the_disk(architecture: Architecture) -> None:
    ports = Ports(page=1001, live=1002, hands=1003)
    image = Image(architecture, Path("/i/disk.img"), Path("/i/vmlinuz"), Path("/i/initrd.img"), None)
    command = " ".join(qemu_command(image, Path("/f/disk.qcow2"), Path("/f"), ports))
    assert "hostfwd=tcp:127.0.0.1:1001-:8137" in command
    assert "hostfwd=tcp:127.0.0.1:1002-:7001" in command
    assert "tamsk.hands=1003" in command
    assert f"console={architecture.console} " in command
    assert "file=/f/disk.qcow2" in command
    assert "/i/disk.img" not in command, "the image is never written"


def test_the_guest_and_qemu_agree_on_the_live_port() -> None:
    assert "ListenStream=7001" in (GUEST / "etc/systemd/system/vm-live.socket").read_text()


def test_the_architecture_is_the_one_that_was_asked_for() -> None:
    assert chosen({}) is chosen({VARIABLE: ""}) is AMD64
    assert chosen({VARIABLE: "arm64"}) is ARM64
    with pytest.raises(MachineError, match="ARCH=mips: there are amd64 and arm64"):
        chosen({VARIABLE: "mips"})


def test_modules_are_loaded_after_what_they_need() -> None:
    dependencies = (
        "kernel/fs/ext4/ext4.ko.xz: kernel/lib/crc16.ko.xz kernel/fs/mbcache.ko.xz kernel/fs/jbd2.ko.xz\n"
        "kernel/fs/jbd2.ko.xz:\nkernel/fs/mbcache.ko.xz:\nkernel/lib/crc16.ko.xz:\n"
        "kernel/drivers/block/virtio-blk.ko.xz:\n"
    )
    order = in_order(dependencies, "kernel/drivers/virtio/virtio_pci.ko\n", ("virtio_pci", "virtio_blk", "ext4"))
    assert [Path(file).name for file in order] == [
        "virtio-blk.ko.xz",
        "jbd2.ko.xz",
        "mbcache.ko.xz",
        "crc16.ko.xz",
        "ext4.ko.xz",
    ]
    with pytest.raises(MachineError, match="no module ext5"):
        in_order(dependencies, "", ("ext5",))


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
