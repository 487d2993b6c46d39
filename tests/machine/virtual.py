"""A virtual machine in QEMU: booted, spoken to as root, plugged, pulled and cut off."""

import base64
import hashlib
import json
import re
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

from tests.machine.image import SIZE, Image
from tests.machine.running import BOUND, MachineError

#: Real seconds until the console answers after a start. Alone on two slow cores it takes about one minute.
BOOT_SECONDS: Final = 600.0

#: Real seconds within which the guest does what it is asked.
PATIENCE: Final = 180.0

#: The USB socket into which the board is plugged.
BOARD: Final = "board"

#: The USB socket into which another board is plugged beside it.
SECOND: Final = "second"

#: The name of the state to which `Machine.back` returns.
KEPT: Final = "kept"


@dataclass(frozen=True, kw_only=True)
class Ports:
    """TCP ports at 127.0.0.1: the page and the live stream lead into the machine, the hands out."""

    page: int
    live: int
    hands: int


def qemu_command(image: Image, overlay: Path, folder: Path, ports: Ports) -> list[str]:
    """The command that boots an image, whose changes go to ``overlay``; sockets and logs are in ``folder``."""
    forwards = ",".join(
        f"hostfwd=tcp:127.0.0.1:{outside}-:{inside}"
        for outside, inside in ((ports.page, 8137), (ports.live, 7001))
    )
    tree = [] if image.device_tree is None else ["-dtb", str(image.device_tree)]
    kernel = f"root=/dev/vda ro fsck.repair=yes console={image.architecture.console} systemd.show_status=0"
    return [
        *BOUND,
        *(*image.architecture.machine, *SIZE, "-accel", "tcg,thread=multi", *tree),
        *("-display", "none", "-nodefaults", "-no-user-config"),
        *("-kernel", str(image.kernel), "-initrd", str(image.initrd)),
        *("-append", f"{kernel} net.ifnames=0 tamsk.hands={ports.hands}"),
        *("-drive", f"file={overlay},format=qcow2,if=none,id=disk,cache=writeback"),
        *("-device", "virtio-blk-pci,drive=disk"),
        *("-serial", f"file:{folder / 'kernel.log'}"),
        *("-device", "virtio-serial-pci", "-device", "virtconsole,chardev=console"),
        *("-chardev", f"socket,id=console,path={folder / 'console'},server=on,wait=off"),
        *("-qmp", f"unix:{folder / 'monitor'},server=on,wait=off"),
        *("-device", "qemu-xhci,id=usb"),
        *("-netdev", f"user,id=net,{forwards}", "-device", "virtio-net-pci,netdev=net,romfile="),
    ]


