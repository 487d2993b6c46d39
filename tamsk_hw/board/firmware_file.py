"""The file of a controller's program, ``tamsk.hex``: read, checked, and asked what it is (firmware/README.md).

`read_firmware` takes a sound Intel HEX file and nothing else; `FirmwareFile.misfit` says why its program does not
belong on a board of this host.
"""

import io
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intelhex import AddressOverlapError, HexReaderError, IntelHex, RecordChecksumError

from tamsk_hw.board.protocol import PROTOCOL_MAJOR, PROTOCOL_MINOR
from tamsk_hw.errors import FlashError, InputError
from tamsk_hw.system.files import read_file

#: Bytes of flash for a program: the ATmega328P's 32 KiB without the 2 KiB of an Arduino Nano's old boot loader.
FLASH_BYTES: Final = 30_720

#: Address of the identification: behind the 26 vectors of 4 bytes each.
IDENTIFICATION_AT: Final = 104

# Magic, version of the record, protocol, firmware, a zero, wiring hash, bytes of the program.
_RECORD: Final = struct.Struct("<5s B 2B 3B x I H")
_MAGIC: Final = b"TAMSK"
_RECORD_VERSION: Final = 1

_LAST_RECORD: Final = ":00000001FF"

# A program that fills the flash is an Intel HEX file of 90 KB with usual lines.
_FILE_MOST: Final = 1_000_000

#: Advice for a damaged file.
_AGAIN: Final = "download or build it again"


@dataclass(frozen=True, slots=True)
class Identification:
    """Identification of a program: ``protocol`` (major, minor), ``firmware`` (major, minor, patch), and the
    ``wiring_hash`` of the map that its tables were made from (PROTOCOL.md section 6).
    """

    protocol: tuple[int, int]
    firmware: tuple[int, int, int]
    wiring_hash: int

    @property
    def version(self) -> str:
        """The firmware's version, as ``1.0.0``."""
        return ".".join(map(str, self.firmware))


@dataclass(frozen=True, slots=True)
class FirmwareFile:
    """A sound file: its ``path``, its bytes as they were read, the ``program`` in them from address 0 on.

    ``identification`` is None for a program that is not this project's, or of a later make.
    """

    path: Path
    content: bytes
    program: bytes
    identification: Identification | None

    def misfit(self, wiring_hash: int) -> str | None:
        """The reason for which a host with this wiring hash could not use the program; None when it can."""
        known = self.identification
        if known is None:
            return f"{self.path}: says nowhere that it is a program for this board, or in a way not known here"
        major, minor = known.protocol
        if major != PROTOCOL_MAJOR:
            return (
                f"{self.path}: speaks protocol {major}.{minor}, this program {PROTOCOL_MAJOR}.{PROTOCOL_MINOR}: "
                "take the tamsk.hex of this program's own release"
            )
        if known.wiring_hash != wiring_hash:
            return (
                f"{self.path}: was built from wiring {known.wiring_hash:08x}, this program's map is "
                f"{wiring_hash:08x}: build it from this map, as firmware/README.md says"
            )
        return None


def read_firmware(path: Path) -> FirmwareFile:
    """Read and check a program's file.

    Raises `FlashError` for a file that cannot be read, is no Intel HEX, is damaged or cut short, or holds what is
    no program for an ATmega328P with a boot loader.
    """
    try:
        content = read_file(path, _FILE_MOST)
    except InputError as error:
        raise FlashError(f"{path}: is {error}", "give a tamsk.hex") from error
    except OSError as error:
        raise FlashError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from error
    program = _program(path, content)
    identification, length = _identification(program)
    if identification is not None and length != len(program):
        raise FlashError(f"{path}: damaged: holds {len(program)} bytes of a program of {length}", _AGAIN)
    return FirmwareFile(path, content, program, identification)


def _program(path: Path, content: bytes) -> bytes:
    """The bytes from address 0 on."""
    found = _intel_hex(path, content)
    addresses = found.addresses()
    if not addresses or addresses[0] != 0:
        raise FlashError(f"{path}: nothing for address 0, where the controller begins: it is no whole program")
    if addresses[-1] >= FLASH_BYTES:
        raise FlashError(
            f"{path}: goes up to address {addresses[-1]}; a program has {FLASH_BYTES} bytes beside the boot loader"
        )
    if len(addresses) != addresses[-1] + 1:
        gap = next(place for place, address in enumerate(addresses) if place != address)
        raise FlashError(f"{path}: nothing for address {gap}, a piece is missing", _AGAIN)
    program = bytes(found[address] for address in addresses)
    first = int.from_bytes(program[:2], "little")
    if first & 0xFE0E != 0x940C and first & 0xF000 != 0xC000:
        raise FlashError(f"{path}: does not begin with a jump, as every program of this controller does")
    return program


def _intel_hex(path: Path, content: bytes) -> IntelHex:
    """The file's records. The library also takes a file without its last record, and whatever stands behind it."""
    foreign = FlashError(f"{path}: is no Intel HEX file", "give a tamsk.hex")
    if not content.startswith(b":"):
        raise foreign
    try:
        text = content.decode("ascii")
    except UnicodeDecodeError as error:
        raise foreign from error
    found = IntelHex()
    try:
        found.loadhex(io.StringIO(text))
    except HexReaderError as error:
        match error:
            case RecordChecksumError():
                words = "has a wrong checksum"
            case AddressOverlapError():
                words = "has bytes for an address that had its own already"
            case _:
                words = "is no record of an Intel HEX file"
        line = getattr(error, "line", None)
        where = "the last record" if line is None else f"line {line}"
        raise FlashError(f"{path}: damaged: {where} {words}", _AGAIN) from error
    *before, last = text.split()
    if last.upper() != _LAST_RECORD or any(line[7:9] == _LAST_RECORD[7:9] for line in before):
        raise FlashError(f"{path}: cut: does not end with its one {_LAST_RECORD}", _AGAIN)
    return found


def _identification(program: bytes) -> tuple[Identification | None, int]:
    """The program's identification and its length in bytes."""
    if len(program) < IDENTIFICATION_AT + _RECORD.size:
        return None, 0
    magic, version, major, minor, *firmware, wiring_hash, length = _RECORD.unpack_from(program, IDENTIFICATION_AT)
    if magic != _MAGIC or version != _RECORD_VERSION:
        return None, 0
    first, second, third = firmware
    return Identification((major, minor), (first, second, third), wiring_hash), length
