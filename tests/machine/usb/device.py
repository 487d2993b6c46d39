"""A USB device as its host sees it: descriptors, requests, and packets on endpoints. Nothing here does I/O."""

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Protocol

#: Set in the address of an endpoint by which the device sends.
IN: Final = 0x80


class EndpointKind(IntEnum):
    """Transfer types, as USB and usbredir number them."""

    CONTROL = 0
    BULK = 2
    INTERRUPT = 3


@dataclass(frozen=True)
class Endpoint:
    """An endpoint besides 0: its address, kind, longest packet (bytes) and how often it is asked (ms)."""

    address: int
    kind: EndpointKind
    longest: int
    interval: int = 0


@dataclass(frozen=True, kw_only=True)
class DeviceDescription:
    """The descriptors of a full-speed device with one configuration and one vendor-specific interface."""

    vendor: int
    product: int
    version: int
    """``bcdDevice``: by it drivers tell the chips of a family apart."""
    usb: int
    """``bcdUSB``."""
    device_class: int
    interface: tuple[int, int, int]
    """Class, subclass and protocol of the interface."""
    endpoint_0: int
    """The longest packet of endpoint 0 (bytes)."""
    attributes: int
    milliamperes: int
    endpoints: tuple[Endpoint, ...]
    strings: tuple[str, str, str]
    """Manufacturer, product and serial number; an empty one is not there."""

    def descriptor(self, kind: int, index: int) -> bytes | None:
        """The descriptor of a kind (1 device, 2 configuration, 3 string), or None (USB 2.0, 9.6)."""
        match kind:
            case 1:
                return self._device()
            case 2 if index == 0:
                return self._configuration()
            case 3 if index == 0:
                return bytes((4, 3, 0x09, 0x04))  # English (United States)
            case 3 if index <= len(self.strings) and self.strings[index - 1]:
                text = self.strings[index - 1].encode("utf-16-le")
                return bytes((2 + len(text), 3)) + text
            case _:
                return None

    def _device(self) -> bytes:
        return struct.pack(
            "<BBHBBBBHHHBBBB",
            18,
            1,
            self.usb,
            self.device_class,
            0,
            0,
            self.endpoint_0,
            self.vendor,
            self.product,
            self.version,
            *(number if text else 0 for number, text in enumerate(self.strings, start=1)),
            1,
        )

    def _configuration(self) -> bytes:
        endpoints = b"".join(
            struct.pack("<BBBBHB", 7, 5, each.address, each.kind, each.longest, each.interval)
            for each in self.endpoints
        )
        interface = struct.pack("<BBBBBBBBB", 9, 4, 0, 0, len(self.endpoints), *self.interface, 0)
        total = 9 + len(interface) + len(endpoints)
        head = struct.pack("<BBHBBBBB", 9, 2, total, 1, 1, 0, self.attributes, self.milliamperes // 2)
        return head + interface + endpoints


@dataclass(frozen=True)
class Setup:
    """The first eight bytes of a control transfer (USB 2.0, 9.3)."""

    request_type: int
    request: int
    value: int
    index: int
    length: int

    @property
    def is_vendor(self) -> bool:
        """The request is the maker's own, not one of USB's."""
        return self.request_type & 0x60 == 0x40


class StallError(Exception):
    """The device stalls the endpoint: it does not know the request, or cannot go on."""


class SerialConverter(Protocol):
    """A chip between USB and a serial line. All times are seconds of one clock, given by the caller."""

    description: DeviceDescription

    @property
    def dtr(self) -> bool:
        """The host wants DTR asserted, by which an Arduino is reset."""

    def reset(self, now: float) -> None:
        """The bus has been reset: every setting is as after power on, and no byte is kept."""

    def vendor_request(self, setup: Setup, now: float) -> bytes:
        """Carry out a request of the maker's own; return its answer.

        Raises:
            StallError: the chip does not know it.
        """

    def from_line(self, data: bytes, now: float) -> None:
        """Bytes have come by the serial line."""

    def to_line(self, data: bytes, now: float) -> bytes:
        """The host has written a packet; return the bytes that go out by the serial line."""

    def packet(self, address: int, now: float) -> bytes | None:
        """The packet with which the endpoint answers the host that asks now; None: NAK, it has none."""

    def next_packet_at(self, now: float) -> float:
        """Time at which `packet` may give something without anything having come; infinity: never."""
