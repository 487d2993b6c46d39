"""The simulated board: a world, its sensors, and a controller that keeps firmware/PROTOCOL.md. No I/O, no
clock.

``advance`` runs world and controller to an instant and gives the frames that have left until then, ``receive``
takes what the host wrote. The controller scans every 2.5 ms; here a scan is only reckoned when something can
have changed, so a board at rest costs next to nothing. The same seed and the same calls at the same times give
the same bytes, in however many steps the time is walked through::

    board = SimulatedBoard(World(7))
    for sent, frame in board.advance(1.0):
        ...
    board.world.lift(Player.RED, Tube.D1)
"""

from __future__ import annotations

from collections import deque
from math import ceil
from random import Random

from tamsk_hw.board.protocol import (
    NO_BOARD_IDS,
    Decoder,
    FaultFlag,
    Heartbeat,
    Hello,
    Identify,
    ResetCause,
    SelfTest,
    SelfTestReport,
    Set,
    SetBoardId,
    Settings,
    SettingsReport,
    Snapshot,
    encode,
)
from tamsk_hw.board.protocol.messages import FIELDS, PROTOCOL_MAJOR, PROTOCOL_MINOR, REFERENCES
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.game.players import PLAYERS
from tamsk_hw.simulator.faults import Fault
from tamsk_hw.simulator.sensors import CalibrationValues, Noise, Sensors
from tamsk_hw.simulator.truth import FaultBegan, FaultEnded, WorldError
from tamsk_hw.simulator.world import World

#: Seconds from one scan of the sensors to the next, by the controller's own clock.
SCAN = 0.0025

#: Seconds from a scan's end to the first byte of its frame.
COMPOSE = 0.0003

#: Seconds that a byte takes on the line at 500 000 baud.
BYTE = 2e-5

#: Seconds without a frame from the host that it knows after which the controller says that it is not heard.
HOST_SILENCE = 3.0

#: Seconds that a self-test takes.
SELF_TEST_SECONDS = 0.06

#: Seconds that the controller takes to write a board id: six bytes, one in every second scan.
BOARD_ID_SECONDS = 0.032

#: Steps between the lowest and the highest reading of a field at rest: with a smaller deadband every scan is sent.
NOISE_SPAN = 2

FIRMWARE_VERSION = (1, 0, 0)

BOARD_ID = 0x7A3517

_HOST_SILENT = int(FaultFlag.HOST_SILENT)


