"""The converters of our own, without a machine: what their chips do, and what passes between them and QEMU."""

from __future__ import annotations

import struct
from itertools import count

import pytest

from tests.machine.usb.ch340 import Ch340
from tests.machine.usb.device import SerialConverter, Setup, StallError
from tests.machine.usb.ft232r import Ft232r, LineStatus, baud_rate
from tests.machine.usb.packets import PacketCodec, PacketType, UsbredirError, UsbredirPacket
from tests.machine.usb.redirection import UsbRedirection

#: Requests of the drivers, as the kernel's ftdi_sio.h and ch341.c have them.
TO_CHIP, FROM_CHIP = 0x40, 0xC0


def ask(chip: SerialConverter, request: int, value: int = 0, index: int = 0, *, read: int = 0) -> bytes:
    return chip.vendor_request(Setup(FROM_CHIP if read else TO_CHIP, request, value, index, read), 0.0)


# The chips.


@pytest.mark.parametrize(
    ("value", "index", "bits"),
    [
        (0, 0, 3e6),
        (1, 0, 2e6),
        (6, 0, 500_000),
        (26, 0, 115_384.6),
        (0x4138, 0, 9600),  # 312 1/2
        (0x8003, 0, 923_076.9),  # 3 1/4
        (0xC027, 0, 76_677.3),  # 39 1/8
        (3, 1, 888_888.9),  # 3 3/8
        (0xC003, 1, 774_193.5),  # 3 7/8
    ],
)
def test_divisors_are_decoded(value: int, index: int, bits: float) -> None:
    assert baud_rate(value, index) == pytest.approx(bits, abs=0.1)


def test_an_ft232r_waits_for_62_bytes_or_for_its_timer() -> None:
    chip = Ft232r()
    chip.reset(0.0)
    assert chip.packet(0x81, 0.0159) is None
    assert chip.packet(0x81, 0.0161) == b"\x01\x60", "a status goes although nothing has come"
    chip.from_line(b"x" * 75, 0.017)
    assert chip.packet(0x81, 0.017) == b"\x01\x60" + b"x" * 62
    assert chip.packet(0x81, 0.0329) is None
    assert chip.next_packet_at(0.0329) == pytest.approx(0.033)
    assert chip.packet(0x81, 0.0331) == b"\x01\x60" + b"x" * 13


def test_the_latency_timer_is_set_read_and_forgotten_at_a_reset_of_the_bus() -> None:
    chip = Ft232r()
    chip.reset(0.0)
    assert ask(chip, 10, read=1) == b"\x10"
    ask(chip, 9, 1)
    assert ask(chip, 10, read=1) == b"\x01"
    chip.from_line(b"x", 0.0)
    assert chip.packet(0x81, 0.0009) is None
    assert chip.packet(0x81, 0.0011) == b"\x01\x60x"
    ask(chip, 0, 0)
    assert chip.latency == 1, "the driver's own reset leaves the timer"
    chip.reset(1.0)
    assert chip.latency == 16


def test_an_ft232r_that_nobody_reads_loses_bytes_and_says_so_once() -> None:
    chip = Ft232r()
    chip.reset(0.0)
    chip.from_line(bytes(300), 0.0)
    assert chip.lost == 44
    status = [packet[1] for now in (1, 1, 1, 1, 2) if (packet := chip.packet(0x81, now))]
    assert status == [0x62, 0x60, 0x60, 0x60, 0x60]


def test_line_errors_are_in_the_second_byte() -> None:
    chip = Ft232r()
    chip.reset(0.0)
    chip.line_error(LineStatus.FRAMING | LineStatus.BREAK, b"\0", 0.0)
    assert chip.packet(0x81, 0.017) == b"\x01\x78\0"


def test_an_ft232r_takes_lines_and_format() -> None:
    chip = Ft232r()
    chip.reset(0.0)
    ask(chip, 1, 0x0101)
    assert chip.dtr
    ask(chip, 1, 0x0202)
    assert chip.dtr, "RTS alone leaves DTR as it is"
    ask(chip, 1, 0x0100)
    assert not chip.dtr
    ask(chip, 3, 6)
    ask(chip, 4, 8)
    assert (chip.baud, chip.data_format) == (500_000, (8, 0, 0))
    with pytest.raises(StallError):
        ask(chip, 0x55)