class Machine:
    """A running virtual machine; `kill` is the power cut, `start` the next morning, with the same disk."""

    def __init__(self, image: Image, folder: Path, ports: Ports) -> None:
        """Make the machine's disk, which begins as the image; ``folder`` is short, as sockets' paths must be."""
        self._image, self._folder, self._ports = image, folder, ports
        self._overlay = folder / "disk.qcow2"
        made = ["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", str(image.disk), str(self._overlay)]
        subprocess.run(made, check=True)
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = count(1)

    def start(self) -> float:
        """Switch it on; give the seconds until the console answered.

        Raises:
            MachineError: QEMU ended, or the console did not answer in time.
        """
        began = time.monotonic()
        self._switch_on()
        self.wait_for_console(began + BOOT_SECONDS)
        return time.monotonic() - began

    def _switch_on(self) -> None:
        for name in ("console", "monitor"):
            (self._folder / name).unlink(missing_ok=True)
        with (self._folder / "qemu.log").open("ab") as log:
            command = qemu_command(self._image, self._overlay, self._folder, self._ports)
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._monitor = self._connect("monitor")
        self._answers = self._monitor.makefile()
        self._answers.readline()
        self._ask("qmp_capabilities")
        self._console = self._connect("console")

    def _connect(self, name: str) -> socket.socket:
        ends = time.monotonic() + 60
        while time.monotonic() < ends:
            assert self._process is not None
            if self._process.poll() is not None:
                raise MachineError(f"QEMU has ended: {(self._folder / 'qemu.log').read_text()}")
            connection = socket.socket(socket.AF_UNIX)
            with suppress(OSError):
                connection.connect(str(self._folder / name))
                return connection
            connection.close()
            time.sleep(0.1)
        raise MachineError(f"QEMU does not open its {name}")

    def wait_for_console(self, ends: float) -> None:
        """Wait until root's shell answers, at most until ``ends`` of the monotonic clock.

        Raises:
            MachineError: it does not.
        """
        while time.monotonic() < ends:
            with suppress(TimeoutError):
                self.run("stty -F /dev/hvc0 -echo", seconds=5.0)
                return
        raise MachineError(f"the machine does not boot:\n{self.kernel_log()[-3000:]}")

    def wait_for_another_boot(self, boot: str) -> None:
        """Wait until the console answers in another start of the kernel than the one with the id ``boot``.

        Raises:
            AssertionError: it does not.
        """

        def is_another() -> bool:
            with suppress(TimeoutError):
                self.run("stty -F /dev/hvc0 -echo", seconds=5.0)
                return self.run("cat /proc/sys/kernel/random/boot_id", seconds=10.0) != boot
            return False

        until(is_another, "another start of the kernel", BOOT_SECONDS)

    def wait_until_off(self) -> None:
        """Wait until the machine has switched itself off.

        Raises:
            AssertionError: it does not.
        """
        until(lambda: not self.is_on, "the machine is off")
        for each in (self._console, self._monitor):
            each.close()

    @property
    def is_on(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """Cut the power: what the guest has not had written to the disk is lost."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        for each in (self._console, self._monitor):
            each.close()

    def kernel_log(self) -> str:
        """The output of kernel and systemd on the serial console since the machine was last switched on."""
        return (self._folder / "kernel.log").read_text(encoding="utf-8", errors="replace")

    def _ask(self, command: str, **arguments: Any) -> Any:
        self._monitor.sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        while True:
            answer = json.loads(self._answers.readline())
            if "error" in answer:
                raise MachineError(f"{command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]

    def monitor(self, line: str) -> str:
        """A command of QEMU's monitor for people.

        Raises:
            MachineError: QEMU said something where success is silent.
        """
        said = str(self._ask("human-monitor-command", **{"command-line": line})).strip()
        if said:
            raise MachineError(f"{line}: {said}")
        return said

    # The state to which each test returns.

    def keep(self) -> None:
        """Keep memory and disk as they are; no board may be plugged in."""
        self.monitor(f"savevm {KEPT}")

    def back(self) -> None:
        """Switch the machine on in the state that was kept.

        A QEMU that has run goes first: no state can be loaded while a converter is plugged in.
        """
        if self.is_on:
            self.kill()
        self._switch_on()
        self.monitor(f"loadvm {KEPT}")

    # The board's plug.

    def plug(self, port: Path, at: str = BOARD) -> None:
        """Plug in an FT232 converter with the pseudo-terminal of a board behind it."""
        self._ask("chardev-add", id=at, backend={"type": "serial", "data": {"device": str(port.resolve())}})
        self._ask("device_add", driver="usb-serial", id=at, chardev=at, **{"always-plugged": True})

    def plug_redirected(self, device: Path, at: str = BOARD) -> None:
        """Plug in the USB device that speaks usbredir at the Unix socket ``device``; `pull` pulls it, too."""
        address = {"type": "unix", "data": {"path": str(device)}}
        backend = {"type": "socket", "data": {"addr": address, "server": False}}
        self._ask("chardev-add", id=at, backend=backend)
        self._ask("device_add", driver="usb-redir", id=at, chardev=at)

    def pull(self, at: str = BOARD) -> None:
        """Pull the converter out."""
        self._ask("device_del", id=at)
        ends = time.monotonic() + 30
        while time.monotonic() < ends:
            # QEMU removes the line of `plug_redirected` itself, that of `plug` when it is asked.
            if at not in [each["label"] for each in self._ask("query-chardev")]:
                return
            with suppress(MachineError):
                self._ask("chardev-remove", id=at)
            time.sleep(0.05)
        raise MachineError("the converter cannot be pulled out")

    # Root's console.

    def attempt(self, command: str, seconds: float = PATIENCE) -> tuple[int, str]:
        """Run a command line as root: its exit status, and what it said on both streams.

        The lines around its output are put together by the shell, so that no echo of the command looks like them.

        Raises:
            TimeoutError: it has not ended within so many real seconds.
            MachineError: the machine is gone.
        """
        number = next(self._numbers)
        begins, ends_with = (
            f'printf "%s%s\\n" "=begin" "={number}="',
            f'printf "\\n%s%s %s=\\n" "=end" "={number}" "$?"',
        )
        self._console.sendall(f"{begins}; {{ {command}\n}} </dev/null 2>&1; {ends_with}\n".encode())
        pattern = re.compile(rb"=begin=%d=\r*\n(.*?)\r*\n=end=%d (\d+)=\r*\n" % (number, number), re.DOTALL)
        ends, heard = time.monotonic() + seconds, b""
        while not (found := pattern.search(heard)):
            self._console.settimeout(max(0.01, ends - time.monotonic()))
            try:
                data = self._console.recv(65536)
            except TimeoutError:
                raise TimeoutError(f"{command}: not done after {seconds:.0f} s: {heard[-500:]!r}") from None
            if not data:
                raise MachineError("the machine is gone")
            heard += data
        return int(found[2]), found[1].decode(errors="replace").replace("\r", "").strip("\n")

    def run(self, command: str, seconds: float = PATIENCE) -> str:
        """Run a command line as root; give what it said.

        Raises:
            MachineError: it failed.
        """
        status, said = self.attempt(command, seconds)
        if status:
            raise MachineError(f"{command}: exit status {status}: {said[-2000:]}")
        return said

    def write(self, path: str, text: str) -> None:
        """Write a text file in the machine.

        Raises:
            MachineError: it could not be written.
        """
        packed = base64.encodebytes(text.encode()).decode()
        self.run(f"base64 -d >{path} <<'END'\n{packed}END")
        if self.run(f"sha256sum {path}").partition(" ")[0] != hashlib.sha256(text.encode()).hexdigest():
            raise MachineError(f"{path} was not written as it should be")

    def read(self, command: str) -> str:
        """Run a command line as root that says much; give what it said, which is held against its sum.

        Raises:
            MachineError: it failed, or the console passed it on wrongly three times.
        """
        for _ in range(3):
            self.run(f"{{ {command}\n}} >/run/read")
            packed, _, rest = self.run("base64 -w 0 /run/read; echo; sha256sum /run/read").partition("\n")
            with suppress(ValueError):
                text = base64.b64decode(packed, validate=True)
                if hashlib.sha256(text).hexdigest() == rest.partition(" ")[0]:
                    return text.decode()
            print(f"the console has passed on wrongly what was said by: {command}", flush=True)
        raise MachineError(f"{command}: the console does not pass on what it says")


def until(is_so: Callable[[], Any], what: str, seconds: float = PATIENCE) -> Any:
    """Wait until something is so in another process; give what is not false.

    Raises:
        AssertionError: it has not come about within so many real seconds.
    """
    ends = time.monotonic() + seconds
    while not (found := is_so()):
        assert time.monotonic() < ends, f"not within {seconds:.0f} s: {what}"
        time.sleep(0.25)
    return found


def free_ports(number: int) -> Sequence[int]:
    """TCP ports of 127.0.0.1 that nobody uses at this moment."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
