"""The far side of QEMU's ``usb-redir``: brings a converter to a guest, transfer by transfer. It does no I/O."""

import struct
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tests.machine.usb.device import IN, EndpointKind, SerialConverter, Setup, StallError
from tests.machine.usb.packets import Capability, PacketCodec, PacketType, TransferStatus, UsbredirPacket

_CONNECT: Final = struct.Struct("<BBBBHHH")
_CONTROL: Final = struct.Struct("<BBBBHHH")
_BULK: Final = struct.Struct("<BBHIH")
_SHORT_BULK: Final = struct.Struct("<BBHI")
_INTERRUPT: Final = struct.Struct("<BBH")

FULL_SPEED: Final = 1

#: usbredir's tables have a row for each of 16 endpoints out, then for each of 16 endpoints in.
_ROWS: Final = 32
_NO_ENDPOINT: Final = 255


@dataclass
class _Reading:
    """A transfer in that the host has begun: what of it has come."""

    number: int
    wanted: int
    gathered: bytearray = field(default_factory=bytearray)


class UsbRedirection:
    """A connection to QEMU, with a converter that can be attached and taken away.

    Bytes for QEMU are taken with `take`. ``line`` is called with the bytes for the serial line. The time is an
    argument everywhere (seconds).
    """

    def __init__(self, converter: SerialConverter, line: Callable[[bytes], None]) -> None:
        self.converter = converter
        self._line = line
        self._codec = PacketCodec()
        self._out = bytearray(self._codec.hello())
        self._bulk = {
            each.address: each for each in converter.description.endpoints if each.kind is EndpointKind.BULK
        }
        self._interrupts = [
            each for each in converter.description.endpoints if each.kind is EndpointKind.INTERRUPT
        ]
        self._readings: deque[_Reading] = deque()
        self._reports = False
        self._configuration = 0
        self._wants_attached = False
        self._attached = False
        self.muted_until = float("-inf")
        """Until this time the device answers every request for bulk data with NAK."""
        self.stalls = 0
        """Transfers in that are yet to be answered with STALL."""
        self.resets = 0
        """The number of times the host has reset the device."""

    @property
    def is_attached(self) -> bool:
        """QEMU has been shown the device."""
        return self._attached

    def take(self) -> bytes:
        """The bytes for QEMU since the last call."""
        out = bytes(self._out)
        self._out.clear()
        return out

    # The plug.

    def attach(self, now: float) -> None:
        """Plug the device in, as soon as QEMU has said hello."""
        self._wants_attached = True
        self._show(now)

    def detach(self) -> None:
        """Pull the device out. Transfers that have begun are lost with it."""
        self._wants_attached = False
        if self._attached:
            self._attached = False
            self._readings.clear()
            self._send(PacketType.DEVICE_DISCONNECT, 0)

    def _show(self, now: float) -> None:
        if self._attached or not (self._wants_attached and self._codec.has_greeted):
            return
        description = self.converter.description
        self.converter.reset(now)
        self._configuration = 0
        self._attached = True
        interface = struct.pack("<I", 1) + b"".join(
            bytes((value,)).ljust(_ROWS, b"\0") for value in (0, *description.interface)
        )
        self._send(PacketType.INTERFACE_INFO, 0, interface)
        self._send(PacketType.ENDPOINT_INFO, 0, self._endpoint_info())
        connect = _CONNECT.pack(
            FULL_SPEED,
            description.device_class,
            0,
            0,
            description.vendor,
            description.product,
            description.version,
        )
        self._send(PacketType.DEVICE_CONNECT, 0, connect if self._has_version() else connect[:-2])

    def _has_version(self) -> bool:
        return self._codec.can(Capability.DEVICE_VERSION)

    def _endpoint_info(self) -> bytes:
        kinds, intervals = bytearray([_NO_ENDPOINT] * _ROWS), bytearray(_ROWS)
        sizes = [0] * _ROWS
        for row in (0, _ROWS // 2):
            kinds[row], sizes[row] = EndpointKind.CONTROL, self.converter.description.endpoint_0
        for each in self.converter.description.endpoints:
            row = (each.address & IN) >> 3 | each.address & 0x0F
            kinds[row], intervals[row], sizes[row] = each.kind, each.interval, each.longest
        info = bytes(kinds + intervals + bytearray(_ROWS))
        return info + (struct.pack(f"<{_ROWS}H", *sizes) if self._codec.can(Capability.MAX_PACKET_SIZE) else b"")

    # What QEMU sends.

    def receive(self, data: bytes, now: float) -> None:
        """Take bytes from QEMU, and do what they ask for.

        Raises:
            UsbredirError: they are no packets of usbredir.
        """
        for packet in self._codec.decode(data):
            self._handle(packet, now)
        self.advance(now)

    def _handle(self, packet: UsbredirPacket, now: float) -> None:
        number, body = packet.number, packet.body
        match packet.type:
            case PacketType.HELLO:
                self._show(now)
            case PacketType.CANCEL_DATA_PACKET:
                self._cancel(number)
            case _ if not self._attached:
                pass  # was on its way when the device went
            case PacketType.RESET:
                self.resets += 1
                self._configuration = 0
                self.converter.reset(now)
            case PacketType.SET_CONFIGURATION | PacketType.GET_CONFIGURATION:
                if packet.type is PacketType.SET_CONFIGURATION:
                    self._configuration = body[0]
                status = bytes((TransferStatus.SUCCESS, self._configuration))
                self._send(PacketType.CONFIGURATION_STATUS, number, status)
            case PacketType.SET_ALTERNATE | PacketType.GET_ALTERNATE:
                # There is one setting; asking for another is an error of the host.
                fits = packet.type is PacketType.GET_ALTERNATE or body[1] == 0
                outcome = TransferStatus.SUCCESS if fits else TransferStatus.STALL
                self._send(PacketType.ALTERNATE_STATUS, number, bytes((outcome, body[0], 0)))
            case PacketType.START_INTERRUPT_RECEIVING | PacketType.STOP_INTERRUPT_RECEIVING:
                self._reports = packet.type is PacketType.START_INTERRUPT_RECEIVING
                status = bytes((TransferStatus.SUCCESS, body[0]))
                self._send(PacketType.INTERRUPT_RECEIVING_STATUS, number, status)
            case PacketType.CONTROL:
                self._control(number, body, now)
            case PacketType.BULK:
                self._transfer(number, body, now)
            case _:
                pass  # filters and acknowledgements ask for nothing

    def _control(self, number: int, body: bytes, now: float) -> None:
        endpoint, request, request_type, _, value, index, length = _CONTROL.unpack_from(body)
        setup = Setup(request_type, request, value, index, length)
        try:
            answer = self._answer(setup, now)[:length]
            status = TransferStatus.SUCCESS
        except StallError:
            answer, status = b"", TransferStatus.STALL
        taken = len(answer) if request_type & IN else (length if status is TransferStatus.SUCCESS else 0)
        head = _CONTROL.pack(endpoint, request, request_type, status, value, index, taken)
        self._send(PacketType.CONTROL, number, head + answer)

    def _answer(self, setup: Setup, now: float) -> bytes:
        if setup.is_vendor:
            return self.converter.vendor_request(setup, now)
        match setup.request_type, setup.request:
            case 0x80, 6:  # GET_DESCRIPTOR
                descriptor = self.converter.description.descriptor(setup.value >> 8, setup.value & 0xFF)
                if descriptor is None:
                    raise StallError
                return descriptor
            case ((0x80 | 0x81 | 0x82), 0):  # GET_STATUS: powered by the bus, nothing is halted
                return bytes(2)
            case 0x02, (1 | 3):  # CLEAR_FEATURE and SET_FEATURE of an endpoint
                return b""
            case _:
                raise StallError

    def _transfer(self, number: int, body: bytes, now: float) -> None:
        address, _, length, *_ = self._bulk_header.unpack_from(body)
        if address not in self._bulk:
            self._send_bulk(number, address, TransferStatus.INVALID, 0)
        elif address & IN:
            self._readings.append(_Reading(number, length))
        else:
            out = self.converter.to_line(body[self._bulk_header.size :], now)
            if out:
                self._line(out)
            self._send_bulk(number, address, TransferStatus.SUCCESS, length)

    def _cancel(self, number: int) -> None:
        for reading in self._readings:
            if reading.number == number:
                self._readings.remove(reading)
                self._finish(reading, TransferStatus.CANCELLED)
                return

    # What the converter sends.

    def advance(self, now: float) -> None:
        """Send what the converter has for the host at this time.

        Packets are put together to transfers as a host controller does: the first that is shorter than the
        endpoint's longest ends the transfer, or the one that fills it.
        """
        if not self._attached or now < self.muted_until:
            return
        for address in (each for each in self._bulk if each & IN):
            longest = self._bulk[address].longest
            while self._readings:
                reading = self._readings[0]
                if self.stalls:
                    self.stalls -= 1
                    self._readings.popleft()
                    self._finish(reading, TransferStatus.STALL)
                    continue
                packet = self.converter.packet(address, now)
                if packet is None:
                    break
                reading.gathered += packet
                if len(packet) < longest or len(reading.gathered) + longest > reading.wanted:
                    self._readings.popleft()
                    self._finish(reading, TransferStatus.SUCCESS)
        if self._reports:
            for endpoint in self._interrupts:
                report = self.converter.packet(endpoint.address, now)
                if report is not None:
                    head = _INTERRUPT.pack(endpoint.address, TransferStatus.SUCCESS, len(report))
                    self._send(PacketType.INTERRUPT, 0, head + report)

    def next_wakeup(self, now: float) -> float:
        """Time by which `advance` should be called; infinity where only bytes can change anything."""
        if not (self._attached and self._readings):
            return float("inf")
        return max(self.converter.next_packet_at(now), self.muted_until)

    def _finish(self, reading: _Reading, status: TransferStatus) -> None:
        address = next(each for each in self._bulk if each & IN)
        data = bytes(reading.gathered) if status is TransferStatus.SUCCESS else b""
        self._send_bulk(reading.number, address, status, len(data), data)

    @property
    def _bulk_header(self) -> struct.Struct:
        """With the length's high half at its end, or without; no transfer to a converter is that long."""
        return _BULK if self._codec.can(Capability.LONG_BULK) else _SHORT_BULK

    def _send_bulk(
        self, number: int, address: int, status: TransferStatus, length: int, data: bytes = b""
    ) -> None:
        high = (0,) if self._bulk_header is _BULK else ()
        self._send(PacketType.BULK, number, self._bulk_header.pack(address, status, length, 0, *high) + data)

    def _send(self, kind: PacketType, number: int, body: bytes = b"") -> None:
        self._out += self._codec.encode(UsbredirPacket(kind, number, body))
