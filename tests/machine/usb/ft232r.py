"""FTDI's FT232R, by its data sheet (FT_000053) and FTDI's notes AN232B-04 (latency) and AN232B-05 (baud rates).

The requests are those that the kernel's ``ftdi_sio.h`` describes. Not modelled: flow control, bit-bang, parity,
and how long a byte takes on the line.
"""

from enum import IntEnum, IntFlag
from typing import Final

from tests.machine.usb.device import DeviceDescription, Endpoint, EndpointKind, Setup, StallError

DATA_IN: Final = 0x81
DATA_OUT: Final = 0x02

#: Bytes of a packet in, and those of them that are data: two bytes of status come first.
PACKET: Final = 64
DATA: Final = PACKET - 2

#: Bytes that the chip keeps for the host ("FIFO TX buffer"); what comes then is lost.
BUFFER: Final = 256

#: Milliseconds of the latency timer after power on.
LATENCY: Final = 16

FT232R: Final = DeviceDescription(
    vendor=0x0403,
    product=0x6001,
    version=0x0600,
    usb=0x0200,
    device_class=0,
    interface=(0xFF, 0xFF, 0xFF),
    endpoint_0=8,
    attributes=0xA0,
    milliamperes=90,
    endpoints=(Endpoint(DATA_IN, EndpointKind.BULK, PACKET), Endpoint(DATA_OUT, EndpointKind.BULK, PACKET)),
    strings=("FTDI", "FT232R USB UART", "A50285BI"),
)

#: The EEPROM's words that say what the pins CBUS0-4 do, as delivered: TXLED, RXLED, TXDEN, PWREN, SLEEP.
_EEPROM: Final = {0x0A: 0x1023, 0x0B: 0x0005}

#: The eighths that a divisor's three highest bits add to it (AN232B-05).
_EIGHTHS: Final = (0, 4, 2, 1, 3, 5, 6, 7)


class _Request(IntEnum):
    RESET = 0
    MODEM_CONTROL = 1
    FLOW_CONTROL = 2
    BAUD_RATE = 3
    DATA_FORMAT = 4
    MODEM_STATUS = 5
    EVENT_CHARACTER = 6
    ERROR_CHARACTER = 7
    SET_LATENCY = 9
    GET_LATENCY = 10
    READ_EEPROM = 0x90


class LineStatus(IntFlag):
    """The second byte of status: a UART's line status register."""

    OVERRUN = 0x02
    PARITY = 0x04
    FRAMING = 0x08
    BREAK = 0x10
    IDLE = 0x60
    """Nothing is left to be sent to the line."""


#: The first byte of status: its lowest bit is always set, no modem line is wired.
_MODEM_STATUS: Final = 0x01


def baud_rate(value: int, index: int) -> float:
    """Bits a second of a divisor as it is sent: 14 bits of whole numbers, three bits that stand for eighths.

    0 stands for 3 Mbit/s, 1 for 2 Mbit/s.
    """
    whole, eighths = value & 0x3FFF, _EIGHTHS[value >> 14 | (index & 1) << 2]
    if not eighths and whole < 2:
        return (3e6, 2e6)[whole]
    return 3e6 / (whole + eighths / 8)


class Ft232r:
    """The chip. What the host has set is kept for tests to look at.

    ``buffer``: bytes kept for the host. An emulated processor is slower than the real chip's buffer allows for;
    where the loss of bytes is not the subject, a check gives it more.
    """

    description = FT232R

    def __init__(self, buffer: int = BUFFER) -> None:
        self._room = buffer
        self.baud = 9600.0
        """Bits a second."""
        self.data_format = (8, 0, 0)
        """Data bits, parity (0: none), stop bits (0: one)."""
        self.latency = LATENCY
        """Milliseconds."""
        self.lost = 0
        """Bytes that found the buffer full."""
        self._dtr = False
        self._buffer = bytearray()
        self._errors = LineStatus(0)
        self._due = float("-inf")

    @property
    def dtr(self) -> bool:
        return self._dtr

    def reset(self, now: float) -> None:
        self.latency = LATENCY
        self._reset(now)

    def _reset(self, now: float) -> None:
        self._dtr = False
        self._errors = LineStatus(0)
        self._buffer.clear()
        self._due = now + self.latency / 1000

    def vendor_request(self, setup: Setup, now: float) -> bytes:
        value, low, high = setup.value, setup.value & 0xFF, setup.value >> 8
        match setup.request:
            case _Request.RESET:
                if value == 0:
                    self._reset(now)
                elif value == 1:
                    self._buffer.clear()
            case _Request.MODEM_CONTROL:
                if high & 1:
                    self._dtr = bool(low & 1)
            case _Request.BAUD_RATE:
                self.baud = baud_rate(value, setup.index)
            case _Request.DATA_FORMAT:
                self.data_format = (low, high & 7, value >> 11 & 3)
            case _Request.MODEM_STATUS:
                return bytes((_MODEM_STATUS, LineStatus.IDLE))
            case _Request.SET_LATENCY:
                if not 1 <= low <= 255:
                    raise StallError
                self.latency = low
                self._due = now + low / 1000
            case _Request.GET_LATENCY:
                return bytes((self.latency,))
            case _Request.READ_EEPROM:
                return _EEPROM.get(setup.index, 0xFFFF).to_bytes(2, "little")
            case _Request.FLOW_CONTROL | _Request.EVENT_CHARACTER | _Request.ERROR_CHARACTER:
                pass
            case _:
                raise StallError
        return b""

    def from_line(self, data: bytes, now: float) -> None:
        room = self._room - len(self._buffer)
        self._buffer += data[:room]
        if len(data) > room:
            self.lost += len(data) - room
            self._errors |= LineStatus.OVERRUN

    def line_error(self, errors: LineStatus, data: bytes, now: float) -> None:
        """Something has gone wrong on the line, with the bytes that the UART made of it."""
        self._errors |= errors
        self.from_line(data, now)

    def to_line(self, data: bytes, now: float) -> bytes:
        return data

    def packet(self, address: int, now: float) -> bytes | None:
        """62 bytes as soon as they are there; whatever is there when the latency timer runs out, be it nothing."""
        if len(self._buffer) < DATA and now < self._due:
            return None
        data = bytes(self._buffer[:DATA])
        del self._buffer[:DATA]
        status = bytes((_MODEM_STATUS, LineStatus.IDLE | self._errors))
        self._errors = LineStatus(0)
        self._due = now + self.latency / 1000
        return status + data

    def next_packet_at(self, now: float) -> float:
        return now if len(self._buffer) >= DATA else self._due
