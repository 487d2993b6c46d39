"""The UART: ten bits a byte at the programmed speed, two buffers each way, to the cycle."""

from __future__ import annotations

import pytest

from tests.firmware.emulator.conftest import Start

BIT = 32  # cycles at 500 000 baud
BYTE = 10 * BIT  # start bit, eight data bits, stop bit


@pytest.mark.parametrize(("divisor", "byte"), [(3, 320), (0, 80), (7, 640), (207, 16_640)])
def test_bytes_follow_each_other_without_a_gap(start: Start, divisor: int, byte: int) -> None:
    emulator = start("uart_send", DIVISOR=divisor)
    emulator.run(100_000)
    sent = emulator.sent()
    assert bytes(value for _, value in sent) == b"ABC"
    first = sent[0][0]
    assert [cycle for cycle, _ in sent] == [first, first + byte, first + 2 * byte]
    assert emulator.check_names() == []


def test_the_first_byte_begins_when_it_is_written(start: Start) -> None:
    emulator = start("uart_send", DIVISOR=3)
    emulator.run(10_000)
    marks = emulator.marks()
    # STS of the byte takes two cycles; the compiler may put LDIs before it
    assert emulator.sent()[0][0] - marks[0][0] - BYTE in range(2, 6)


def test_flags_of_the_double_buffer(start: Start) -> None:
    emulator = start("uart_send", DIVISOR=3)
    emulator.run(10_000)
    marks = {value: cycle for cycle, value in emulator.marks()}
    ends = [cycle for cycle, _ in emulator.sent()]
    assert 0x0E in marks  # UDRE is 0 while a byte waits for the line
    # at most: the end of LDS (2), SBRS (1), RJMP (2), LDS (2), SBRS (2), LDI (1), OUT (1)
    assert marks[3] - ends[0] in range(0, 12)  # UDRE: as the waiting byte moved up
    assert marks[4] - ends[2] in range(0, 12)  # TXC: the line is idle


def test_a_byte_written_too_soon_is_lost_and_told(start: Start) -> None:
    emulator = start("uart_send", DIVISOR=3, OVERWRITE=1)
    emulator.run(10_000)
    assert bytes(value for _, value in emulator.sent()) == b"ABC"
    assert emulator.check_names() == ["uart_lost"]


def test_a_received_byte_is_there_at_the_middle_of_its_stop_bit(start: Start) -> None:
    emulator = start("uart_receive", DIVISOR=3, LATE=0)
    begin = emulator.run(1000)
    emulator.marks()
    emulator.send(b"\x5a")
    emulator.run(1000)
    (flags_cycle, flags), (_, byte) = emulator.marks()
    assert (flags, byte) == (0, 0x5A)
    assert flags_cycle - (begin + 9 * BIT + BIT // 2) in range(
        0, 14
    )  # the loop, and the LDS and ANDI of the flags


def test_bytes_from_the_host_come_ten_bits_apart(start: Start) -> None:
    emulator = start("uart_echo")
    begin = emulator.run(5000)  # its variables are cleared first
    emulator.send(bytes(range(10)))
    emulator.send(bytes(range(10, 20)))
    emulator.run(20 * BYTE + 2000)
    sent = emulator.sent()
    assert [value for _, value in sent] == list(range(1, 21))
    # the echo follows by one byte and some instructions, never by more, at the line's full speed
    for number, (cycle, _) in enumerate(sent):
        assert cycle - (begin + (number + 1) * BYTE - BIT // 2 + BYTE) in range(0, 200)
    assert emulator.check_names() == []


def test_two_bytes_wait_a_third_in_the_shift_register_and_the_rest_is_lost(start: Start) -> None:
    emulator = start("uart_receive", DIVISOR=3, LATE=1)
    emulator.run(200)
    emulator.send(b"\x01\x02\x03\x04\x05")
    emulator.run(30_000)
    values = [value for _, value in emulator.marks()]
    # DOR (0x08) until the first of them is read; bytes 3 and 4 gave way to 5
    assert values == [0xAA, 0x08, 0x01, 0x00, 0x02, 0x00, 0x05, 0xFF]
    assert emulator.check_names() == ["uart_overrun", "uart_overrun"]


def test_another_speed_than_the_hosts_is_a_frame_error_and_told(start: Start) -> None:
    emulator = start("uart_receive", DIVISOR=4, LATE=0)
    emulator.run(1000)
    emulator.marks()
    emulator.send(b"\x5a")
    emulator.run(1000)
    assert emulator.marks()[0][1] == 0x10  # FE
    assert emulator.check_names() == ["uart_baud"]


def test_a_byte_on_the_line_survives_a_reset(start: Start) -> None:
    emulator = start("uart_receive", DIVISOR=3, LATE=0)
    emulator.run(1000)
    emulator.send(b"\x01")
    emulator.run(100)
    emulator.ask("reset")  # the program listens again long before the stop bit
    emulator.marks()
    emulator.run(1000)
    assert [value for _, value in emulator.marks()] == [0xAA, 0x00, 0x01]
