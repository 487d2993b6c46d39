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
from tamsk_hw.journal.changes import NamePlayers, change_here
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.pty_board import PtyBoard
from tamsk_hw.simulator.world import World
from tamsk_hw.workbench.bundle import line as bundle_line
from tamsk_hw.workbench.bundle.harmless import Harmless
from tamsk_hw.workbench.bundle.line import harmless_bytes
from tamsk_hw.workbench.bundle.making import BundleSettings, gather_bundle, make_bundle
from tamsk_hw.workbench.bundle.versions import versions
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
        change_here(state, NamePlayers(len(Archive(state).games()), red, black), 0.0)
    (state / "calibration.toml").write_text(
        f"# by {RED}, {EMAIL}\nversion = 1\n[fields.D4]\nrest = 130.0\nend_a = 60.0\nend_b = 61.0\nnoise = 2.0\n"
    )
    configuration.write_text(
        f'# {EMAIL}, {HOST}\n[board]\nport = "{port}"\nboard_id = "{BOARD_ID:08x}"\n'
        f'calibration = "{state}/calibration.toml"\n[journal]\nfolder = "{state}"\n'
        f'[players]\nred = "{RED}"\nblack = "{BLACK}"\n[gpio]\nfactory = "mock"\n'
    )
    log = (
        f"2026-01-02T11:00:00+0100 {HOST} tamsk-hw[7]: board {BOARD_ID:08x} at {port}\n"
        f"{RED} and {RED.upper()} against {json.dumps(BLACK)} and {json.dumps(RED)} and {SHORT}; see {IP}, {IP6}\n"
        f"addr:2001:db8::77 mac:b8:27:eb:12:34:56 enxb827eb123456 b827.eb12.3456 /srv/{USER}/board Łuczak\n"
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
    assert_nowhere(everything, *secrets, MACHINE, "somebody", "O'Hara", "db8", "b8:27", "b827", "/srv")
    assert BOARD_ID.to_bytes(4, "little") not in everything
    assert b" Bo;" not in everything


def test_a_refused_configuration_is_not_quoted(configuration: Path, tmp_path: Path) -> None:
    """A quotation may be anything, as a name that stands in the wrong place."""
    configuration.write_text(f'[players]\nred = "{RED}"\ngreen = "{THIRD}"\n')
    files = gather_bundle(BundleSettings(), here_in(tmp_path)).files
    assert b"refused" in files["configuration.txt"]
    assert_nowhere(b"".join(files.values()), RED, THIRD)


# ---- texts


@pytest.mark.parametrize(
    "secret",
    [
        *("10.0.0.7", "10.0.0.7:8080", "http://10.0.0.7/", "10-0-0-7", "10 0 0 7", "10, 0, 0, 7"),
        *("2001:db8::17", "addr:2001:db8::77", "[2001:db8::17]:80", "fe80::1%eth0", "::ffff:10.0.0.7"),
        *("b8:27:eb:12:34:56", "b8-27-eb-12-34-56", "b827.eb12.3456", "mac:b8:27:eb:12:34:56", "b827eb123456"),
        *("b8 27 eb 12 34 56", "ab cd ef ff 12 34", "enxb827eb123456", "wlxb827eb123456", "wlan0", "eth0.17"),
        *("5ec2e7a1", "0x5EC2E7A1", "1589831585", "A50285BI", "7G53FX0042", "100000003d1d1c2b"),
        *("8fd42b8e-9f7c-4b8f-8b2f-0b6a7a8cb1d2", "0123456789abcdef0123456789abcdef"),
        *("/home/ann/.config", "/Users/ann", "/media/Familie Weber", "/srv/weber/board", "~/x", "../weber"),
        *("weber-pi", "weber-pi.fritz.box", "ann@weber.example", "Weber", "weber", "WEBER", "Łuczak", "O'Hara"),
        *("tamsk-hw@weber", "red=Weber", "(Weber)", '"Weber"', "+49-170-1234567", "0170 1234567"),
        *("/dev/serial/by-id/usb-FTDI_FT232R_A50285BI-if00", "usb-1a86_USB2.0-Serial_A50285BI"),
        *("/etc/tamsk-hw/config.toml.weber", "/var/lib/tamsk-hw/weber", "board.weber", "D4.weber"),
    ],
)
def test_what_is_not_known_to_be_harmless_is_left_out(secret: str) -> None:
    assert Harmless().text(f"the board {secret} is connected") == "the board … is connected"


@pytest.mark.parametrize("name", ["Hand", "Ann Light", "Waiting"])
def test_known_people_are_left_out_though_the_program_has_their_names_as_words(name: str) -> None:
    word = name.split()[-1]
    assert Harmless().text(f"{word} is connected") == f"{word} is connected"
    assert Harmless([name]).text(f"{word.upper()}, is connected") == "… is connected"


@pytest.mark.parametrize("name", ["Red", "black", "D4", "Start"])
def test_words_of_the_game_stay_whoever_is_called_so(name: str) -> None:
    assert Harmless([name]).text(f"{name} is ready") == f"{name} is ready"


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-02T11:00:00+0100 tamsk-hw[7]: waiting for the board",
        "00:12.300  Red moved from D4 to E4. (R4.1)",
        "problem  journal.folder: games are not saved; correct owner or path",
        "connected after 0.3 s, 20 snapshots in 1 s, 12.5% damaged",
        "/etc/tamsk-hw/config.toml and /dev/ttyUSB0",
        "ring D4.2: a gap, GPIO17",
        "ValueError: no such file or directory",
    ],
)
def test_the_programs_own_words_stay(text: str) -> None:
    assert Harmless().text(text) == text


