"""``make -C firmware``: the program is always the same, and within docs/design.md, Budgets."""

import re
import shutil
from pathlib import Path

from tests.firmware.core_program import FIRMWARE, run_make
from tests.firmware.toolchain import need

#: Bytes: 12 KiB of flash; 1.2 KiB of the 2 KiB of RAM, the rest is the stack's.
FLASH_MOST = 12 * 1024
RAM_MOST = 1228


def hex_bytes(text: str) -> int:
    """Bytes of data in an Intel HEX file, each line's sum checked."""
    count = 0
    for line in text.split():
        record = bytes.fromhex(line.removeprefix(":"))
        assert sum(record) & 0xFF == 0
        if record[3] == 0:
            count += record[0]
    return count


def test_the_program_is_reproducible_and_small_enough(tmp_path: Path) -> None:
    """Wherever its sources are, and wherever it is built to."""
    need("make", "avr-gcc", "avr-objcopy", "avr-size", "awk")
    elsewhere = tmp_path / "sources of another name"
    shutil.copytree(FIRMWARE, elsewhere, ignore=shutil.ignore_patterns("build"))
    printed = run_make(f"BUILD={tmp_path / 'one'}")
    run_make(f"BUILD={tmp_path / 'a_longer_name'}", sources=elsewhere)
    texts = [(tmp_path / name / "tamsk.hex").read_text(encoding="ascii") for name in ("one", "a_longer_name")]
    assert texts[0] == texts[1]
    sizes = re.search(r"^flash (\d+) of 12288 bytes, static RAM (\d+) of 1228 bytes$", printed, re.MULTILINE)
    assert sizes is not None, printed
    assert int(sizes[1]) == hex_bytes(texts[0])
    assert 2000 < int(sizes[1]) <= FLASH_MOST
    assert 200 < int(sizes[2]) <= RAM_MOST