def test_a_ch340_sends_at_once_only_if_asked() -> None:
    chip = Ch340()
    chip.reset(0.0)
    chip.from_line(b"x" * 40, 0.0)
    assert chip.packet(0x82, 0.0) == b"x" * 32
    assert chip.packet(0x82, 10.0) is None
    ask(chip, 0x9A, 0x1312, 0xF483)  # 48 MHz / 8 / 12, at once
    assert chip.packet(0x82, 10.0) == b"x" * 8
    assert chip.baud == 500_000


def test_a_ch340_takes_lines_and_format() -> None:
    chip = Ch340()
    chip.reset(0.0)
    assert ask(chip, 0x5F, read=2) == b"\x31\0"
    ask(chip, 0xA4, 0xFF9F)
    assert chip.dtr
    ask(chip, 0xA4, 0xFFFF)
    assert not chip.dtr
    ask(chip, 0x9A, 0x2518, 0x00C3)
    assert chip.data_format == (8, 0, 0)
    assert ask(chip, 0x95, 0x0706, read=2)[0] & 0x0F == 0x0F, "no line is asserted: their bits are set"
    with pytest.raises(StallError):
        ask(chip, 0x55)


# The protocol.


class Guest:
    """QEMU's side of a redirection."""

    def __init__(self, chip: SerialConverter) -> None:
        self.line = bytearray()
        self.far = UsbRedirection(chip, self.line.extend)
        self.codec = PacketCodec()
        self._numbers = count(1)

    def heard(self) -> list[UsbredirPacket]:
        return list(self.codec.decode(self.far.take()))

    def send(self, kind: PacketType, body: bytes, now: float = 0.0, number: int | None = None) -> int:
        number = next(self._numbers) if number is None else number
        self.far.receive(self.codec.encode(UsbredirPacket(kind, number, body)), now)
        return number

    def connect(self) -> list[UsbredirPacket]:
        self.far.attach(0.0)
        heard = self.heard()
        self.far.receive(PacketCodec().hello(), 0.0)
        return heard + self.heard()

    def control(self, request_type: int, request: int, value: int, length: int) -> UsbredirPacket:
        head = struct.pack("<BBBBHHH", request_type & 0x80, request, request_type, 0, value, 0, length)
        number = self.send(PacketType.CONTROL, head)
        (answer,) = self.heard()
        assert (answer.type, answer.number) == (PacketType.CONTROL, number)
        return answer

    def read(self, address: int, length: int, now: float) -> int:
        return self.send(PacketType.BULK, struct.pack("<BBHIH", address, 0, length, 0, 0), now)


def test_a_device_appears_after_both_hellos() -> None:
    guest = Guest(Ft232r())
    heard = guest.connect()
    assert [packet.type for packet in heard] == [
        PacketType.HELLO,
        PacketType.INTERFACE_INFO,
        PacketType.ENDPOINT_INFO,
        PacketType.DEVICE_CONNECT,
    ]
    interfaces, endpoints, connect = (packet.body for packet in heard[1:])
    assert len(interfaces) == 4 + 4 * 32
    assert [interfaces[4 + 32 * row] for row in range(4)] == [0, 0xFF, 0xFF, 0xFF]
    assert len(endpoints) == 3 * 32 + 2 * 32
    assert [row for row in range(32) if endpoints[row] == 2] == [2, 17], "bulk out 2 and bulk in 1"
    assert struct.unpack_from("<H", endpoints, 3 * 32 + 2 * 17) == (64,)
    assert struct.unpack("<BBBBHHH", connect) == (1, 0, 0, 0, 0x0403, 0x6001, 0x0600)


def test_descriptors_are_whole() -> None:
    guest = Guest(Ch340())
    guest.connect()
    device = guest.control(0x80, 6, 0x0100, 64).body[10:]
    assert (len(device), device[:2], device[8:12]) == (18, b"\x12\x01", bytes.fromhex("861a2375"))
    assert guest.control(0x80, 6, 0x0100, 8).body[10:] == device[:8]
    configuration = guest.control(0x80, 6, 0x0200, 255).body[10:]
    assert len(configuration) == int.from_bytes(configuration[2:4], "little") == 9 + 9 + 3 * 7
    kinds, at = [], 0
    while at < len(configuration):
        kinds.append(configuration[at + 1])
        at += configuration[at]
    assert kinds == [2, 4, 5, 5, 5]
    product = guest.control(0x80, 6, 0x0300 | device[15], 255).body[10:]
    assert product[2:].decode("utf-16-le") == "USB Serial"
    assert device[14] == device[16] == 0, "a CH340 has neither maker nor serial number"
    assert guest.control(0x80, 6, 0x0F00, 5).body[3] == 4, "what it has not is stalled"


