"""Which serial line becomes /dev/tamsk-board."""

import pytest

from tests.systemd.tools import FILES, printed, tool
from tests.systemd.udev_rules import Device, apply, read_file, read_rules

RULES = FILES / "99-tamsk-board.rules"

#: USB numbers of vendor and product.
CH340 = ("1a86", "7523")
FT232R = ("0403", "6001")
UNO = ("2341", "0043")
MODEM = ("12d1", "1506")
LINK = "tamsk-board"


def plugged_in(usb: tuple[str, str], kernel: str = "ttyUSB0", *, own: str = "", **properties: str) -> Device:
    """A serial line of such a USB chip, after our rules and a file of ``own`` before them."""
    device = Device(kernel, attributes={"idVendor": usb[0], "idProduct": usb[1]}, properties=properties)
    return apply(read_rules(own, read_file(RULES)), device)


@pytest.mark.parametrize(
    ("usb", "kernel"),
    [(CH340, "ttyUSB0"), (FT232R, "ttyUSB11"), (UNO, "ttyACM0")],
    ids=["CH340", "FT232R", "16U2"],
)
def test_a_board_has_one_name(usb: tuple[str, str], kernel: str) -> None:
    device = plugged_in(usb, kernel)
    assert device.given["SYMLINK"] == [LINK]
    assert (device.given["GROUP"], device.given["MODE"]) == (["dialout"], ["0660"])
    assert "systemd" in device.given["TAG"], "other units may wait for it"
    assert device.properties["ID_MM_DEVICE_IGNORE"] == "1", "no modem is looked for in it"


def test_an_ft232r_passes_bytes_on_at_once() -> None:
    assert plugged_in(FT232R).given["device/latency_timer"] == ["1"]
    assert "device/latency_timer" not in plugged_in(CH340).given


def test_other_devices_are_left_alone() -> None:
    untouched = Device("ttyUSB0", attributes={"idVendor": MODEM[0], "idProduct": MODEM[1]})
    assert plugged_in(MODEM) == untouched
    assert plugged_in(CH340, "tty1").given["SYMLINK"] == []
    ids = {"idVendor": CH340[0], "idProduct": CH340[1]}
    usb = Device("1-1.3", subsystem="usb", attributes=ids)
    assert apply(read_rules(read_file(RULES)), usb).given["SYMLINK"] == []
    gone = Device("ttyUSB0", action="remove", attributes=ids)
    assert apply(read_rules(read_file(RULES)), gone).given["SYMLINK"] == []


def test_the_reference_controller_comes_before_other_chips() -> None:
    assert plugged_in(CH340).priority > plugged_in(FT232R).priority > plugged_in(UNO).priority > 0


def test_two_of_one_kind_are_told_apart_by_their_sockets() -> None:
    own = 'SUBSYSTEM=="tty", ENV{ID_PATH}=="*-usb-0:1.3:1.0", ENV{TAMSK_BOARD}="yes"'
    path = "platform-3f980000.usb-usb-0:1.{}:1.0"
    mine = plugged_in(CH340, own=own, ID_PATH=path.format(3))
    other = plugged_in(CH340, own=own, ID_PATH=path.format(2))
    assert mine.given["SYMLINK"] == other.given["SYMLINK"] == [LINK]
    assert mine.priority > other.priority


def test_a_line_that_is_no_board_can_be_left_out() -> None:
    own = 'SUBSYSTEM=="tty", ENV{ID_SERIAL_SHORT}=="A50285BI", ENV{TAMSK_BOARD}="no"'
    assert plugged_in(FT232R, own=own, ID_SERIAL_SHORT="A50285BI").given["SYMLINK"] == []
    assert plugged_in(FT232R, own=own, ID_SERIAL_SHORT="A9012345").given["SYMLINK"] == [LINK]


def test_any_chip_can_be_named_the_board() -> None:
    own = 'SUBSYSTEM=="tty", ENV{ID_SERIAL_SHORT}=="0001", ENV{TAMSK_BOARD}="yes"'
    named = plugged_in(("10c4", "ea60"), own=own, ID_SERIAL_SHORT="0001")
    assert named.given["SYMLINK"] == [LINK]
    assert named.priority > plugged_in(CH340).priority


def test_udev_itself_understands_the_rules() -> None:
    udevadm = tool("udevadm")
    if " verify" not in printed(udevadm, "--help")[1]:
        pytest.skip("udevadm is older than version 254: no udevadm verify")
    status, said = printed(udevadm, "verify", RULES)
    assert status == 0, said
