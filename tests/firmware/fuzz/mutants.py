"""Faults of the core that the fuzzer must find: a file of ``firmware/``, what it says, what it says instead."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.firmware.fuzz.fuzzing import ROOT


@dataclass(frozen=True)
class Mutant:
    """A fault in one place of the core."""

    name: str
    file: str
    right: str
    wrong: str


RECEIVER = "core/receiver.c"
SETTINGS = "core/settings.c"
CONTROLLER = "core/controller.c"
WRITER = "core/frame_writer.c"

MUTANTS = (
    Mutant("one byte too short is taken", RECEIVER, "< FRAME_ENCODED_LEAST", "< FRAME_ENCODED_LEAST - 1"),
    Mutant("the shortest is refused", RECEIVER, "< FRAME_ENCODED_LEAST", "<= FRAME_ENCODED_LEAST"),
    Mutant("90 bytes before the zero", RECEIVER, "(FRAME_ENCODED_MOST + 1)", "(FRAME_ENCODED_MOST + 2)"),
    Mutant("89 bytes are too long", RECEIVER, "(FRAME_ENCODED_MOST + 1)", "FRAME_ENCODED_MOST"),
    Mutant("a code byte beyond the end is taken", RECEIVER, " || receiver->block != 0)", ")"),
    Mutant(
        "the rest of an overlong frame is read",
        RECEIVER,
        "        return RECEIVER_MALFORMED;\n    }\n    if (receiver->block",
        "        receiver_start(receiver);\n        return RECEIVER_MALFORMED;\n    }\n    if (receiver->block",
    ),
    Mutant(
        "an overlong frame is told of twice",
        RECEIVER,
        "if (receiver->encoded == 0 || receiver->encoded == TOO_LONG) {",
        "if (receiver->encoded == 0) {",
    ),
    Mutant("it writes beyond what it keeps", RECEIVER, "content < RECEIVER_KEPT", "content <= RECEIVER_KEPT"),
    Mutant("zeros in a row are told of", RECEIVER, "receiver->encoded == 0 || ", ""),
    Mutant("the first block has a zero before it", RECEIVER, "receiver->encoded > 1", "receiver->encoded > 0"),
    Mutant("a byte of the CRC is payload", RECEIVER, "CONTENT_WITHOUT_PAYLOAD 4", "CONTENT_WITHOUT_PAYLOAD 3"),
    Mutant(
        "the CRC goes on after damage",
        RECEIVER,
        "        receiver_start(receiver);\n        return verdict;",
        "        uint16_t crc = receiver->crc;\n\n        receiver_start(receiver);\n"
        "        receiver->crc = verdict == RECEIVER_MALFORMED ? crc : receiver->crc;\n        return verdict;",
    ),
    Mutant("seven bytes are enough for SET", RECEIVER, "< SETTINGS_BYTES", "< SETTINGS_BYTES - 1"),
    Mutant("the last byte of SET is not kept", "core/receiver.h", "RECEIVER_KEPT 10", "RECEIVER_KEPT 9"),
    Mutant("the CRC begins at 0", "core/crc16.h", "UINT16_C(0xFFFF)", "UINT16_C(0)"),
    Mutant("the CRC's polynomial", "core/crc16.h", "top >> 3", "top >> 4"),
    Mutant(
        "the CRC's low byte goes out first",
        WRITER,
        "    put_encoded(writer, (uint8_t)(crc >> 8));\n    put_encoded(writer, (uint8_t)crc);",
        "    put_encoded(writer, (uint8_t)crc);\n    put_encoded(writer, (uint8_t)(crc >> 8));",
    ),
    Mutant("24 bits lose their sign", WRITER, "(uint8_t)(bits >> 16)", "(uint8_t)(bits >> 16 & 0x7F)"),
    Mutant(
        "settings high byte first",
        SETTINGS,
        "bytes[0] | (uint16_t)((uint16_t)bytes[1]",
        "bytes[1] | (uint16_t)((uint16_t)bytes[0]",
    ),
    Mutant("2500 is refused", SETTINGS, "shortest_interval >= 2500", "shortest_interval > 2500"),
    Mutant(
        "a shortest interval of 50000 is refused",
        SETTINGS,
        "shortest_interval <= 50000",
        "shortest_interval < 50000",
    ),
    Mutant("5000 is refused", SETTINGS, "longest_interval >= 5000", "longest_interval > 5000"),
    Mutant("a light time of 59 is taken", SETTINGS, "light_time >= 60", "light_time >= 59"),
    Mutant("60001 is taken", SETTINGS, "<= 60000", "<= 60001"),
    Mutant("a light time of 250 is refused", SETTINGS, "light_time <= 250", "light_time < 250"),
    Mutant(
        "the longest interval below the shortest",
        SETTINGS,
        "settings->longest_interval >= settings->shortest_interval",
        "true",
    ),
    Mutant("what is malformed is no damage", CONTROLLER, "    case RECEIVER_MALFORMED:\n", ""),
    Mutant(
        "any frame is the host's",
        CONTROLLER,
        "        return; /* dropped: perhaps a later minor version's */",
        "        break;",
    ),
    Mutant(
        "a SET that is refused has no answer",
        CONTROLLER,
        "        controller->settings = wanted;\n    }\n    owe(&controller->settings_due);",
        "        controller->settings = wanted;\n        owe(&controller->settings_due);\n    }",
    ),
    Mutant("three bytes are enough for a board id", RECEIVER, "< BOARD_ID_BYTES", "< BOARD_ID_BYTES - 1"),
    Mutant(
        "a board id high byte first",
        RECEIVER,
        "kept[PAYLOAD + place - 1]",
        "kept[PAYLOAD + BOARD_ID_BYTES - place]",
    ),
    Mutant("0 is taken as a board id", CONTROLLER, "wanted == BOARD_ID_NONE || ", ""),
    Mutant("an erased board id is taken", CONTROLLER, " || wanted == BOARD_ID_ERASED", ""),
    Mutant(
        "a board id that is refused has no answer",
        CONTROLLER,
        "        owe(&controller->hellos_due); /* refused: told at once which one the board has */\n",
        "",
    ),
    Mutant("a board id has no answer", CONTROLLER, "    owe(&controller->hellos_after_writing);\n", ""),
    Mutant(
        "HELLO tells the old board id",
        CONTROLLER,
        "    controller->hello.board_id = board_id;\n",
        "    (void)board_id;\n",
    ),
)


def broken(mutant: Mutant, folder: Path) -> Path:
    """A copy of the firmware in ``folder`` with this fault in it."""
    copy = folder / "firmware"
    for name in ("core", "host", "generated"):
        shutil.copytree(ROOT / "firmware" / name, copy / name)
    shutil.copy(ROOT / "firmware" / "Makefile", copy)
    file = copy / mutant.file
    text = file.read_text(encoding="utf-8")
    if text.count(mutant.right) != 1:
        raise ValueError(f"{mutant.name}: {mutant.file} does not have {mutant.right!r} exactly once")
    file.write_text(text.replace(mutant.right, mutant.wrong), encoding="utf-8")
    return copy
