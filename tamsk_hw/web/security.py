"""Security: the page's address, names and headers, and the arbiter's token.

The arbiter's token is the one secret that opens the desk; its hash alone is kept, in the state folder.
"""

from __future__ import annotations

import os
import re
import secrets
import socket
import sys
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Final

from starlette.requests import Request

from tamsk_hw.errors import ConfigError, InputError
from tamsk_hw.system.files import make_folder, read_file, sync, written_beside

#: The file's name in the state folder.
NAME: Final = "arbiter-token"

#: The most sessions at a time; one more ends the oldest.
MOST_SESSIONS: Final = 50

#: Bytes of chance in a token: too many to be guessed, so a plain hash of it keeps it secret.
_BYTES: Final = 32

#: Characters of a hash.
_DIGITS: Final = 64


def digest(secret: str) -> str:
    """The hash under which a secret is kept."""
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class TokenFile:
    """The file with the token's hash. Its readers learn no token from it."""

    path: Path

    @classmethod
    def of(cls, state_folder: Path) -> TokenFile:
        """The file in a state folder."""
        return cls(state_folder / NAME)

    def renew(self) -> str:
        """Make a new token, which ends all sessions of the one before; keep its hash.

        The file belongs to the folder's owner and group, so root can make a token for the service, too. The page's
        user reads it as a member of that group.

        Raises:
            ConfigError: the file cannot be written.
        """
        token = secrets.token_urlsafe(_BYTES)
        folder = self.path.parent
        try:
            make_folder(folder)
            with written_beside(self.path, f"{digest(token)}\n".encode(), 0o640) as new:
                new.chmod(0o640)
                os.replace(new, self.path)
            sync(folder)
        except OSError as error:
            advice = "run it as the user to whom that folder belongs, with sudo -u"
            raise ConfigError(f"{self.path} cannot be written: {error.strerror}", advice) from None
        return token

    def kept(self) -> str | None:
        """The hash of the token that is in force; None without one, or where it cannot be read."""
        try:
            text = read_file(self.path, 200).decode("ascii").strip()
        except (OSError, InputError, UnicodeDecodeError):
            return None
        return text if len(text) == _DIGITS else None


#: Everything comes from the page itself, scripts and styles from files of its own only.
CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)

#: The same for a page to which the reader's program adds a style, as OBS does.
STYLED_CONTENT_SECURITY_POLICY: Final = f"{CONTENT_SECURITY_POLICY}; style-src-elem 'self' 'unsafe-inline'"

#: Without a referrer at its own pages a browser would send no origin along with a form.
HEADERS: Final = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

#: A ``Host`` header: a name or an address, perhaps with a port.
_HOST: Final = re.compile(r"(?P<host>\[[^\]]*\]|[^:\[\]]*)(?P<port>:[0-9]{0,5})?", re.ASCII)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """The address that a text is, with or without brackets; None for a name."""
    try:
        return ip_address(text.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None


def address_of(end: tuple[str, int | None] | None) -> IPv4Address | IPv6Address | None:
    """The address of one end of a connection; None where it has none."""
    address = None if end is None else _address(end[0])
    return getattr(address, "ipv4_mapped", None) or address


def own_cookie(request: Request, name: str) -> str:
    """The name of a cookie of this page alone: a browser sends cookies to all ports of a computer."""
    named = _HOST.fullmatch(request.headers.get("host", ""))
    return name + (named["port"] or "" if named else "").replace(":", "-")


#: Linux's option, of each family, for an address that the computer gets later; Python has no name for it.
_FREEBIND: Final = {socket.AF_INET: (socket.IPPROTO_IP, 15), socket.AF_INET6: (socket.IPPROTO_IPV6, 78)}

#: Milliseconds after which the kernel gives up a browser that takes nothing.
_GIVEN_UP: Final = 30_000


@dataclass(frozen=True, slots=True)
class Binding:
    """The address and port on which the page listens, and the ``names`` by which others call it."""

    address: str
    port: int = 0
    names: tuple[str, ...] = ()

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

    def allows(self, header: str | None) -> bool:
        """Is the page meant by this ``Host`` header? Another site's name must not lead here (DNS rebinding).

        On loopback and on one address only those and the names are taken; on all addresses each address is, and
        this computer's own name, too.
        """
        named = _HOST.fullmatch(header or "")
        if named is None:
            return False
        host = named["host"].lower().removesuffix(".")
        address, bound = _address(host), ip_address(self.address)
        if address is not None:
            return bound.is_unspecified or address.is_loopback or address == bound
        names = {"localhost", *(name.lower() for name in self.names)}
        if bound.is_unspecified:
            own = socket.gethostname().lower()
            names |= {own, f"{own.partition('.')[0]}.local"}
        return host in names or host.endswith(".localhost")

    @property
    def called(self) -> str:
        """The address for another device: with the first of the page's names, else with the bound address.

        Where the page listens on all addresses, that is this computer's name in a local network, as in
        ``raspberrypi.local``.
        """
        address = ip_address(self.address)
        host = f"[{address}]" if isinstance(address, IPv6Address) else str(address)
        if self.names and not address.is_loopback:
            host = self.names[0]
        elif address.is_unspecified:
            host = f"{socket.gethostname().partition('.')[0]}.local"
        return f"http://{host}:{self.port}/"

    def listen(self, *, any_port: bool = False) -> socket.socket:
        """A listening socket; ``any_port``: on a free port when `port` is taken.

        It works as soon as this computer has the address, which may come after a start.

        Raises:
            ConfigError: the port is taken, or the address cannot be used.
        """
        try:
            try:
                return self._listen(self.port)
            except OSError:
                if not any_port:
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