def test_a_short_packet_ends_a_transfer() -> None:
    chip = Ft232r()
    guest = Guest(chip)
    guest.connect()
    number = guest.read(0x81, 512, 0.001)
    chip.from_line(b"x" * 75, 0.002)
    guest.far.advance(0.002)
    assert guest.heard() == [], "62 bytes are on their way, but the transfer goes on"
    assert guest.far.next_wakeup(0.002) == pytest.approx(0.018)
    guest.far.advance(0.0181)
    (packet,) = guest.heard()
    assert packet.number == number
    assert packet.body == struct.pack("<BBHIH", 0x81, 0, 79, 0, 0) + b"\1`" + b"x" * 62 + b"\1`" + b"x" * 13


def test_a_transfer_ends_when_it_is_full() -> None:
    chip = Ch340()
    guest = Guest(chip)
    guest.connect()
    guest.read(0x82, 32, 0.0)
    guest.read(0x82, 32, 0.0)
    chip.from_line(b"x" * 70, 0.0)
    guest.far.advance(0.0)
    assert [packet.body[10:] for packet in guest.heard()] == [b"x" * 32] * 2


def test_a_cancelled_transfer_is_answered_as_such() -> None:
    guest = Guest(Ft232r())
    guest.connect()
    number = guest.read(0x81, 512, 0.0)
    guest.send(PacketType.CANCEL_DATA_PACKET, b"", number=number)
    (packet,) = guest.heard()
    assert (packet.number, packet.body[1]) == (number, 1)
    guest.far.advance(1.0)
    assert guest.heard() == []


def test_what_is_written_goes_to_the_line() -> None:
    guest = Guest(Ft232r())
    guest.connect()
    number = guest.send(PacketType.BULK, struct.pack("<BBHIH", 2, 0, 3, 0, 0) + b"abc")
    assert guest.line == b"abc"
    assert guest.heard() == [UsbredirPacket(PacketType.BULK, number, struct.pack("<BBHIH", 2, 0, 3, 0, 0))]


def test_a_pulled_device_answers_nothing_and_forgets_all() -> None:
    chip = Ft232r()
    guest = Guest(chip)
    guest.connect()
    ask(chip, 9, 1)
    guest.read(0x81, 512, 0.0)
    guest.far.detach()
    assert [packet.type for packet in guest.heard()] == [PacketType.DEVICE_DISCONNECT]
    guest.read(0x81, 512, 1.0)
    guest.far.advance(2.0)
    assert guest.heard() == []
    guest.far.attach(3.0)
    assert [packet.type for packet in guest.heard()][-1] is PacketType.DEVICE_CONNECT
    assert chip.latency == 16


def test_faults_of_the_way_in() -> None:
    guest = Guest(Ft232r())
    guest.connect()
    guest.far.muted_until = 5.0
    guest.read(0x81, 512, 1.0)
    guest.far.advance(4.9)
    assert guest.heard() == []
    guest.far.advance(5.0)
    assert [packet.body[1] for packet in guest.heard()] == [0]
    guest.far.stalls = 1
    guest.read(0x81, 512, 6.0)
    assert [packet.body[1] for packet in guest.heard()] == [4]


@pytest.mark.parametrize("cut", range(1, 90, 7))
def test_packets_are_read_from_any_pieces(cut: int) -> None:
    sender, receiver = PacketCodec(), PacketCodec()
    hello = sender.hello()
    list(sender.decode(hello))
    whole = hello + sender.encode(UsbredirPacket(PacketType.RESET, 1 << 40, b""))
    pieces = [whole[at : at + cut] for at in range(0, len(whole), cut)]
    heard = [packet for piece in pieces for packet in receiver.decode(piece)]
    assert [packet.type for packet in heard] == [PacketType.HELLO, PacketType.RESET]
    assert heard[-1].number == 1 << 40, "long numbers, as both sides have them"


@pytest.mark.parametrize("kind", [77, PacketType.RESET])
def test_what_is_no_packet_is_refused(kind: int) -> None:
    with pytest.raises(UsbredirError):
        list(PacketCodec().decode(struct.pack("<III", kind, 0, 0)))
