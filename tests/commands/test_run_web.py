"""``tamsk-hw run --web`` and ``tamsk-hw web`` as programs: the page beside a game, and what becomes of it."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.boards import SEVEN_CONFIG
from tests.commands.at_a_terminal import PATIENCE, PROGRAM, AtATerminal
from tests.house import ROOT
from tests.programs import start
from tests.table.board_program import free_port

#: Runs a command in a network of its own; for a user who is not root in a user namespace, too.
OWN_NETWORK = ("unshare", "--net", "--map-root-user")

QUICK = ("run", "--level", "1", "--seed", "5", "--speed", "100")


def until(is_so: Callable[[], bool]) -> None:
    """Wait for what another process does."""
    ends = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.05)


def page(address: str, path: str = "") -> str:
    with urlopen(address + path, timeout=PATIENCE) as answer:
        return str(answer.read().decode())


def is_gone(address: str) -> bool:
    try:
        page(address)
    except URLError:
        return True
    except ConnectionError:  # it is about to go
        return False
    return False


def address_in(words: str) -> str:
    found = re.search(r"http://127\.0\.0\.1:\d+/", words)
    assert found, words
    return found[0]


@pytest.fixture
def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """A port of this test's own for the page; configured."""
    port = free_port()
    file = tmp_path / "config.toml"
    file.write_text(f"{SEVEN_CONFIG}[web]\nport = {port}\n")
    monkeypatch.setenv("TAMSK_HW_CONFIG", str(file))
    return port


