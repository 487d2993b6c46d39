"""The port on which the page listens, and its address for people. It needs no library."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Final

from tamsk_hw.errors import ConfigError

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
        """A listening socket.

        Raises:
            ConfigError: the port is taken, or the address is not this computer's.
        """
        try:
            return self._listen(self.port)
        except OSError as error:
            if self.any_port:
                return self._listen(0)
            where = f"{self.address} port {self.port}"
            advice = "name others with --address and --port, or in the configuration, in [web]"
            raise ConfigError(f"the page cannot be at {where}: {error.strerror}; {advice}") from None

    def _listen(self, port: int) -> socket.socket:
        family = socket.AF_INET6 if ":" in self.address else socket.AF_INET
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if hasattr(socket, "TCP_USER_TIMEOUT"):
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
