"""The programs in ``docs/examples`` work before a service and its page."""

import queue
import subprocess
import sys
import threading
from pathlib import Path

from tests.commands.at_a_terminal import PATIENCE
from tests.commands.test_run_web import until
from tests.end_to_end.live_programs import tamsk
from tests.house import ROOT
from tests.programs import COMMAND, PYTHON, start
from tests.table.board_program import free_port

EXAMPLES = ROOT / "docs" / "examples"

#: A command that is told of a game's end: it adds its last argument to a file.
TELLS = "import sys; open(sys.argv[1], 'a').write(sys.argv[2] + chr(10))"


def is_in(words: str, file: Path) -> bool:
    return file.exists() and words in file.read_text(encoding="utf-8")


def test_the_programs_show_a_game_and_tell_of_its_end(
    processes: list[subprocess.Popen[str]], runtime_folder: Path, tmp_path: Path
) -> None:
    port = str(free_port())
    page = start(processes, *COMMAND, "web", "--port", port, stdout=subprocess.PIPE)
    assert page.stdout is not None
    overlay, message = tmp_path / "ruling.txt", tmp_path / "message.txt"
    start(processes, *PYTHON, str(EXAMPLES / "overlay.py"), f"http://127.0.0.1:{port}", str(overlay))
    socket = str(runtime_folder / "tamsk-hw" / "live.sock")
    lights = start(processes, *PYTHON, str(EXAMPLES / "lights.py"), socket, stdout=subprocess.PIPE)
    colours: queue.Queue[str] = queue.Queue()
    threading.Thread(target=lambda: [colours.put(line) for line in lights.stdout or ()], daemon=True).start()
    live = start(processes, *COMMAND, "live", stdout=subprocess.PIPE)
    tells = (sys.executable, "-c", TELLS, str(message))
    start(processes, *PYTHON, str(EXAMPLES / "message.py"), *tells, stdin=live.stdout or 0)
    start(processes, *COMMAND, "run", "--seed", "4", "--speed", "5", "--level", "1")

    shown = [colours.get(timeout=PATIENCE)]
    while not {"255 0 0\n", "0 0 255\n"} <= set(shown):
        shown.append(colours.get(timeout=PATIENCE))
    assert not message.exists()
    assert tamsk("arbiter", "award", "black") == (0, "")
    until(lambda: is_in("Black wins", message) and is_in("Black wins", overlay))
    assert len(message.read_text(encoding="utf-8").splitlines()) == 1