def started(processes: list[subprocess.Popen[str]], *arguments: str) -> subprocess.Popen[str]:
    return start(processes, *PROGRAM, *arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def said(process: subprocess.Popen[str], words: str) -> str:
    """Wait for a line with these words."""
    assert process.stdout is not None
    for line in process.stdout:
        if words in line:
            return line
    raise AssertionError(f"ended without {words!r}")


def test_a_newcomer_sees_address_result_and_another_game(configured: int) -> None:
    """The page shows the same game as the terminal, and both stay at its end."""
    terminal = AtATerminal(*PROGRAM, *QUICK, "--web")
    try:
        terminal.read("TAMSK,")
        terminal.read(f"http://127.0.0.1:{configured}/")
        terminal.read("Press s for another game, q to end.")
        address = f"http://127.0.0.1:{configured}/"
        until(lambda: 'class="result"' in page(address))
        terminal.type("s")
        terminal.read("Turn 1: red to move.")
        until(lambda: 'class="result"' not in page(address))
        terminal.type("q")
        terminal.read("End the program?")
        terminal.type("y")
        assert terminal.end() == 0
        assert is_gone(address)
    finally:
        terminal.kill()


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_where_the_port_is_taken_a_free_one_is_and_the_page_ends_with_the_game(
    configured: int, processes: list[subprocess.Popen[str]], number: signal.Signals, status: int
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", configured))
        taken.listen()
        game = started(processes, *QUICK, "--web")
        address = address_in(said(game, "The table in browsers"))
        assert str(configured) not in address
        until(lambda: 'id="tube-D4"' in page(address))
        game.send_signal(number)
        assert game.wait(PATIENCE) == status
        until(lambda: is_gone(address))


def test_the_end_of_the_page_disturbs_no_game(configured: int, processes: list[subprocess.Popen[str]]) -> None:
    game = started(processes, "run", "--level", "1", "--seed", "3", "--speed", "10", "--web")
    address = address_in(said(game, "The table in browsers"))
    until(lambda: 'id="tube-D4"' in page(address))
    [child] = Path(f"/proc/{game.pid}/task/{game.pid}/children").read_text().split()
    os.kill(int(child), signal.SIGKILL)
    said(game, "Turn 6")
    game.send_signal(signal.SIGINT)
    assert game.wait(PATIENCE) == 130


def test_the_page_alone_waits_for_a_service_and_ends_by_ctrl_c(
    configured: int, processes: list[subprocess.Popen[str]]
) -> None:
    alone = started(processes, "web")
    address = address_in(said(alone, "The table in browsers"))
    assert "Waiting for the service" in page(address)
    started(processes, "run", "--level", "1", "--seed", "3", "--speed", "5")
    until(lambda: 'id="tube-D4"' in page(address))
    with urlopen(f"{address}events") as events:  # one who watches does not hold it up
        assert events.readline() == b"event: service\n"
        alone.send_signal(signal.SIGINT)
        assert alone.wait(PATIENCE) == 130
    second = started(processes, "web", "--port", str(configured), "--socket", "/nowhere/live.sock")
    assert "Waiting for the service" in page(address_in(said(second, "The table in browsers")))
    assert second.poll() is None


def test_a_port_that_is_taken_is_refused_in_one_line(configured: int) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", configured))
        taken.listen()
        ran = subprocess.run([*PROGRAM, "web"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    [line] = ran.stderr.splitlines()
    assert f"127.0.0.1 port {configured}" in line
    assert "[web]" in line


#: In a network of its own: starts the page, gives the computer its address, and fetches the page there.
ADDRESS_COMES_LATER = """
import subprocess, sys
from urllib.request import urlopen
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
with subprocess.Popen([*sys.argv[1:], "--address", "192.168.77.5"], stdout=subprocess.PIPE, text=True) as page:
    try:
        address = page.stdout.readline().split()[-1]
        subprocess.run(["ip", "address", "add", "192.168.77.5/32", "dev", "lo"], check=True)
        print(address, urlopen(address, timeout=60).status)
    finally:
        page.terminate()
"""


def test_the_page_is_there_once_the_computer_has_its_address(configured: int) -> None:
    """At a boot the page is often started before the network has given an address."""
    if shutil.which("ip") is None or subprocess.run([*OWN_NETWORK, "true"], check=False).returncode:
        pytest.skip("no network of its own may be made here")
    command = [*OWN_NETWORK, sys.executable, "-c", ADDRESS_COMES_LATER, *PROGRAM, "web"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ran.stdout.split() == [f"http://192.168.77.5:{configured}/", "200"], ran.stderr
    assert "does not have the address 192.168.77.5 yet" in ran.stderr


@pytest.mark.parametrize("address", ["192.0.2.7", "ff02::1"])
def test_a_page_that_cannot_be_had_costs_no_game(
    configured: int, processes: list[subprocess.Popen[str]], tmp_path: Path, address: str
) -> None:
    """An address that this computer does not have, and one at which nothing can listen."""
    file = tmp_path / "config.toml"
    file.write_text(f'{file.read_text()}address = "{address}"\n')
    game = started(processes, *QUICK, "--web")
    assert address in said(game, "tamsk-hw: ")
    said(game, "(R5.2)")
    game.send_signal(signal.SIGTERM)
    assert game.wait(PATIENCE) in (0, 143)


def test_an_update_under_a_page_that_runs_does_not_break_it(configured: int, tmp_path: Path) -> None:
    """It shows pages that nobody has asked for before, though the templates are others now, or none."""
    package = tmp_path / "installed/tamsk_hw"
    shutil.copytree(ROOT / "tamsk_hw", package, ignore=shutil.ignore_patterns("__pycache__"))
    environment = os.environ | {"PYTHONPATH": str(package.parent), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*PROGRAM, "web"], stdout=subprocess.PIPE, text=True, env=environment, cwd=package.parent
    ) as process:
        try:
            said(process, "http")
            address = f"http://127.0.0.1:{configured}"
            assert "<html" in page(address, "/rules")
            for template in (package / "web/templates").iterdir():
                template.write_text("{{ from.a.later.version }}", encoding="utf-8")
            assert "<html" in page(address, "/rules")
            shutil.rmtree(package / "web/templates")
            assert "<html" in page(address, "/games")
        finally:
            process.terminate()


@pytest.mark.usefixtures("short_games")
def test_a_game_without_a_page_loads_nothing_of_it() -> None:
    program = (
        "import sys\nfrom tamsk_hw.commands.main import main\n"
        f"try:\n    main({list(QUICK)!r})\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        "print('LOADED', *sorted(sys.modules))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    loaded = set(ran.stdout.rpartition("LOADED ")[2].split())
    assert "tamsk_hw.table.simulation" in loaded
    assert loaded.isdisjoint({"starlette", "uvicorn", "jinja2", "anyio", "tamsk_hw.web", "tamsk_hw.svg"})
