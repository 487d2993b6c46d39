"""Makes the firmware's tables from the wiring map (``firmware/generated/tables.h``, PROTOCOL.md section 6).

``python -m wiring.make.firmware_tables [MAP] [HEADER]`` writes the header, and leaves a file that is the same
already untouched. Without arguments it is the reference board's map and the checkout's header. The numbers are
taken from `Wiring.firmware_bytes`, the bytes that are hashed, so tables and hash cannot differ. A field that
is not fitted has no conversion.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tamsk_hw.board.wiring import CHIPS, Wiring, load_wiring
from tamsk_hw.errors import TamskError

#: Where the firmware's build looks for its tables.
HEADER: Final = Path(__file__).resolve().parents[2] / "firmware" / "generated" / "tables.h"

_SINGLE_PINS: Final = ("MOSI", "MISO", "SCK", "LATCH", "RING_SELECT", "EMITTER_ENABLE")
_HOLDER_PINS: Final = ("RED_CLOCK", "RED_DATA", "BLACK_CLOCK", "BLACK_DATA")

#: Multiplexer and address of a field that is not fitted (PROTOCOL.md section 6).
_NOT_FITTED: Final = (0xFF, 0xFF)

_BEGINNING: Final = """\
/* Made from the wiring map by `python -m wiring.make.firmware_tables`; do not edit.
   Pins are written as in PROTOCOL.md section 6: 0x10 + n for PBn, 0x20 + n for PCn, 0x30 + n for PDn, 0x40 + n for
   ADCn. */
#ifndef TAMSK_TABLES_H
#define TAMSK_TABLES_H
"""


def tables_header(wiring: Wiring) -> str:
    """The text of ``tables.h`` for ``wiring``."""
    data = iter(wiring.firmware_bytes)
    version, chips = next(data), next(data)
    fields = _pairs(data)
    references = _pairs(data)
    selects = _list(data)
    inputs = _list(data)
    single = dict(zip(_SINGLE_PINS, data, strict=False))
    holders = dict(zip(_HOLDER_PINS, data, strict=True))
    if version != 1 or not 1 <= chips <= CHIPS:
        raise ValueError(
            f"firmware bytes of version {version} with {chips} chips; this module knows 1 with 1 to 8"
        )
    lines = [
        _BEGINNING,
        f"#define WIRING_HASH UINT32_C(0x{wiring.hash:08X})",
        f"#define WIRING_CHIPS {chips}",
        f"#define WIRING_FIELDS {len(fields)}",
        f"#define WIRING_REFERENCES {len(references)}",
        f"#define WIRING_HOLDERS {len(wiring.holders)}",
        "",
        *(f"#define PIN_{name} 0x{code:02X}" for name, code in single.items()),
        *(f"#define PIN_SELECT_{place} 0x{code:02X}" for place, code in enumerate(selects)),
        *(f"#define PIN_HOLDER_{name} 0x{code:02X}" for name, code in holders.items()),
        "",
        "/* The ADC inputs of the multiplexers, the first one's first. */",
        f"#define WIRING_MUX_INPUTS {', '.join(f'0x{code:02X}' for code in inputs)}",
        "",
        "/* The ADC input of the 2.5 V reference, as a number. */",
        f"#define WIRING_SUPPLY_INPUT {wiring.controller.supply_input.removeprefix('ADC')}",
        "",
        "/* Conversions in the order in which a scan makes them: multiplexer address, ADC input, place among the",
        "   readings (the fields, then the references). Those with one address come together, so the select lines",
        "   move as little as can be. */",
        "#define WIRING_CONVERSIONS \\",
    ]
    channels = sorted(
        (address, mux, place)
        for place, (mux, address) in enumerate((*fields, *references))
        if (mux, address) != _NOT_FITTED
    )
    lines.append(
        ", \\\n".join(f"    {{{address}, {inputs[mux] & 0x0F}, {place}}}" for address, mux, place in channels)
    )
    lines += ["", "#endif", ""]
    return "\n".join(lines)


def write_header(wiring: Wiring, header: Path) -> bool:
    """Write the tables of ``wiring``; True where that changed the file."""
    text = tables_header(wiring)
    if header.exists() and header.read_text(encoding="utf-8") == text:
        return False
    header.parent.mkdir(parents=True, exist_ok=True)
    header.write_text(text, encoding="utf-8")
    return True


def _list(data: Iterator[int]) -> tuple[int, ...]:
    return tuple(next(data) for _ in range(next(data)))


def _pairs(data: Iterator[int]) -> tuple[tuple[int, int], ...]:
    return tuple((next(data), next(data)) for _ in range(next(data)))


def main(arguments: list[str]) -> int:
    """Write the header; return the exit status."""
    if len(arguments) > 2:
        print("usage: python -m wiring.make.firmware_tables [MAP] [HEADER]", file=sys.stderr)
        return 2
    try:
        wiring = load_wiring(Path(arguments[0]) if arguments else None)
    except TamskError as error:
        print(error, file=sys.stderr)
        return 1
    header = Path(arguments[1]) if len(arguments) > 1 else HEADER
    changed = write_header(wiring, header)
    print(f"{header.name}: wiring hash {wiring.hash:08X}, {'written' if changed else 'up to date'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
