"""Memory that survives a reset: the records in EEPROM, and what is known of the reset's cause."""

import random
from binascii import crc_hqx

import pytest

from tamsk_hw.board.protocol import ResetCause
from tests.firmware.core_program import Core, words
from tests.soak import in_soak

ERASED = b"\xff" * 6


def record(number: int) -> bytes:
    """As firmware/core/boot_record.h describes it."""
    data = number.to_bytes(4, "little")
    return data + crc_hqx(data, 0xFFFF).to_bytes(2, "big")


def boot(core: Core, records: list[bytes], chance: int = 0) -> tuple[int, int]:
    number, place = core.ask_one(words("boot", chance, b"".join(records))).split()
    return int(number), int(place)


# Where the lower byte, 16 bits and the sign of 32 bits turn.
@pytest.mark.parametrize("turn", [0x100, 0x10000, 0x1000000, 0x80000000, 0xFFFFFFFF])
def test_boot_ids_have_32_bits(core: Core, turn: int) -> None:
    records = [record(turn - 4 + place) for place in range(4)] + [ERASED] * 4
    for place in range(4, 8 if turn < 0xFFFFFFFF else 5):
        number = turn - 4 + place
        assert boot(core, records) == (number, place)
        records[place] = record(number)


def test_a_write_cut_anywhere_costs_no_earlier_id(core: Core) -> None:
    chance = random.Random("cut")
    records = [ERASED] * 8
    announced: set[int] = set()
    for _ in range(in_soak(150, otherwise=60)):
        number, place = boot(core, records, chance=5)
        whole, old = record(number), records[place]
        if chance.randrange(3) == 0:
            # A reset before the id was told to anyone: some of the bytes are new, one perhaps erased.
            cut = chance.randrange(6)
            records[place] = whole[:cut] + chance.choice((old[cut:], b"\xff" + old[cut + 1 :]))
            continue
        records[place] = whole
        assert number not in announced
        announced.add(number)
    assert max(announced) - min(announced) >= len(announced) - 1


def test_a_damaged_record_is_passed_over(core: Core) -> None:
    records = [record(20 + place) for place in range(8)]
    damaged = bytearray(records[7])
    damaged[0] ^= 4
    assert boot(core, records) == (28, 0)
    assert boot(core, [*records[:7], bytes(damaged)]) == (27, 7)


@pytest.mark.parametrize("blank", [ERASED, bytes(6)])
def test_where_nothing_is_whole_the_count_begins_by_chance_with_room_above(core: Core, blank: bytes) -> None:
    assert boot(core, [blank] * 8, chance=0xDEADBEEF) == (0x5EADBEEF, 0)


# MCUSR, register 2, note of a hang: what HELLO says. The cases are those of firmware/core/reset_cause.h.
@pytest.mark.parametrize(
    ("mcusr", "passed", "hung", "cause"),
    [
        (0x01, 0x77, 0, ResetCause.POWER_ON),
        (0x08, 0x00, 0, ResetCause.WATCHDOG),
        (0x06, 0x00, 1, ResetCause.EXTERNAL | ResetCause.BROWN_OUT),
        (0xF2, 0x00, 0, ResetCause.EXTERNAL),
        (0x00, 0x02, 0, ResetCause.EXTERNAL),
        (0x00, 0x05, 0, ResetCause.POWER_ON | ResetCause.BROWN_OUT),
        (0x00, 0x08, 0, ResetCause(0)),
        (0x00, 0x08, 1, ResetCause.WATCHDOG),
        (0x00, 0x00, 1, ResetCause.WATCHDOG),
        (0x00, 0x00, 0, ResetCause(0)),
        (0x00, 0x41, 0, ResetCause(0)),
    ],
)
def test_reset_cause(core: Core, mcusr: int, passed: int, hung: int, cause: ResetCause) -> None:
    assert core.ask_one(words("cause", mcusr, passed, hung)) == str(int(cause))
