"""The arbiter's token: the one secret that opens the desk. Its hash alone is kept, in the state folder."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from tamsk_hw.errors import ConfigError, InputError
from tamsk_hw.system.files import make_folder, sync, written_beside
from tamsk_hw.system.reading import read_file

#: The file's name in the state folder.
NAME: Final = "arbiter-token"

#: Bytes of chance in a token: too many to be guessed, so a plain hash of it keeps it secret.
_BYTES: Final = 32

#: Characters of a hash.
_DIGITS: Final = 64


def digest(secret: str) -> str:
    """The hash under which a secret is kept."""
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class TokenFile:
    """The file with the token's hash. Whoever may read it learns no token from it."""

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