class SimulatedBoard:
    """A board with its controller on a serial line, in simulated seconds."""

    _self_test_ends: float | None
    _id_written: float | None

    def __init__(
        self,
        world: World,
        *,
        wiring: Wiring | None = None,
        holders: bool | None = None,
        noise: Noise | None = None,
        board_id: int = BOARD_ID,
        clock_rate: float = 1.0,
        boot_seconds: float = 0.05,
    ) -> None:
        """A board that is switched on at `World.now`; its HELLO comes ``boot_seconds`` later.

        ``wiring``: the reference board's without one. ``holders``: load cells under the ring holders (as the
        wiring says without one). ``board_id``: one of `NO_BOARD_IDS` for a board that was never given one.
        ``clock_rate``: controller seconds in a true second, 0.995 … 1.005 for a real
        one.
        """
        self.world = world
        self.wiring = wiring or load_wiring()
        self.holders = bool(self.wiring.holders) if holders is None else holders
        self.sensors = Sensors(world, self.wiring, noise or Noise())
        self.board_id = board_id
        self._new_id = board_id
        self._id_written = None
        self._id_answers = 0
        self.settings = Settings()
        #: snapshots made since the beginning
        self.snapshots = 0
        self._boot_seconds = boot_seconds
        self._clock_rate = clock_rate
        self._boot_id = Random(f"{world.seed}/boot").getrandbits(31)
        self._out: deque[tuple[float, bytes]] = deque()
        self._line_free = 0.0
        self._silent = False
        self._to_drop = 0
        self._to_corrupt = 0
        self._damage = Random(f"{world.seed}/damage")
        self._boot(ResetCause.POWER_ON)

    # ---- running

    @property
    def now(self) -> float:
        """Simulated seconds to which the board has run; those of its world."""
        return self.world.now

    def advance(self, t: float) -> list[tuple[float, bytes]]:
        """Run world and controller to ``t`` seconds.

        Gives what has left the board until then, in order: (when its last byte left, bytes of a frame). Raises
        `WorldError` when ``t`` is past.
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
        gone: list[tuple[float, bytes]] = []
        out = self._out
        while out and out[0][0] <= t:
            gone.append(out.popleft())
        return gone

    def receive(self, data: bytes) -> None:
        """Take bytes that the host wrote, now. A board that is booting or silent does not hear them."""
        if self._silent or not self._up:
            return
        before = self._decoder.counters
        messages = self._decoder.feed(data)
        after = self._decoder.counters
        if (after.crc_errors, after.malformed) != (before.crc_errors, before.malformed):
            self._passing_flags |= int(FaultFlag.RECEIVE_ERROR)
            self._look_again = True
        for message in messages:
            match message:
                case Identify():
                    self._hear()
                    self._send(self._hello())
                case Set():
                    self._hear()
                    if message.settings.problem() is None:
                        self.settings = message.settings
                        self.sensors.light_time = message.settings.light_time
                        self._look_again = True
                    self._send(encode(SettingsReport(self._next_seq(), self.settings)))
                case SelfTest():
                    self._hear()
                    if self._self_test_ends is None:
                        self._self_test_ends = self.world.now + SELF_TEST_SECONDS
                        self._look_again = True
                case Heartbeat():
                    self._hear()
                case SetBoardId():
                    self._hear()
                    self._take_board_id(message.board_id)

    # ---- faults

    def put_fault(self, fault: Fault) -> None:
        """Break a part (`tamsk_hw.simulator.faults`). Raises `WorldError` for one that the board does not have."""
        if fault not in self.sensors.faults:
            self.sensors.set_faults((*self.sensors.faults, fault))
            self.world.note(FaultBegan(self.now, str(fault)))

    def clear_fault(self, fault: Fault) -> None:
        """Mend a part that was broken; one that is not broken stays as it is."""
        if fault in self.sensors.faults:
            self.sensors.set_faults(tuple(each for each in self.sensors.faults if each != fault))
            self.world.note(FaultEnded(self.now, str(fault)))

    def reset(self, cause: ResetCause = ResetCause.EXTERNAL) -> None:
        """Reset the controller now: a new boot id, time from 0, settings as after power-on, frames cut off."""
        self.world.note(FaultBegan(self.now, f"reset {cause.name}"))
        self._boot(cause)

    def go_silent(self) -> None:
        """The controller hangs: it sends nothing and hears nothing until `speak` or `reset`."""
        self._silent = True
        self._out.clear()
        self.world.note(FaultBegan(self.now, "silent"))

    def speak(self) -> None:
        """A silent controller goes on where it was."""
        if self._silent:
            self._silent = False
            self._look_again = True
            self.world.note(FaultEnded(self.now, "silent"))

    def inject(self, data: bytes) -> None:
        """Bytes of noise on the line, now, behind what is under way."""
        self._queue(data)

    def drop_frames(self, count: int) -> None:
        """Lose the next ``count`` frames on the line."""
        self._to_drop += count

    def corrupt_frames(self, count: int) -> None:
        """Turn over one bit in each of the next ``count`` frames."""
        self._to_corrupt += count

    # ---- truth for tests and services

    def calibration_values(self) -> CalibrationValues:
        """What a calibration walk over this board would have measured."""
        return self.sensors.calibration_values()

    @property
    def boot_id(self) -> int:
        """The boot id of the HELLO since the last reset."""
        return self._boot_id

    def controller_time(self, t: float) -> int:
        """The controller's microseconds, modulo 2**32, at true time ``t``."""
        return round((t - self._booted) * self._clock_rate * 1e6) & 0xFFFFFFFF

    # ---- the controller

    def _boot(self, cause: ResetCause) -> None:
        self._booted = self.world.now
        self._boot_id += 1
        self._reset_cause = cause
        self._up = False
        self._silent = False
        self._seq = 0
        self._decoder = Decoder()
        self.settings = Settings()
        self.sensors.light_time = self.settings.light_time
        self._passing_flags = 0
        if self._id_written is not None:
            # cut off in the midst of it, the record is neither the old one nor the new
            self.board_id = 0
            self._id_written = None
            self._id_answers = 0
        self._silence_from = self._booted
        self._self_test_ends = None
        self._scan_period = SCAN / self._clock_rate
        self._first_scan = self._booted + self._boot_seconds
        self._out.clear()
        self._line_free = self._booted
        # what the last scan and the last snapshot had
        self._scan = -1
        self._seen = (-1, -1)
        self._sent_scan = -(10**9)
        self._sent_standing = -1
        self._sent_analog = bytes(FIELDS + REFERENCES)
        self._sent_bits = (-1, -1)
        self._sent_holders = (0, 0)
        self._sent_flags = 0
        self._sent_version = -1
        self._look_again = True

    def _scan_at(self, t: float) -> int:
        """Number of the first scan that is not before ``t``."""
        return ceil((t - self._first_scan) / self._scan_period - 1e-6)

    def _time_of(self, scan: int) -> float:
        return self._first_scan + scan * self._scan_period

    def _due(self) -> float:
        """When the controller next has to be looked at."""
        if not self._up:
            return self._first_scan
        if self._silent:
            return float("inf")
        world, settings = self.world, self.settings
        shortest = ceil(settings.shortest_interval / 2500)
        scan = self._sent_scan + max(shortest, settings.longest_interval // 2500)
        if (
            self._look_again
            or world.moving
            or (world.version, self.sensors.version) != self._seen
            or (self.holders and world.unquiet_until > self._time_of(self._scan))
            or (settings.field_deadband < NOISE_SPAN and self.sensors.field_noise)
        ):
            change = world.now
        else:
            change = self.sensors.next_change()
            if (due_in_world := world.next_change()) is not None:
                change = min(change, due_in_world)
            if self._silence_from > self._time_of(self._scan):
                change = min(change, self._silence_from)
        if change < self._time_of(scan):
            # counted from the last scan, not the last snapshot: while a magnet moves within the deadband, not
            # every scan is reckoned
            scan = min(scan, max(self._scan + shortest, self._scan_at(change)))
        due = self._time_of(scan)
        if self._self_test_ends is not None:
            due = min(due, self._self_test_ends)
        if self._id_written is not None:
            due = min(due, self._id_written)
        return max(due, world.now)

    def _work(self, t: float) -> None:
        """Do what `_due` gave the time of."""
        if not self._up:
            self._up = True
            # the zero byte ends what stood on the line before
            self._send(b"\0" + self._hello())
            return
        if self._self_test_ends is not None and t >= self._self_test_ends:
            self._self_test_ends = None
            self._look_again = True
            self._send(encode(SelfTestReport(self._next_seq(), self.sensors.self_test())))
            return
        if self._id_written is not None and t >= self._id_written:
            self._id_written = None
            self.board_id = self._new_id
            for _ in range(self._id_answers):
                self._send(self._hello())
            self._id_answers = 0
            return
        self._look(self._scan_at(t), t)

    def _look(self, scan: int, t: float) -> None:
        """Scan the sensors; send a snapshot when anything moved or it is time."""
        sensors, settings = self.sensors, self.settings
        self._scan = scan
        self._look_again = False
        self._seen = (self.world.version, sensors.version)
        standing = sensors.fields(t)
        bits = sensors.rings() if self._self_test_ends is None else self._sent_bits
        holders = (sensors.holder(0, t), sensors.holder(1, t)) if self.holders else (0, 0)
        flags = self._flags_at(t)
        due = (
            scan - self._sent_scan >= settings.longest_interval // 2500
            or bits != self._sent_bits
            or flags != self._sent_flags
        )
        if not due and self.holders:
            due = any(
                abs(new - old) > settings.holder_deadband
                for new, old in zip(holders, self._sent_holders, strict=True)
            )
        analog: tuple[bytes, bytes] | None = None
        deadband = settings.field_deadband
        if not due and (
            standing != self._sent_standing or sensors.version != self._sent_version or deadband < NOISE_SPAN
        ):
            analog = sensors.analog(standing, scan)
            due = any(
                new - old > deadband or old - new > deadband
                for new, old in zip(analog[0] + analog[1], self._sent_analog, strict=True)
            )
        if not due:
            return
        fields, references = analog or sensors.analog(standing, scan)
        self._sent_scan = scan
        self._sent_standing = standing
        self._sent_analog = fields + references
        self._sent_bits = bits
        self._sent_holders = holders
        self._sent_version = sensors.version
        self._sent_flags = flags & ~self._passing_flags
        self._passing_flags = 0
        snapshot = Snapshot(
            self._next_seq(),
            self.controller_time(t),
            bits[0],
            bits[1],
            fields,
            references,
            holders,
            flags,
        )
        self.snapshots += 1
        self._send(encode(snapshot), t + COMPOSE)

    def _flags_at(self, t: float) -> int:
        flags = self._passing_flags
        if t >= self._silence_from:
            flags |= _HOST_SILENT
        if self._self_test_ends is not None:
            flags |= int(FaultFlag.SELF_TEST)
        if self.sensors.faults and self.holders:
            red, black = self.sensors.holders_silent()
            flags |= red * int(FaultFlag.HOLDER_RED_SILENT) | black * int(FaultFlag.HOLDER_BLACK_SILENT)
        return flags

    def _take_board_id(self, board_id: int) -> None:
        """Begin to write an id, and answer when it is written; one that means none is answered at once."""
        if board_id in NO_BOARD_IDS:
            self._send(self._hello())
            return
        self._new_id = board_id
        self._id_written = self.world.now + BOARD_ID_SECONDS
        self._id_answers += 1

    def _hear(self) -> None:
        """The host is there."""
        if self._sent_flags & _HOST_SILENT:
            self._look_again = True
        self._silence_from = self.world.now + HOST_SILENCE

    def _hello(self) -> bytes:
        return encode(
            Hello(
                self._next_seq(),
                (PROTOCOL_MAJOR, PROTOCOL_MINOR),
                FIRMWARE_VERSION,
                self.board_id,
                self._boot_id,
                self._reset_cause,
                self.wiring.hash,
                holders=len(PLAYERS) if self.holders else 0,
            )
        )

    def _next_seq(self) -> int:
        seq = self._seq
        self._seq = (seq + 1) & 0xFF
        return seq

    def _send(self, frame: bytes, earliest: float | None = None) -> None:
        """Put a frame on the line, with what the line does to it."""
        if self._to_drop:
            self._to_drop -= 1
            return
        if self._to_corrupt:
            self._to_corrupt -= 1
            damaged = bytearray(frame)
            damaged[self._damage.randrange(len(frame) - 1)] ^= 1 << self._damage.randrange(8)
            frame = bytes(damaged)
        self._queue(frame, earliest)

    def _queue(self, data: bytes, earliest: float | None = None) -> None:
        start = max(self._line_free, self.world.now if earliest is None else earliest)
        self._line_free = start + len(data) * BYTE
        self._out.append((self._line_free, data))
