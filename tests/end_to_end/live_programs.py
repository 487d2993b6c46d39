"""``tamsk-hw live`` as a program beside a service that tests run, and commands to that service."""

import json
import queue
import subprocess
import threading
from collections.abc import Callable
from typing import Any

from click.testing import CliRunner

from tamsk_hw.commands.main import main
from tamsk_hw.referee import Referee
from tamsk_hw.referee.stream import parse_event, parse_header
from tests.programs import COMMAND
from tests.table.board_program import PATIENCE, ROOT


class Listener:
    """``tamsk-hw live``, started before the service or after; ``lines`` has all that it printed."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "live", *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.lines: list[dict[str, Any]] = []
        self._queue: queue.Queue[str] = queue.Queue()
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._queue.put(line)

    def hear(self, is_it: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """Wait until such a line comes."""
        while True:
            line = json.loads(self._queue.get(timeout=PATIENCE))
            self.lines.append(line)
            if is_it(line):
                return dict(line)

    def kill(self) -> int:
        """Kill it; give the number of the last line that it printed."""
        self.process.kill()
        self.process.wait()
        self._reading.join(PATIENCE)
        while not self._queue.empty():
            if (line := self._queue.get()).endswith("\n"):
                self.lines.append(json.loads(line))
        return int(next(line["seq"] for line in reversed(self.lines) if "seq" in line))

    def ruled(self, name: str, **facts: Any) -> dict[str, Any]:
        """Wait for a ruling."""
        return self.hear(
            lambda line: (
                (ruling := line.get("ruling", {})).get("ruling") == name
                and all(ruling[key] == value for key, value in facts.items())
            )
        )


def tamsk(*arguments: str) -> tuple[int, str]:
    """Run a command in this process; give its exit status, and what it says on standard error."""
    done = CliRunner().invoke(main, arguments)
    return done.exit_code, done.stderr


def check(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The stream's own promises: numbers without gaps in each life, and games whose header and events are ruled to
    the very rulings that were published. Gives the newest game's.
    """
    life, newest = None, 0
    for line in lines:
        if "live" in line:
            if line["life"] != life:
                life, newest = line["life"], 0
        elif "seq" in line:
            assert newest in (0, line["seq"] - 1), (newest, line)
            newest = line["seq"]
        else:
            assert line.keys() in ({"state"}, {"re", "done"})
    again: list[dict[str, Any]] = []
    published: list[dict[str, Any]] = []
    for line in lines:
        if "header" in line:
            referee, again, published = Referee(parse_header(line["header"])), [], []
        elif "event" in line:
            assert again == published, "rulings stand after the event that they came of"
            again += [ruling.as_dict() for ruling in referee.handle(parse_event(line["event"]))]
        elif "ruling" in line:
            published.append(line["ruling"])
    assert again == published
    return published
