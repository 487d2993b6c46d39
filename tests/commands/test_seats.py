"""The seats' links of ``tamsk-hw play`` and ``tamsk-hw web --hands``; the page of these tests is on loopback."""

import os
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import create_autospec

import pytest

from tamsk_hw.commands.main import main
from tamsk_hw.commands.web import page_beside, seats_at, show_seats
from tamsk_hw.configuration import Configuration
from tamsk_hw.game.tubes import Player
from tamsk_hw.web import app as serving
from tamsk_hw.web.seats import Seats
from tamsk_hw.web.security import Binding


def bound(address: str) -> socket.socket:
    """A socket that says that it is bound there."""
    listening: Any = create_autospec(socket.socket, instance=True)
    listening.getsockname.return_value = (address, 8137)
    return listening  # type: ignore[no-any-return]


def test_where_others_reach_the_page_each_seat_has_its_link_and_code(capsys: pytest.CaptureFixture[str]) -> None:
    show_seats(seats_at(bound("127.0.0.1"), ("tamsk.local",)))
    assert capsys.readouterr().out == ""
    links = seats_at(bound("0.0.0.0"), ("tamsk.local",))
    assert links is not None
    assert links.page == "http://tamsk.local:8137/"
    show_seats(links)
    red, black = capsys.readouterr().out.split("Black's seat: ")
    assert red.startswith(f"Red's seat: {links.link(Player.RED)}\n")
    assert black.startswith(f"{links.link(Player.BLACK)}\n")
    for printed in (red, black):
        assert len([line for line in printed.splitlines() if "█" in line]) >= 15


def test_the_page_beside_a_service_takes_the_seats_from_its_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The secrets stand in no command line, where other users of the computer read them."""
    monkeypatch.setattr(Binding, "is_local", False)
    commands: list[list[str]] = []
    start = subprocess.Popen

    def other_program(command: list[str], **settings: Any) -> subprocess.Popen[bytes]:
        commands.append(command)
        copied = f"import sys; open({str(tmp_path / 'heard')!r}, 'w').write(sys.stdin.read())"
        return start([sys.executable, "-c", copied], **settings)

    monkeypatch.setattr(subprocess, "Popen", other_program)
    configuration = Configuration()
    configuration = replace(configuration, web=replace(configuration.web, port=0))
    with page_beside(configuration, tmp_path / "live", None, tmp_path / "hands") as (_, seats):
        assert seats is not None
    heard = (tmp_path / "heard").read_text()
    assert Seats(seats.page, line=heard).secrets == seats.secrets
    assert not [word for word in commands[0] for secret in seats.secrets.values() if secret in word]

    served: list[Seats | None] = []
    monkeypatch.setattr(serving, "serve", lambda listening, page, **more: served.append(page.seats))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    reading, writing = os.pipe()
    with socket.create_server(("127.0.0.1", 0)) as listening, open(reading) as told:
        os.write(writing, heard.encode())
        os.close(writing)
        monkeypatch.setattr(sys, "stdin", told)
        inherited = os.dup(listening.fileno())
        main(["web", "--inherited", str(inherited), "--hands", str(tmp_path / "hands")], standalone_mode=False)
    assert served[0] is not None
    assert served[0].secrets == seats.secrets
