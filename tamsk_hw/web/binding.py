"""The port on which the page listens, and its address for people. It needs no library."""

from __future__ import annotations

import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Final

from tamsk_hw.errors import ConfigError

#: Linux's option, of each family, for an address that the computer gets later; Python has no name for it.
_FREEBIND: Final = {socket.AF_INET: (socket.IPPROTO_IP, 15), socket.AF_INET6: (socket.IPPROTO_IPV6, 78)}

#: Milliseconds after which the kernel gives up a browser that takes nothing.
_GIVEN_UP: Final = 30_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """Where the page listens; ``any_port``: on a free port when ``port`` is taken."""

    address: str
    port: int
    any_port: bool = False

    @property
    def is_local(self) -> bool:
        """Only this computer reaches the page."""
        return ip_address(self.address).is_loopback

    @property
    def is_here(self) -> bool:
        """This computer has the address by now."""
        try:
            with socket.socket(self._family, socket.SOCK_DGRAM) as probe:
                probe.bind((self.address, 0))
        except OSError:
            return False
        return True

    @property
    def _family(self) -> socket.AddressFamily:
        return socket.AF_INET6 if ":" in self.address else socket.AF_INET

    def called(self, names: Sequence[str]) -> str:
        """The address for another device: with the first of the page's names, else with the bound address.

        Where the page listens on all addresses, that is this computer's name in a local network, as in
        ``raspberrypi.local``.
        """
        address = ip_address(self.address)
        host = f"[{address}]" if isinstance(address, IPv6Address) else str(address)
        if names and not address.is_loopback:
            host = names[0]
        elif address.is_unspecified:
            host = f"{socket.gethostname().partition('.')[0]}.local"
        return f"http://{host}:{self.port}/"

    def listen(self) -> socket.socket:
        """A listening socket. It works as soon as this computer has the address, which may come after a start.

        Raises:
            ConfigError: the port is taken, or the address cannot be used.
        """
        try:
            try:
                return self._listen(self.port)
            except OSError:
                if not self.any_port:
                    raise
                return self._listen(0)
        except OSError as error:
            where = f"{self.address} port {self.port}"
            advice = "name others with --address and --port, or in the configuration, in [web]"
            raise ConfigError(f"the page cannot be at {where}: {error.strerror}; {advice}") from None

    def _listen(self, port: int) -> socket.socket:
        listening = socket.socket(self._family, socket.SOCK_STREAM)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if sys.platform == "linux":
                listening.setsockopt(*_FREEBIND[self._family], 1)
                listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _GIVEN_UP)
            listening.bind((self.address, port))
            listening.listen()
        except OSError:
            listening.close()
            raise
        return listening


def page_address(listening: socket.socket) -> str:
    """The address to type into a browser."""
    host, port = listening.getsockname()[:2]
    address = ip_address(host)
    if address.is_unspecified:
        host = socket.gethostname()
    elif isinstance(address, IPv6Address):
        host = f"[{host}]"
    return f"http://{host}:{port}/"
