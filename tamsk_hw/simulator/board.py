"""The simulated board: a world, its sensors, and a controller that speaks firmware/PROTOCOL.md. No I/O, no clock.

``advance`` runs world and controller to a time and returns the frames sent by then; ``receive`` takes bytes from
the host. The controller scans every 2.5 ms, but a scan is computed only when something can have changed, so a
board at rest costs next to nothing. The same seed and calls give the same bytes, whatever the steps of time::

    board = SimulatedBoard(World(7))
    for sent, frame in board.advance(1.0):
        ...
    board.world.lift(Player.RED, Tube.D1)
"""

from collections import deque
from dataclasses import dataclass
from math import ceil
from random import Random

from tamsk_hw.board import protocol
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.game.tubes import PLAYERS
from tamsk_hw.simulator.faults import BrokenPart
from tamsk_hw.simulator.sensors import NOISE_SPAN, Noise, Sensors
from tamsk_hw.simulator.truth import WorldError
from tamsk_hw.simulator.world import World

#: Seconds that the controller takes to write a board id: six bytes, one in every second scan.
WRITING = 0.032


#: Seconds that a byte takes on the line at 500 000 baud.
BYTE = 2e-5


class Line:
    """One direction of a serial line."""

    def __init__(self) -> None:
        self._under_way: deque[tuple[float, bytes]] = deque()
        self.free_at = 0.0
        """The time (seconds) from which on nothing is being sent."""

    def send(self, data: bytes, earliest: float) -> None:
        """Send bytes from ``earliest`` (seconds) on, as soon as the line is free."""
        self.free_at = max(self.free_at, earliest) + len(data) * BYTE
        self._under_way.append((self.free_at, data))

    def restart(self, t: float) -> None:
        """Discard what is under way; the line is free from ``t`` (seconds) on."""
        self._under_way.clear()
        self.free_at = t

    def take(self, t: float) -> list[tuple[float, bytes]]:
        """Remove what has been sent by ``t`` and return it in order: (when its last byte left, bytes)."""
        gone = []
        while self._under_way and self._under_way[0][0] <= t:
            gone.append(self._under_way.popleft())
        return gone


#: Seconds from one scan of the sensors to the next, by the controller's own clock.
SCAN = 0.0025

#: Seconds from a scan's end to the first byte of its frame.
COMPOSE = 0.0003

#: Scans for which snapshots follow each other quickly after a change, and the longest interval then (scans).
FOLLOWED, FOLLOWS = 40, 2

#: Seconds without a valid frame from the host after which the controller reports that the host is silent.
HOST_SILENCE = 3.0

#: Seconds from a reset to the HELLO.
BOOT_SECONDS = 0.05

#: Seconds from one converter's signals to the next converter's.
SIGNALS_EVERY = 0.125

#: As firmware/avr/version.h has it, which is not installed with the program.
FIRMWARE_VERSION = (2, 0, 0)

BOARD_ID = 0x7A3517

_HOST_SILENT = int(protocol.FaultFlag.HOST_SILENT)
_SILENT_HOLDERS = int(protocol.FaultFlag.HOLDER_RED_SILENT), int(protocol.FaultFlag.HOLDER_BLACK_SILENT)


@dataclass(frozen=True, slots=True)
class _Sent:
    """A snapshot that was sent: its scan, and what was in it."""

    scan: int = -(10**9)
    standing: int = -1
    version: int = -1
    analog: bytes = bytes(protocol.FIELDS + protocol.REFERENCES)
    bits: tuple[int, int] = (-1, -1)
    holders: tuple[int, int] = (0, 0)
    flags: int = 0


