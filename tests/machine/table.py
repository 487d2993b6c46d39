"""A table in the virtual machine: the service, the board outside, and what checks ask of both."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests.machine.architecture import chosen
from tests.machine.image import ensure_image
from tests.machine.outside import Bridge, OutsideBoard, Stream, listen_at, to_path, to_port
from tests.machine.record import Record, Said
from tests.machine.virtual import SECOND, Machine, Ports, free_ports, until

UNIT: Final = "tamsk-hw"

GAMES: Final = "runuser -u tamsk-hw -- tamsk-hw games"
JOURNAL: Final = "/var/lib/tamsk-hw"

#: Shows how many connections the machine has and what the service last said.
WHO_IS_CONNECTED: Final = (
    "ss -tanpH | awk '{print $1, $4, $6}' | sort | uniq -c; ss -xapH | grep -c live.sock;"
    f" systemctl status --no-pager vm-live.service; journalctl -o short-precise --no-pager -n 40 -u {UNIT}"
)

#: Real seconds for whatever takes a start of the service, which compiles nothing but loads all libraries.
START_SECONDS: Final = 400.0

#: Real seconds for some turns of a game.
GAME_SECONDS: Final = 1500.0


class OverMeanwhileError(Exception):
    """The game came to its end at the moment of a fault, so that it was not offered after it."""


class Table:
    """The machine's service and the board outside. What is asked of the service is asked through the network."""

    def __init__(self, machine: Machine, folder: Path, ports: Ports) -> None:
        self.machine, self.stream, self.ports = machine, Stream(ports.live), ports
        self._folder = folder
        self._boards = 0
        self.board: OutsideBoard | None = None
        self._record: Record | None = None
        self.live_socket = folder / "live.sock"
        self._live = Bridge(listen_at(self.live_socket), to_port(ports.live))
        self._hands = Bridge(socket.create_server(("127.0.0.1", ports.hands)), self._to_hands)

    def _to_hands(self) -> socket.socket:
        if self.board is None:
            raise ConnectionRefusedError
        return to_path(self.board.hands)()

    # The check's beginning and end.

    def boot(self) -> float:
        """Switch on, and keep the state in which checks begin; give the seconds until the console answered."""
        seconds = self.machine.start()
        self.is_ready()
        until(lambda: self.machine.attempt("ss -ltn | grep -q :8137")[0] == 0, "the page is open", START_SECONDS)
        self.machine.keep()
        return seconds

    def begin(self) -> None:
        """Return to the kept state: the service is ready, no board is there."""
        self.machine.back()

    def end(self) -> None:
        """Take away what a check has left outside."""
        if self._record is not None:
            self._record.close()
            self._record = None
        if self.board is not None:
            self.board.close()
            self.board = None
        self._live.cut()
        self._hands.cut()

    def close(self) -> None:
        """Switch off."""
        self.end()
        self._live.close()
        self._hands.close()
        if self.machine.is_on:
            self.machine.kill()

    # The board.

    def bring(self, seed: int, players: str = "both", *, emulated: bool = False) -> OutsideBoard:
        """A board is switched on outside; it is not plugged in yet. ``emulated``: with the real firmware."""
        self._boards += 1
        folder = self._folder / f"board-{self._boards}"
        self.board = OutsideBoard(folder, self.live_socket, seed=seed, players=players, emulated=emulated)
        return self.board

    def plug(self) -> float:
        """Plug the board in; give the seconds until the service has it."""
        assert self.board is not None
        began = time.monotonic()
        self.machine.plug(self.board.port)
        self.is_connected()
        return time.monotonic() - began

    def pull(self) -> None:
        """Pull the plug, and wait until the service says so."""
        self.machine.pull()
        until(lambda: not self.state()["connected"], "the lost board is noticed")

    @contextmanager
    def second_board(self) -> Iterator[OutsideBoard]:
        """Another board that nobody plays at, plugged in beside the first for a while."""
        board = OutsideBoard(self._folder / f"second-{self._boards}", self.live_socket, seed=99, players="none")
        try:
            self.machine.plug(board.port, SECOND)
            yield board
            self.machine.pull(SECOND)
        finally:
            board.close()

    def device(self) -> str:
        """The name of the device that the board's name leads to."""
        return self.machine.run("readlink /dev/tamsk-board")

    def boards(self) -> int:
        """The number of serial devices that the kernel has for converters."""
        return int(self.machine.run("ls -d /dev/ttyUSB* 2>/dev/null | wc -l"))

    # The record outside.

    def start_record(self) -> None:
        """Record from now on what the service says to a reader outside."""
        self._record = Record(self._folder / f"record-{self._boards}.jsonl", self.live_socket)

    @property
    def record(self) -> Record:
        """The record that has been started."""
        assert self._record is not None, "start_record comes first"
        return self._record

    # The service.

    def property(self, name: str) -> str:
        """A property of the service's unit."""
        return self.machine.run(f"systemctl show -P {name} {UNIT}")

    def said_by(self, unit: str) -> str:
        """The lines that another unit has written into systemd's journal since it was started."""
        life = self.machine.run(f"systemctl show -P InvocationID {unit}")
        return self.machine.run(f"journalctl -o cat --no-pager _SYSTEMD_INVOCATION_ID={life}")

    def start_seconds(self) -> float:
        """Seconds from the start of the service's process to its READY, by the machine's own clock."""
        began, ready = (
            int(self.property(f"{name}TimestampMonotonic")) for name in ("InactiveExit", "ActiveEnter")
        )
        return (ready - began) / 1e6

    def is_ready(self) -> None:
        """Wait until the service has told systemd that it is ready."""
        until(lambda: self.property("ActiveState") == "active", "the service is ready", START_SECONDS)

    def is_started_anew(self, life: str) -> None:
        """Wait until another life of the service than this one is ready."""
        until(lambda: self.property("InvocationID") not in ("", life), "the service starts again", START_SECONDS)
        self.is_ready()

    def state(self) -> dict[str, Any]:
        """The state that the live stream has now; where there is none, it is shown who has connections."""
        try:
            found: dict[str, Any] = until(self.stream.state, "the live stream answers", START_SECONDS)
        except AssertionError:
            print(self.machine.attempt(WHO_IS_CONNECTED)[1], flush=True)
            raise
        return found

    def is_connected(self) -> None:
        """Wait until the service has the board."""
        until(lambda: self.state()["connected"], "the board is connected")

    # Games.

    def comes_to(self, phase: str) -> None:
        """Wait until the state in the live stream has this phase, such as ``play``."""
        until(lambda: self.state()["phase"] == phase, f"the phase is {phase}")

    def start_game(self) -> None:
        """Wait until the players have begun the game, by the button at the board."""
        self.comes_to("play")
        until(lambda: self.board is not None and self.board.look()["lights"], "the board is lit by the service")

    def play(self, turns: int) -> dict[str, Any]:
        """Wait for ``turns`` more turns of the players, or the game's end; return the state after the last."""
        number = self.state()["number"] + turns
        state: dict[str, Any] = until(
            lambda: ((now := self.state())["number"] >= number or now["phase"] == "over") and now,
            f"turn {number}",
            GAME_SECONDS,
        )
        return state

    def play_to_the_end(self) -> dict[str, Any]:
        """Wait while the players play the game to its end; return the state after it."""
        state: dict[str, Any] = until(
            lambda: (now := self.state())["phase"] == "over" and now, "the game is over", GAME_SECONDS
        )
        return state

    # The journal of games, read by the service's own user.

    def list_of_games(self) -> list[dict[str, Any]]:
        """The games in the journal."""
        games: list[dict[str, Any]] = json.loads(self.machine.read(f"{GAMES} list --json --folder {JOURNAL}"))
        return games

    def saved(self) -> Said:
        """The game as the journal has saved it."""
        game = json.loads(self.machine.read(f"{GAMES} export --format json --folder {JOURNAL} 1"))
        return Said(
            game["header"],
            [entry["event"] for entry in game["entries"]],
            [ruling for entry in game["entries"] for ruling in entry["rulings"]],
        )

    def is_kept(self) -> None:
        """Fail where the journal lacks anything of which a life of the service had said that it is on the disk."""
        promises = self.record.promises()
        assert any(promised.rulings for promised in promises), "nothing was promised, so nothing is shown"
        kept = self.saved()
        for promised in promises:
            assert kept.header == promised.header
            assert kept.events[: len(promised.events)] == promised.events
            assert kept.rulings[: len(promised.rulings)] == promised.rulings

    def resume(self) -> None:
        """Resume the unfinished game that the service offers; fail where something promised is missing.

        Raises:
            OverMeanwhileError: nothing is missing, but the journal has the game's end.
        """

        def is_offered() -> bool:
            phase = self.state()["phase"]
            if phase == "setup" and self.saved().rulings[-1]["ruling"] == "game_over":
                self.is_kept()
                raise OverMeanwhileError
            return bool(phase == "offered")

        until(is_offered, "the unfinished game is offered", START_SECONDS)
        assert self.stream.do(do={"game": "resume"}).keys() >= {"done"}
        until(lambda: self.state()["phase"] in ("play", "sand"), "the game is resumed")
        self.is_kept()

    def is_true(self) -> None:
        """Fail unless the service comes to see the rings and glasses as they lie and stand outside."""
        assert self.board is not None

        def is_so() -> bool:
            assert self.board is not None
            return seen_of(self.state()) == truth_of(self.board.look())

        until(is_so, "the service sees what is on the board")


def seen_of(state: dict[str, Any]) -> tuple[dict[str, int], set[tuple[str, str]]]:
    """Rings by tube, and glasses with their places, as the service's state has them."""
    rings = {tube: count for tube, count in state["rings_seen"].items() if count}
    return rings, {(glass["owner"], glass["standing"]) for glass in state["glasses"] if glass["standing"]}


def truth_of(look: dict[str, Any]) -> tuple[dict[str, int], set[tuple[str, str]]]:
    """The same as eyes see it at the board."""
    rings = {tube: count for tube, count in look["rings"].items() if count}
    return rings, {(glass["owner"], glass["tube"]) for glass in look["glasses"] if glass["tube"]}


@contextmanager
def booted(folder: Path) -> Iterator[Table]:
    """A table in a machine that is switched on; it is off afterwards. The image is made if there is none."""
    page, live, hands = free_ports(3)
    ports = Ports(page=page, live=live, hands=hands)
    table = Table(Machine(ensure_image(chosen()), folder, ports), folder, ports)
    try:
        print(f"The console answered after {table.boot():.0f} s.", flush=True)
        yield table
    finally:
        table.close()
