"""Nothing that is nobody's business is in a bundle: planted in every source, looked for in its raw bytes."""

from __future__ import annotations

import gzip
import json
import time
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from tamsk_hw.board.protocol import Decoder, Hello, ResetCause, encode
from tamsk_hw.journal import Archive
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.pty_board import PtyBoard
from tamsk_hw.simulator.world import World
from tamsk_hw.workbench.bundle import line as bundle_line
from tamsk_hw.workbench.bundle.line import without_board_id
from tamsk_hw.workbench.bundle.making import BundleSettings, gather_bundle, make_bundle
from tamsk_hw.workbench.bundle.secrets import Secrets, of_the_port, of_this_computer
from tests.journal.played import played, write
from tests.workbench.boards import snapshot
from tests.workbench.bundle.test_bundle import here_in, unpacked

#: Names in several alphabets; one is a part of another, one is short.
RED, BLACK, THIRD, SHORT = "Zoë Łuczak", "Annabel O'Hara", "Annabel", "Bo"
USER, HOST = "ottokar", "ottokars-pi"
SERIAL = "7G53FX0042"
BOARD_ID = 0x5EC2E7A1
IP, IP6, MAC, EMAIL = "192.168.178.23", "fe80::dea6:32ff:fe01:2345", "dc:a6:32:01:23:45", "zoe@example.org"
MACHINE = "0123456789abcdef0123456789abcdef"

HELLO = Hello(7, (1, 0), (1, 0, 0), BOARD_ID, 3, ResetCause.EXTERNAL, 0xD26E7B07)


def assert_nowhere(data: bytes, *secrets: str) -> None:
    """However text may write them."""
    low = data.lower()
    for secret in secrets:
        for way in (secret, json.dumps(secret)[1:-1], quote(secret), secret.encode("unicode_escape").decode()):
            place = low.find(way.lower().encode())
            assert place < 0, f"{secret}: {data[max(0, place - 60) : place + 60]!r}"


def test_what_is_planted_in_every_source_is_nowhere_in_the_bundle(
    configuration: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle_line, "LISTEN", 0.3)
    home = tmp_path / "people" / USER
    state = home / "state"
    port = home / "serial" / "by-id" / f"usb-1a86_USB2.0-Serial_{SERIAL}-if00-port0"
    port.parent.mkdir(parents=True)
    board = PtyBoard(SimulatedBoard(World(1), board_id=BOARD_ID), port)
    began = time.monotonic()
    board.run_in_thread(lambda: time.monotonic() - began)
    for red, black in ((RED, SHORT), (BLACK, THIRD)):
        write(state, played(), red=red)
        Archive(state).rename(len(Archive(state).games()), red=red, black=black)
    (state / "calibration.toml").write_text(
        f"# by {RED}, {EMAIL}\nversion = 1\n[fields.D4]\nrest = 130.0\nend_a = 60.0\nend_b = 61.0\nnoise = 2.0\n"
    )
    configuration.write_text(
        f'# {EMAIL}, {HOST}\n[board]\nport = "{port}"\nboard_id = "{BOARD_ID:08x}"\n'
        f'calibration = "{state}/calibration.toml"\n[journal]\nfolder = "{state}"\n[web]\naddress = "{IP}"\n'
        f'[players]\nred = "{RED}"\nblack = "{BLACK}"\n[gpio]\nfactory = "mock"\n'
    )
    log = (
        f"2026-01-02T11:00:00+0100 {HOST} tamsk-hw[7]: board {BOARD_ID:08x} at {port}\n"
        f"{RED} and {RED.upper()} against {json.dumps(BLACK)} and {json.dumps(RED)} and {SHORT}; see {IP}, {IP6}\n"
        f"/home/{USER}/x /home/somebody/y {home}/z from {MAC} {EMAIL} machine {MACHINE} user={USER}\n"
    )
    here = here_in(tmp_path, log)
    here = replace(
        here,
        environment={**here.environment, "HOME": str(home), "USER": USER, "SUDO_USER": USER},
    )
    monkeypatch.setattr("platform.node", lambda: HOST)
    output = tmp_path / "out.tar.gz"
    try:
        make_bundle(BundleSettings(output=output), here)
    finally:
        board.close()
    assert {"line.bin", "line.txt", "games/2.events.jsonl", "service.log", "calibration.toml"} <= set(
        unpacked(output)
    )
    everything = gzip.decompress(output.read_bytes())
    secrets = (RED, BLACK, THIRD, "Łuczak", USER, HOST, str(home), SERIAL, f"{BOARD_ID:08x}", IP, IP6, MAC, EMAIL)
    assert_nowhere(everything, *secrets, MACHINE, "somebody", "O'Hara")
    assert BOARD_ID.to_bytes(4, "little") not in everything
    assert b" Bo;" not in everything
    replaced = unpacked(output)["README.txt"].decode()
    for kind in ("address", "board id", "home", "host", "player", "serial number", "user"):
        assert f"  {kind}: " in replaced


def test_a_refused_configuration_is_not_quoted(configuration: Path, tmp_path: Path) -> None:
    """What is quoted may be anything, as a name that stands in the wrong place."""
    configuration.write_text(f'[players]\nred = "{RED}"\ngreen = "{THIRD}"\n')
    files = gather_bundle(BundleSettings(), here_in(tmp_path)).files
    assert b"refused" in files["configuration.txt"]
    assert_nowhere(b"".join(files.values()), RED, THIRD)


