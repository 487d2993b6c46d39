"""WCH's CH340G, as the kernel's driver ``ch341`` uses it: WCH publishes the pins, not the requests.

The registers are those that Linux's and FreeBSD's drivers name. Not modelled: parity, and how long a byte takes on
the line.
"""

from typing import Final

from tests.machine.usb.device import IN, DeviceDescription, Endpoint, EndpointKind, Setup, StallError

DATA_IN: Final = 0x82
DATA_OUT: Final = 0x02
REPORTS: Final = 0x81

#: Bytes of a packet.
PACKET: Final = 32

#: Bytes that the chip keeps for the host. WCH names no number; this one is assumed.
BUFFER: Final = 128

#: Cycles a second from which baud rates are divided.
CLOCK: Final = 48_000_000

CH340: Final = DeviceDescription(
    vendor=0x1A86,
    product=0x7523,
    version=0x0264,
    usb=0x0110,
    device_class=0xFF,
    interface=(0xFF, 0x01, 0x02),
    endpoint_0=8,
    attributes=0x80,
    milliamperes=98,
    endpoints=(
        Endpoint(DATA_IN, EndpointKind.BULK, PACKET),
        Endpoint(DATA_OUT, EndpointKind.BULK, PACKET),
        Endpoint(REPORTS, EndpointKind.INTERRUPT, 8, interval=1),
    ),
    strings=("", "USB Serial", ""),
)

#: Registers by number. In the modem's status a bit is set while its line is not asserted.
_BREAK, _STATUS, _PRESCALER, _DIVISOR, _FORMAT = 0x05, 0x06, 0x12, 0x13, 0x18

_READ_VERSION, _READ, _WRITE, _BEGIN, _MODEM_CONTROL = 0x5F, 0x95, 0x9A, 0xA1, 0xA4

#: Bit of the prescaler that has bytes sent at once; without it the chip waits for a full packet.
_AT_ONCE: Final = 0x80

_VERSION: Final = bytes((0x31, 0x00))
_POWER_ON: Final = {_BREAK: 0x9F, _STATUS: 0xFF, _PRESCALER: 0x01, _DIVISOR: 0xB2, _FORMAT: 0xC3}


class Ch340:
    """The chip. Its registers are kept for tests to look at.

    ``buffer``: bytes kept for the host, as in `Ft232r`.
    """

    description = CH340

    def __init__(self, buffer: int = BUFFER) -> None:
        self._room = buffer
        self.lost = 0
        """Bytes that found the buffer full."""
        self._registers = dict(_POWER_ON)
        self._dtr = False
        self._buffer = bytearray()
        self._report_due = False

    @property
    def dtr(self) -> bool:
        return self._dtr

    @property
    def baud(self) -> float:
        """Bits a second."""
        prescaler = self._registers[_PRESCALER]
        cycles = 1 << (12 - 3 * (prescaler & 3) - (prescaler >> 2 & 1))
        return float(CLOCK / cycles / (256 - self._registers[_DIVISOR]))

    @property
    def data_format(self) -> tuple[int, int, int]:
        """Data bits, parity (0: none), stop bits (0: one)."""
        bits = self._registers[_FORMAT]
        return 5 + (bits & 3), bits >> 3 & 7, bits >> 2 & 1

    def reset(self, now: float) -> None:
        self._registers = dict(_POWER_ON)
        self._dtr = self._report_due = False
        self._buffer.clear()

    def vendor_request(self, setup: Setup, now: float) -> bytes:
        first, second = setup.value & 0xFF, setup.value >> 8
        match setup.request:
            case _ if bool(setup.request_type & IN) != (setup.request in (_READ_VERSION, _READ)):
                raise StallError
            case _ if setup.request == _READ_VERSION:
                return _VERSION
            case _ if setup.request == _READ:
                return bytes(self._registers.get(register, 0) for register in (first, second))
            case _ if setup.request == _WRITE:
                self._registers[first] = setup.index & 0xFF
                self._registers[second] = setup.index >> 8
            case _ if setup.request == _MODEM_CONTROL:
                self._dtr = not setup.value & 0x20
            case _ if setup.request == _BEGIN:
                self._report_due = True
            case _:
                raise StallError
        return b""

    def from_line(self, data: bytes, now: float) -> None:
        room = self._room - len(self._buffer)
        self._buffer += data[:room]
        self.lost += max(0, len(data) - room)

    def to_line(self, data: bytes, now: float) -> bytes:
        return data

    def packet(self, address: int, now: float) -> bytes | None:
        """Data as soon as there is any, if the host has asked for that; the modem's lines once after the setup."""
        if address == REPORTS:
            if not self._report_due:
                return None
            self._report_due = False
            return bytes((0x08, 0x7D, self._registers[_STATUS], 0xEE))
        at_once = self._registers[_PRESCALER] & _AT_ONCE
        if len(self._buffer) < (1 if at_once else PACKET):
            return None
        data = bytes(self._buffer[:PACKET])
        del self._buffer[:PACKET]
        return data

    def next_packet_at(self, now: float) -> float:
        return float("inf")
