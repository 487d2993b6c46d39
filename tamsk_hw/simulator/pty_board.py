"""A simulated board at a pseudo-terminal.

The port is a symlink that stays the same however often the cable is pulled. ``step``, which never blocks, is for
a program with its own loop, ``run_in_thread`` for programs and tests without one. Bytes sent while nobody has the
port open are lost, as on a real line; a program that does not read loses the oldest frames, always whole ones.
"""

import errno
import os
import select
import threading
import time
import tty
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

from tamsk_hw.board.protocol import ResetCause
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.errors import ConfigError, LinkError
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.sensors import Noise
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.simulator.truth import Truth
from tamsk_hw.simulator.world import World

#: Frames kept for a slow reader: about an eighth of a second while hands move.
KEPT_FRAMES = 50

#: Seconds of real time between two steps of the thread.
PAUSE = 0.002


class PtyBoard:
    """A simulated or emulated board on a pseudo-terminal with a stable name."""

    def __init__(self, board: SimulatedBoard, link: Path, *, reset_on_open: bool = False) -> None:
        """Make the port ``link``, a symlink; one left behind by an earlier program is replaced.

        ``reset_on_open``: reset the controller when a program opens the port, as an Arduino does. Raises
        `LinkError` when ``link`` cannot be made, or exists and is no symlink.
        """
        self.board = board
        self.link = Path(link)
        self.port = str(link)
        """The name to open, e.g. with pyserial."""
        self.is_open = False
        """A program had the port open at the last step."""
        #: held while the board steps; hold it to act upon the world from another thread
        self.lock = threading.RLock()
        #: whole frames that were lost because nobody read them in time
        self.dropped = 0
        #: bytes that the line has taken
        self.sent = 0
        self._reset_on_open = reset_on_open
        self._master: int | None = None
        self._target = ""
        self._begun = b""
        self._waiting: deque[bytes] = deque()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._stepped = threading.Condition(self.lock)
        self._failure: BaseException | None = None
        self.replug()

    @property
    def plugged(self) -> bool:
        """The cable is in."""
        return self._master is not None

    # ---- the cable

    def unplug(self) -> None:
        """Pull the cable: the port disappears, the board keeps running."""
        with self.lock:
            if self._master is None:
                return
            os.close(self._master)
            self._master = None
            self.is_open = False
            self._begun = b""
            self._waiting.clear()
            # only our own: another board may have taken the name over
            with suppress(OSError):
                if os.readlink(self.link) == self._target:
                    self.link.unlink()

    def replug(self) -> None:
        """Put the cable in: the port appears under the same name. Raises `LinkError` as the constructor does."""
        with self.lock:
            if self._master is not None:
                return
            if self.link.exists() and not self.link.is_symlink():
                raise LinkError(f"{self.link}: is no symlink; allowed is a name that is free for the board's port")
            master, slave = os.openpty()
            try:
                # raw before anybody opens it, or the terminal would echo the first bytes back to the board
                tty.setraw(slave)
                self._target = os.ttyname(slave)
                os.set_blocking(master, False)
                self._make_link()
            except OSError as error:
                os.close(master)
                raise LinkError(f"{self.link}: the board's port cannot be made: {error.strerror}") from error
            finally:
                os.close(slave)
            self._master = master

    def close(self) -> None:
        """Stop the thread, pull the cable, remove the symlink. A second call does nothing."""
        self.stop()
        self.unplug()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def restore_link(self) -> None:
        """Make the symlink again where others have removed it while the cable is in."""
        with self.lock, suppress(OSError):
            if self.plugged and not os.path.lexists(self.link):
                self.link.parent.mkdir(parents=True, exist_ok=True)
                self._make_link()

    def _make_link(self) -> None:
        beside = self.link.with_name(f"{self.link.name}.{os.getpid()}.new")
        beside.symlink_to(self._target)
        beside.replace(self.link)

    # ---- running

    def step(self, now: float) -> None:
        """Take what the host wrote, run the board to ``now`` (simulated seconds) and send what is due.

        Never blocks; a ``now`` that is past runs nothing.
        """
        with self.lock:
            self._look_for_reader()
            self._take()
            self._pass_on([frame for _, frame in self.board.advance(max(now, self.board.now))])
            self._stepped.notify_all()

    def run_in_thread(self, clock: Callable[[], float]) -> None:
        """Step in a separate thread until `stop`; ``clock`` returns the simulated seconds, real or scaled."""
        if self._thread is not None:
            raise LinkError(f"{self.link}: the simulated board already runs in a thread")
        self._stop.clear()
        self._thread = threading.Thread(target=self._run, args=(clock,), name="simulated board", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread of `run_in_thread`, if it runs."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._stop.set()
            thread.join()

    def wait_until(self, t: float) -> None:
        """Wait until the thread has run the board to ``t`` simulated seconds.

        Raises `LinkError` when no thread runs or the thread has failed.
        """
        with self._stepped:
            while self.board.now < t:
                if self._failure is not None:
                    raise LinkError(
                        f"{self.link}: the simulated board stopped: {self._failure}"
                    ) from self._failure
                if self._thread is None:
                    raise LinkError(f"{self.link}: the simulated board does not run; call run_in_thread or step")
                self._stepped.wait(0.5)

    def _run(self, clock: Callable[[], float]) -> None:
        try:
            while not self._stop.is_set():
                self.step(clock())
                self._stop.wait(PAUSE)
        except BaseException as error:
            with self._stepped:
                self._failure = error
                self._stepped.notify_all()
            raise

    # ---- the line

    def _look_for_reader(self) -> None:
        """Notice when a program opens or closes the port: the other side hangs up while it is closed."""
        if self._master is None:
            return
        poll = select.poll()
        poll.register(self._master, 0)
        opened = not any(events & select.POLLHUP for _, events in poll.poll(0))
        if opened and not self.is_open and self._reset_on_open:
            self.board.reset(ResetCause.EXTERNAL)
        if not opened:
            self._begun = b""
            self._waiting.clear()
        self.is_open = opened

    def _take(self) -> None:
        """Pass the host's bytes to the controller."""
        while self._master is not None:
            try:
                data = os.read(self._master, 4096)
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno != errno.EIO:  # EIO: nobody has the port open
                    raise
                return
            if not data:
                return
            self.board.receive(data)

    def _pass_on(self, frames: list[bytes]) -> None:
        """Send frames to the program that has the port open; without one they are lost."""
        if not self.is_open:
            return
        for frame in frames:
            if len(self._waiting) >= KEPT_FRAMES:
                self._waiting.popleft()
                self.dropped += 1
            self._waiting.append(frame)
        self._give()

    def _give(self) -> None:
        """Write frames until the line takes no more; a frame that was begun is finished first."""
        while self._master is not None and (self._begun or self._waiting):
            if not self._begun:
                self._begun = self._waiting.popleft()
            try:
                written = os.write(self._master, self._begun)
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno != errno.EIO:
                    raise
                return
            self.sent += written
            self._begun = self._begun[written:]


class RunningBoard(PtyBoard):
    """A simulated board on a pseudo-terminal that runs in real time, or ``speed`` times as fast.

    Actions of `World` (`lift`, `seat`, `drop`, `wait`, …) and `move` begin now and return when they are done, with
    the simulated time of that. Faults are put in and cleared as by `SimulatedBoard`.
    """

    def __init__(
        self,
        link: Path,
        *,
        seed: int = 1,
        speed: float = 1.0,
        setup: WorldStart = WorldStart.CORNERS,
        wiring: Wiring | None = None,
        holders: bool | None = None,
        noise: Noise | None = None,
        reset_on_open: bool = False,
    ) -> None:
        """Switch on a board with the port ``link``; end with `close`, or use it in a ``with`` statement.

        ``wiring``: its map, by default the reference board's.
        """
        if not 0 < speed <= 1000:
            raise ConfigError(f"speed: {speed!r}; allowed is more than 0, up to 1000")
        super().__init__(
            SimulatedBoard(World(seed, setup=setup), wiring=wiring, holders=holders, noise=noise),
            link,
            reset_on_open=reset_on_open,
        )
        began = time.monotonic()
        self.run_in_thread(lambda: (time.monotonic() - began) * speed)

    @property
    def world(self) -> World:
        """The board's world; hold `lock` while reading more than one value."""
        return self.board.world

    @property
    def now(self) -> float:
        """Simulated seconds since it was switched on."""
        return self.board.now

    @property
    def truth(self) -> list[Truth]:
        """The true history so far."""
        with self.lock:
            return list(self.world.truth)

    def do(self, action: Callable[[World], float | None]) -> float:
        """Begin an action and wait until it is done: ``board.do(lambda world: world.knock(Tube.D1))``."""
        with self.lock:
            done = action(self.world)
            if done is None:
                return self.now
        self.wait_until(done)
        return done

    def move(self, player: Player, origin: Tube, target: Tube, *, turned: bool = True) -> float:
        """Lift the glass in one tube and seat it in another."""
        self.do(lambda world: world.lift(player, origin))
        return self.do(lambda world: world.seat(player, target, turned=turned))

    def __getattr__(self, name: str) -> Callable[..., float]:
        """An action of `World` or `SimulatedBoard`: ``board.lift(Player.RED, Tube.D1)`` returns when done."""
        if name.startswith("_") or name == "board":
            raise AttributeError(name)
        of = self.world if hasattr(World, name) else self.board
        action: Callable[..., float | None] = getattr(of, name)
        return lambda *values, **more: self.do(lambda world: action(*values, **more))