def test_a_file_that_is_no_toml_still_tells_whose_names_to_replace(configuration: Path, tmp_path: Path) -> None:
    configuration.write_text(f'[players]\nred = "{RED}"\nblack = = 3\n')
    files = gather_bundle(BundleSettings(), here_in(tmp_path, f"{RED} moves\n")).files
    assert b"<player 1> moves" in files["service.log"]


# ---- texts


def secrets_of(**values: str) -> Secrets:
    secrets = Secrets()
    for kind, value in values.items():
        secrets.add(kind, value)
    return secrets


def test_a_player_keeps_his_number() -> None:
    secrets = Secrets()
    secrets.add_players((RED, BLACK, None, RED))
    assert secrets.clean(f"{BLACK}, {RED}, {RED.upper()}") == "<player 2>, <player 1>, <player 1>"
    assert secrets.replaced == {"player": 3}
    assert secrets.clean("Annabel greets Mr. Łuczak") == "<player 2> greets Mr. <player 1>"


def test_the_longer_secret_goes_first() -> None:
    secrets = secrets_of(user="otto", home="/people/otto")
    assert secrets.clean("/people/otto/x of otto") == "<home>/x of <user>"


def test_short_names_are_replaced_as_words_only() -> None:
    assert secrets_of(user="bo").clean("bo has a board, Bo.") == "<user> has a board, <user>."


@pytest.mark.parametrize("name", ["red", "Black", "start", "D4", "pi", "tamsk-hw", "root"])
def test_words_that_a_bundle_is_made_of_stay(name: str) -> None:
    assert secrets_of(user=name).clean(f'{{"player": "{name}"}}') == f'{{"player": "{name}"}}'


@pytest.mark.parametrize(
    "text",
    [
        "127.0.0.1 and 0.0.0.0 and ::1",
        "version 2.0.1.post3, Python 3.11.7, kernel 6.12.25+rpt-rpi-v8",
        "2026-01-02T11:00:00+0100 at 12:30:45",
        "t: 12.5, rings D4:110?, 17 35 7a 01 02 03",
        "wiring d26e7b07, GPIO17, 0x007a3517",
        "usb-1a86_USB2.0-Serial-if00-port0",
    ],
)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert Secrets().clean(text) == text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("from 10.0.0.7:8080", "from <address>:8080"),
        ("from 10.0.0.7.", "from <address>."),
        ("[2001:db8::17]:80", "[<address>]:80"),
        ("fe80::1%eth0 up", "<address> up"),
        ("boot 8fd42b8e-9f7c-4b8f-8b2f-0b6a7a8cb1d2", "boot <identifier>"),
        ("/home/ann/.config", "<home>/.config"),
        (
            "/dev/serial/by-id/usb-FTDI_FT232R_A50285BI-if00",
            "/dev/serial/by-id/usb-FTDI_FT232R_<serial number>-if00",
        ),
    ],
)
def test_what_has_the_shape_of_a_secret_goes(text: str, clean: str) -> None:
    assert Secrets().clean(text) == clean


def test_who_uses_this_computer() -> None:
    secrets = Secrets()
    of_this_computer(secrets, {"HOME": "/people/ann", "SUDO_USER": "annabel"})
    assert secrets.clean("annabel in /people/ann") == "<user> in <home>"


def test_the_services_own_folder_stays() -> None:
    secrets = Secrets()
    of_this_computer(secrets, {"HOME": "/var/lib/tamsk-hw"})
    assert secrets.clean("/var/lib/tamsk-hw/journal.db") == "/var/lib/tamsk-hw/journal.db"


def test_the_serial_number_of_the_ports_device(tmp_path: Path) -> None:
    device = tmp_path / "devices" / "usb1" / "1-1" / "1-1:1.0" / "ttyUSB0"
    device.mkdir(parents=True)
    (device.parent.parent / "serial").write_text(f"{SERIAL}\n")
    (tmp_path / "classes" / "ttyUSB0").mkdir(parents=True)
    (tmp_path / "classes" / "ttyUSB0" / "device").symlink_to(device)
    secrets = Secrets()
    of_the_port(secrets, "/dev/ttyUSB0", tmp_path / "classes")
    assert secrets.clean(f"usb 1-1: SerialNumber: {SERIAL}") == "usb 1-1: SerialNumber: <serial number>"


# ---- bytes of the line


def test_the_boards_id_becomes_0_and_all_else_stays() -> None:
    frames = encode(HELLO), encode(snapshot(seq=8)), encode(replace(HELLO, seq=9))
    cleaned = without_board_id(b"\0" + b"".join(frames) + frames[1][:20], None)
    assert Decoder().feed(cleaned) == [
        replace(HELLO, board_id=0),
        snapshot(seq=8),
        replace(HELLO, seq=9, board_id=0),
    ]
    assert cleaned.endswith(frames[1][:20])


@pytest.mark.parametrize("cut", [slice(3, None), slice(None, -4), slice(None, 12)])
@pytest.mark.parametrize("board_id", [BOARD_ID, 0x00C2E7A1, 0x5EC2E700, 0x7A3517])
def test_a_damaged_hello_is_blanked(cut: slice, board_id: int) -> None:
    whole = encode(replace(HELLO, board_id=board_id))
    damaged = whole.rstrip(b"\0")[cut]
    cleaned = without_board_id(damaged + b"\0" + encode(snapshot(seq=8)), board_id)
    assert cleaned == b"\xff" * len(damaged) + b"\0" + encode(snapshot(seq=8))
