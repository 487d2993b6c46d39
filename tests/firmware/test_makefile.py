"""`make -C firmware` on a machine without the controller's compiler."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.firmware.core_program import FIRMWARE

PACKAGES = "sudo apt install gcc-avr avr-libc binutils-avr"


@pytest.mark.parametrize(
    ("there", "missing"),
    [
        ({}, "avr-"),
        ({"avr-gcc": "exit 1", "avr-objcopy": "", "avr-size": ""}, "avr-libc"),
        ({"avr-gcc": "", "avr-objcopy": ""}, "avr-size"),
    ],
    ids=["nothing", "no library", "no size"],
)
def test_what_is_missing_is_named_with_what_to_do(there: dict[str, str], missing: str, tmp_path: Path) -> None:
    for name in ("sh", "mkdir"):
        (tmp_path / name).symlink_to(f"/bin/{name}")
    for name, does in there.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n", encoding="ascii")
        (tmp_path / name).chmod(0o755)
    make = shutil.which("make")
    assert make is not None
    done = subprocess.run(
        [make, "--no-print-directory", "-C", FIRMWARE, f"BUILD={tmp_path / 'build'}"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    first, *_ = done.stderr.splitlines()
    assert first.startswith(f"firmware: {missing}")
    assert f" is missing: {PACKAGES}, or run make toolchain" in first
