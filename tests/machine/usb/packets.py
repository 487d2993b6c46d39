"""The packets of usbredir 0.7, by which QEMU's ``usb-redir`` has a USB device that is elsewhere.

Source: USB Network Redirection protocol description, version 0.7 (19 May 2014), and ``usbredirproto.h``.
Numbers are little-endian, nothing is padded. Left out is what converters do not have: isochronous endpoints, bulk
streams, buffered bulk input.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

#: A longer packet is none: QEMU's longest transfer to a converter has some hundred bytes.
LONGEST: Final = 1 << 20


class UsbredirError(Exception):
    """Raised for bytes that cannot be a packet of usbredir."""


class PacketType(IntEnum):
    """The types of packets that pass between QEMU and a converter."""

    HELLO = 0
    DEVICE_CONNECT = 1
    DEVICE_DISCONNECT = 2
    RESET = 3
    INTERFACE_INFO = 4
    ENDPOINT_INFO = 5
    SET_CONFIGURATION = 6
    GET_CONFIGURATION = 7
    CONFIGURATION_STATUS = 8
    SET_ALTERNATE = 9
    GET_ALTERNATE = 10
    ALTERNATE_STATUS = 11
    START_INTERRUPT_RECEIVING = 15
    STOP_INTERRUPT_RECEIVING = 16
    INTERRUPT_RECEIVING_STATUS = 17
    CANCEL_DATA_PACKET = 21
    FILTER_REJECT = 22
    FILTER_FILTER = 23
    DEVICE_DISCONNECT_ACK = 24
    CONTROL = 100
    BULK = 101
    INTERRUPT = 103


class TransferStatus(IntEnum):
    """The outcome of a transfer."""

    SUCCESS = 0
    CANCELLED = 1
    INVALID = 2
    STALL = 4


class Capability(IntEnum):
    """Bits of the hello; a field or packet is only used where both sides have its bit."""

    DEVICE_VERSION = 1
    DISCONNECT_ACK = 3
    MAX_PACKET_SIZE = 4
    LONG_IDS = 5
    LONG_BULK = 6


#: What this side can. QEMU takes no device to an xHCI without the last three.
CAPABILITIES: Final = frozenset(Capability)

_HELLO: Final = struct.Struct("<64sI")
_SHORT: Final = struct.Struct("<III")
_LONG: Final = struct.Struct("<IIQ")


@dataclass(frozen=True)
class UsbredirPacket:
    """A packet: its type, the number by which an answer names its question, and what follows its header."""

    type: PacketType
    number: int
    body: bytes


class PacketCodec:
    """Takes a connection's bytes apart into packets, and makes bytes of packets; knows what both sides can.

    The hello always has the short header, whatever the sides can do.
    """

    def __init__(self) -> None:
        self._heard = b""
        self._both: frozenset[Capability] | None = None

    @property
    def has_greeted(self) -> bool:
        """The other side's hello has been read."""
        return self._both is not None

    def can(self, capability: Capability) -> bool:
        """Both sides have it."""
        return self._both is not None and capability in self._both

    def encode(self, packet: UsbredirPacket) -> bytes:
        """Make bytes of a packet."""
        header = _LONG if packet.type is not PacketType.HELLO and self.can(Capability.LONG_IDS) else _SHORT
        return header.pack(packet.type, len(packet.body), packet.number) + packet.body

    def hello(self) -> bytes:
        """The bytes that come first."""
        bits = sum(1 << capability for capability in CAPABILITIES)
        return self.encode(UsbredirPacket(PacketType.HELLO, 0, _HELLO.pack(b"tamsk-hw converter", bits)))

    def decode(self, data: bytes) -> Iterator[UsbredirPacket]:
        """The packets that ``data`` completes.

        Raises:
            UsbredirError: a packet is of another type, is longer than any, or comes before the hello.
        """
        self._heard += data
        while True:
            header = _LONG if self.can(Capability.LONG_IDS) else _SHORT
            if len(self._heard) < header.size:
                return
            kind, length, number = header.unpack_from(self._heard)
            if length > LONGEST or kind not in PacketType._value2member_map_:
                raise UsbredirError(f"a packet of type {kind} and {length} bytes; allowed are {list(PacketType)}")
            whole = header.size + length
            if len(self._heard) < whole:
                return
            packet = UsbredirPacket(PacketType(kind), number, self._heard[header.size : whole])
            self._heard = self._heard[whole:]
            if packet.type is PacketType.HELLO:
                self._greet(packet.body)
            elif not self.has_greeted:
                raise UsbredirError(f"{packet.type.name} before the hello")
            yield packet

    def _greet(self, body: bytes) -> None:
        if len(body) < _HELLO.size:
            raise UsbredirError(f"a hello of {len(body)} bytes; at least {_HELLO.size} are allowed")
        _, bits = _HELLO.unpack_from(body)
        self._both = frozenset(capability for capability in CAPABILITIES if bits >> capability & 1)