class SimulatedBoard:
    """A board with its controller on a serial line, in simulated seconds."""

    is_emulated = False
    """Its controller is modelled, not emulated with the real firmware as on the board of the tests."""

    clock_rate = 1.0
    """Controller seconds in a true second, 0.995 … 1.005 for a real one."""

    def __init__(
        self,
        world: World,
        *,
        wiring: Wiring | None = None,
        holders: bool | None = None,
        noise: Noise | None = None,
    ) -> None:
        """Switch the board on at `World.now`; its HELLO comes `BOOT_SECONDS` later.

        ``wiring``: by default the reference board's. ``holders``: load cells under the ring holders, by default as
        the wiring says.
        """
        self.world = world
        self.wiring = wiring or load_wiring()
        self.holders = bool(self.wiring.holders) if holders is None else holders
        self.sensors = Sensors(world, self.wiring, noise or Noise())
        self.board_id = self._new_board_id = BOARD_ID
        """The id in the board's memory; one of `NO_BOARD_IDS` for a board that was never given one."""
        self._id_written_at: float | None = None
        """The time at which the new id will be stored; None unless one is being written."""
        self._id_answers = 0
        """Requests to answer once the id is written."""
        self.settings = protocol.Settings()
        self.boot_id = Random(f"{world.seed}/boot").getrandbits(31)
        """The boot id of the HELLO since the last reset."""
        self._line = Line()
        self._boot(protocol.ResetCause.POWER_ON)

    # ---- running

    @property
    def now(self) -> float:
        """The world's time (seconds)."""
        return self.world.now

    def advance(self, t: float) -> list[tuple[float, bytes]]:
        """Run world and controller to ``t`` seconds; raise `WorldError` for a time that is past.

        Returns the frames sent by then, in order: (when the last byte left, bytes).
        """
        world = self.world
        if t < world.now:
            raise WorldError(f"time {t:.6f} s is past; the board is at {world.now:.6f} s and only runs forward")
        while True:
            due = self._due()
            if due > t:
                break
            if due > world.now:
                world.advance(due)
                self.sensors.advance(due)
            self._work(due)
        world.advance(t)
        self.sensors.advance(t)
        return self._line.take(t)

    def receive(self, data: bytes) -> None:
        """Take bytes that the host wrote just now; a board that is booting ignores them."""
        if not self._up:
            return
        before = self._decoder.counters
        messages = self._decoder.feed(data)
        after = self._decoder.counters
        if (after.crc_errors, after.malformed) != (before.crc_errors, before.malformed):
            self._passing_flags |= int(protocol.FaultFlag.RECEIVE_ERROR)
            self._look_again = True
        for message in messages:
            if isinstance(message, protocol.HostMessage):
                self._hear()
            match message:
                case protocol.Identify():
                    self._send(self._hello())
                case protocol.Set():
                    if message.settings.problem() is None:
                        self.settings = message.settings
                        self._look_again = True
                    self._send(protocol.encode(protocol.SettingsReport(self._next_seq(), self.settings)))
                case protocol.SelfTest():
                    self._owe_signals((1 << protocol.RING_CHIPS) - 1)
                case protocol.SetThresholds() if message.chip < protocol.RING_CHIPS:
                    if message.problem() is None:
                        first = message.chip * protocol.RING_INPUTS
                        self.sensors.thresholds[first : first + protocol.RING_INPUTS] = message.thresholds
                        self.sensors.version += 1
                    self._owe_signals(1 << message.chip)
                case protocol.SetBoardId() if message.board_id in protocol.NO_BOARD_IDS:
                    self._send(self._hello())
                case protocol.SetBoardId():
                    # An id that is still being written is abandoned.
                    self._new_board_id, self._id_written_at = message.board_id, self.now + WRITING
                    self._id_answers += 1

    # ---- faults

    def put_fault(self, fault: BrokenPart) -> None:
        """Break a part (`tamsk_hw.simulator.faults`). Raises `WorldError` for one that the board does not have."""
        if fault not in self.sensors.faults:
            self._break((*self.sensors.faults, fault))

    def clear_fault(self, fault: BrokenPart) -> None:
        """Mend a part that was broken; one that is not broken stays as it is."""
        if fault in self.sensors.faults:
            self._break(tuple(each for each in self.sensors.faults if each != fault))

    def _break(self, faults: tuple[BrokenPart, ...]) -> None:
        """Break these parts and no others; a board with a controller of its own overrides this."""
        self.sensors.set_faults(faults)

    def reset(self, cause: protocol.ResetCause = protocol.ResetCause.EXTERNAL) -> None:
        """Reset the controller now: a new boot id, time from 0, settings as after power-on, frames cut off."""
        self._boot(cause)

    # ---- the controller

    def controller_time(self, t: float) -> int:
        """The controller's microseconds, modulo 2**32, at true time ``t``."""
        return round((t - self._booted) * self.clock_rate * 1e6) & 0xFFFFFFFF

    def _boot(self, cause: protocol.ResetCause) -> None:
        self._booted = self.world.now
        self.boot_id += 1
        self._reset_cause = cause
        self._up = False
        self._seq = 0
        self._decoder = protocol.Decoder()
        self.settings = protocol.Settings()
        self.sensors.thresholds[:] = bytes(protocol.RING_BITS)
        self.sensors.version += 1
        self._passing_flags = 0
        if self._id_written_at is not None:
            # A half-written record holds neither the old id nor the new one, so it reads 0.
            self.board_id, self._id_written_at, self._id_answers = 0, None, 0
        self._silence_from = self._booted
        self._scan_period = SCAN / self.clock_rate
        self._first_scan = self._booted + BOOT_SECONDS
        self._signals_owed = self._signals_chip = 0
        """Converters whose signals are to be sent, a bit each; the next in turn."""
        self._turn_at = self._signals_at = self._between_scans(self._first_scan + SIGNALS_EVERY)
        """The time at which that is due; the time at which signals are next looked at, between two scans."""
        self._line.restart(self._booted)
        self._scan = -1
        self._seen = (-1, -1)
        self._sent = self._news = _Sent()
        """The last snapshot, and the last that differed from the one before in more than a flag, or had drifted as
        far since.
        """
        self._look_again = True

    def _scan_at(self, t: float) -> int:
        """Number of the first scan at or after ``t``."""
        return ceil((t - self._first_scan) / self._scan_period - 1e-6)

    def _time_of(self, scan: int) -> float:
        return self._first_scan + scan * self._scan_period

    def _between_scans(self, t: float) -> float:
        """The first time at or after ``t`` that lies midway between two scans."""
        half = self._scan_period / 2
        return self._time_of(self._scan_at(t - half)) + half

    def _due(self) -> float:
        """The time at which the controller next has something to do."""
        if not self._up:
            return self._first_scan
        world, settings = self.world, self.settings
        shortest = ceil(settings.shortest_interval / 2500)
        longest = settings.longest_interval // 2500
        scan = self._sent.scan + max(shortest, longest)
        following = self._sent.scan + max(shortest, min(longest, FOLLOWS))
        if following < self._news.scan + FOLLOWED:
            scan = following
        change = self._next_change()
        if change < self._time_of(scan):
            # From the last scan, not the last snapshot: a magnet that moves within the deadband needs few scans.
            scan = min(scan, max(self._scan + shortest, self._scan_at(change)))
        due = min(self._time_of(scan), self._signals_at)
        if self._id_written_at is not None:
            due = min(due, self._id_written_at)
        return max(due, world.now)

    def _next_change(self) -> float:
        """The earliest time at which a scan can differ from the last one."""
        world, last = self.world, self._time_of(self._scan)
        if (
            self._look_again
            or world.moving
            or (world.version, self.sensors.version) != self._seen
            or (self.holders and world.unquiet_until > last)
            or (self.settings.field_deadband < NOISE_SPAN and self.sensors.noise.field > 0)
        ):
            return world.now
        times = [self.sensors.next_change(), world.next_change()]
        if self._silence_from > last:
            times.append(self._silence_from)
        return min(t for t in times if t is not None)

    def _work(self, t: float) -> None:
        """Do what is due at ``t``."""
        if not self._up:
            self._up = True
            # the zero byte ends any frame that was cut off before
            self._send(b"\0" + self._hello())
            return
        if t >= self._signals_at:
            self._work_signals(t)
            return
        if self._id_written_at is not None and t >= self._id_written_at:
            self.board_id, self._id_written_at = self._new_board_id, None
            answers, self._id_answers = self._id_answers, 0
            for _ in range(answers):
                self._send(self._hello())
            return
        self._look(self._scan_at(t), t)

    def _look(self, scan: int, t: float) -> None:
        """Scan the sensors; send a snapshot if anything changed or the longest interval is over."""
        sensors, settings = self.sensors, self.settings
        self._scan = scan
        self._look_again = False
        self._seen = (self.world.version, sensors.version)
        standing = sensors.fields(t)
        bits = sensors.rings()
        holders = (sensors.holder(0, t), sensors.holder(1, t)) if self.holders else (0, 0)
        flags = self._flags_at(t)
        first = self._sent.scan < 0
        news = bits != self._sent.bits or (self.holders and self._holders_moved(holders, self._sent.holders))
        analog: tuple[bytes, bytes] | None = None
        deadband = settings.field_deadband
        if not news and (
            standing != self._sent.standing
            or sensors.version != self._sent.version
            or deadband < sensors.noise_span
        ):
            analog = sensors.analog(standing, scan)
            news = self._analog_moved(analog[0] + analog[1], self._sent.analog)
        following = scan < self._news.scan + FOLLOWED
        longest = settings.longest_interval // 2500
        if following:
            longest = min(longest, FOLLOWS)
        is_due = scan - self._sent.scan >= longest
        if not (news or flags != self._sent.flags or is_due):
            return
        fields, references = analog or sensors.analog(standing, scan)
        if not news and following and is_due:
            news = self._analog_moved(fields + references, self._news.analog) or self._holders_moved(
                holders, self._news.holders
            )
        lasting = flags & ~self._passing_flags
        self._sent = _Sent(scan, standing, sensors.version, fields + references, bits, holders, lasting)
        if news and not first:
            self._news = self._sent
        self._passing_flags = 0
        snapshot = protocol.Snapshot(
            self._next_seq(), self.controller_time(t), *bits, fields, references, holders, flags
        )
        self._send(protocol.encode(snapshot), t + COMPOSE)

    def _analog_moved(self, now: bytes, then: bytes) -> bool:
        return max(map(abs, map(int.__sub__, now, then))) > self.settings.field_deadband

    def _holders_moved(self, now: tuple[int, int], then: tuple[int, int]) -> bool:
        return any(abs(new - old) > self.settings.holder_deadband for new, old in zip(now, then, strict=True))

    def _flags_at(self, t: float) -> int:
        flags = self._passing_flags
        if t >= self._silence_from:
            flags |= _HOST_SILENT
        if self.sensors.faults and self.holders:
            for player, flag in zip(PLAYERS, _SILENT_HOLDERS, strict=True):
                flags |= self.sensors.is_silent(player) * flag
        return flags

    def _hear(self) -> None:
        """Note that the host has spoken."""
        if self._sent.flags & _HOST_SILENT:
            self._look_again = True
        self._silence_from = self.world.now + HOST_SILENCE

    def _hello(self) -> bytes:
        return protocol.encode(
            protocol.Hello(
                self._next_seq(),
                (protocol.PROTOCOL_MAJOR, protocol.PROTOCOL_MINOR),
                FIRMWARE_VERSION,
                self.board_id,
                self.boot_id,
                self._reset_cause,
                self.wiring.hash,
                holders=len(PLAYERS) if self.holders else 0,
                silent_chips=self.sensors.silent_chips,
            )
        )

    def _owe_signals(self, chips: int) -> None:
        """Send the signals of these converters, a bit each, as soon as no snapshot is on the line."""
        self._signals_owed |= chips
        self._signals_at = min(self._signals_at, self._between_scans(self.now))

    def _work_signals(self, t: float) -> None:
        """Send the signals of one converter, between two scans, unless a frame is on the line."""
        if t >= self._turn_at:
            self._signals_owed |= 1 << self._signals_chip
            self._signals_chip = (self._signals_chip + 1) % protocol.RING_CHIPS
            self._turn_at = self._between_scans(t + SIGNALS_EVERY)
        if self._line.free_at <= t:
            chip = (self._signals_owed & -self._signals_owed).bit_length() - 1
            self._signals_owed &= ~(1 << chip)
            self._send(protocol.encode(protocol.RingSignals(self._next_seq(), chip, self.sensors.signals(chip))))
        self._signals_at = self._between_scans(t + self._scan_period / 2) if self._signals_owed else self._turn_at

    def _next_seq(self) -> int:
        seq = self._seq
        self._seq = (seq + 1) & 0xFF
        return seq

    def _send(self, data: bytes, earliest: float | None = None) -> None:
        self._line.send(data, self.now if earliest is None else earliest)
