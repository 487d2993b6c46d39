"""The model of this computer, by which drivers of the Raspberry Pi's pins differ."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

#: Where Linux says which computer this is.
DEVICE_TREE = Path("/proc/device-tree")


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer: ``model`` as its maker calls it (empty when nobody says), and what that means for its pins."""

    model: str = ""
    is_pi: bool = False
    """A Raspberry Pi of any model."""
    is_pi_5: bool = False
    """A Raspberry Pi 5, 500 or Compute Module 5, whose pins hang on another chip (RP1) than those before."""


def this_computer(device_tree: Path = DEVICE_TREE) -> Computer:
    """Read the device tree of this computer."""
    try:
        model = (device_tree / "model").read_bytes().rstrip(b"\0").decode(errors="replace")
    except OSError:
        return Computer()
    try:
        compatible = (device_tree / "compatible").read_bytes().split(b"\0")
    except OSError:
        compatible = []
    is_pi = model.startswith("Raspberry Pi")
    return Computer(model, is_pi, is_pi and b"brcm,bcm2712" in compatible)