def test_a_traceback_keeps_the_programs_own_places() -> None:
    text = '  File "/home/weber/lib/python3.11/site-packages/tamsk_hw/table/loop.py", line 120, in weber'
    assert Harmless().text(text) == "  File tamsk_hw/table/loop.py line 120, in …"
    assert Harmless().text('File "/home/weber/tamsk_hw/weber.py"') == "File …"


def test_json_keeps_its_numbers_and_words() -> None:
    line = '{"t":12345678.25,"event":"fault","sensor":"ring D4.2","detail":"by Weber","weber":[true,null,"weber"]}'
    shown = '{"t":12345678.25,"event":"fault","sensor":"ring D4.2","detail":"by …","…":[true,null,"…"]}'
    assert Harmless().json(line) == shown


def test_of_the_configuration_only_numbers_and_choices_are_shown(configuration: Path, tmp_path: Path) -> None:
    configuration.write_text(
        f'[board]\nport = "/dev/serial/by-id/usb-Weber_{SERIAL}"\nboard_id = "{BOARD_ID:08x}"\n'
        '[journal]\nfolder = "weber"\n[players]\nred = "Weber"\n'
        "[ruleset]\nlevel = 2\n[lights]\nmilliamps = 1234\n"
    )
    shown = gather_bundle(BundleSettings(), here_in(tmp_path)).files["configuration.txt"].decode()
    for line in ("port = …", "board_id = …", "folder = …", "red = …", "level = 2", "milliamps = 1234"):
        assert f"\n{line}\n" in shown
    assert 'wiring = "packaged"  # default' in shown


def test_versions_are_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.release", lambda: "6.12.25-weber+rpt")
    monkeypatch.setattr("importlib.metadata.version", lambda name: "2.1.0rc1+weber")
    (tmp_path / "os-release").write_text('PRETTY_NAME="Weber OS"\nID=debian\nVERSION_ID="12-weber"\n')
    (tmp_path / "model").write_bytes(b"Raspberry Pi 4 Model B Rev 1.2 of Weber\0")
    (tmp_path / "compatible").write_bytes(b"raspberrypi,4-model-b\0")
    text = versions(None, tmp_path, tmp_path / "os-release")
    assert "weber" not in text.casefold()
    for line in ("6.12.25 (", "system: debian 12", "click: 2.1.0rc1", "Raspberry Pi 4 Model B Rev 1.2"):
        assert line in text


# ---- bytes of the line


def test_the_boards_id_becomes_0_and_other_frames_stay() -> None:
    frames = encode(HELLO), encode(snapshot(seq=8)), encode(replace(HELLO, seq=9))
    cleaned = harmless_bytes(b"\0" + b"".join(frames) + frames[1][:20])
    assert Decoder().feed(cleaned) == [
        replace(HELLO, board_id=0),
        snapshot(seq=8),
        replace(HELLO, seq=9, board_id=0),
    ]
    assert cleaned.endswith(b"\xff" * 20)


@pytest.mark.parametrize("cut", [slice(3, None), slice(None, -4), slice(None, 12)])
def test_a_damaged_frame_is_blanked(cut: slice) -> None:
    damaged = encode(HELLO).rstrip(b"\0")[cut]
    cleaned = harmless_bytes(damaged + b"\0" + encode(snapshot(seq=8)))
    assert cleaned == b"\xff" * len(damaged) + b"\0" + encode(snapshot(seq=8))


def test_what_another_device_says_is_blanked() -> None:
    assert harmless_bytes(b"$GPGGA,4807.038,N,01131.000,E\r\n") == b"\xff" * 31
