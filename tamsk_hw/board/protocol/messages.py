"""The messages on the wire as values (PROTOCOL.md sections 3 and 4)."""

from __future__ import annotations

from dataclasses import dataclass

#: Tubes and the timer's cradle: fields 0 … 36 are the tubes in board order (A1 … G4), 37 the cradle.
FIELDS = 38

#: Index of the cradle's field.
TIMER_FIELD = 37

#: Inputs that carry 1/4, 1/2 and 3/4 of 5 V.
REFERENCES = 3

#: Ring sensors: bits of the chain; bit n is input n % 8 of chip n // 8.
RING_BITS = 64


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole board at one instant, never a difference (PROTOCOL.md section 4).

    ``time`` is controller time in microseconds modulo 2**32. ``rings`` and ``dark`` hold 64 bits each: a ring
    seen while lit, light seen while dark (such a bit of ``rings`` is unknown). ``fields`` are 38 readings of
    8 bits (0 … 255, half of 5 V is 128), ``references`` the 3 fixed inputs, ``holders`` the two load
    cells' signed 24-bit readings (red, black), ``faults`` the controller's own fault flags.
    """

    seq: int
    time: int
    rings: int
    dark: int
    fields: bytes
    references: bytes
    holders: tuple[int, int]
    faults: int
