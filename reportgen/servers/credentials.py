"""What a server knows its user by: taken from the environment or the keyring, and shown nowhere."""

import os
from collections.abc import Iterator
from dataclasses import field
from importlib.util import find_spec
from urllib.parse import quote

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import refused

TOKEN, USER, PASSWORD = "REPORTGEN_TOKEN", "REPORTGEN_USER", "REPORTGEN_PASSWORD"
# Under which name the keyring has tokens, each with the address of its server.
SERVICE = "reportgen"
HIDDEN = "…"


@dataclass(frozen=True)
class Credentials:
    """A token, or a user with a password."""

    token: str = field(default="", repr=False)
    user: str = ""
    password: str = field(default="", repr=False)

    def hidden(self, text: str) -> str:
        """Return a text without what is secret, however it may be written in an address."""
        for secret in self.secrets():
            text = text.replace(secret, HIDDEN)
        return text

    def secrets(self) -> Iterator[str]:
        """Yield what may be shown nowhere."""
        for secret in filter(None, (self.token, self.password)):
            yield from dict.fromkeys((secret, quote(secret, safe="")))


def credentials_for(url: str, *, with_password: bool) -> Credentials:
    """Return what the environment has for a server, else the keyring.

    Raises BadInput where neither has anything, or has what can be no token.
    """
    user, password = os.environ.get(USER, ""), os.environ.get(PASSWORD, "")
    found = Credentials(os.environ.get(TOKEN, "").strip())
    if with_password and user and password:
        found = Credentials("", user, password)
    elif not found.token:
        found = Credentials(_of_keyring(url))
    if not (found.token or found.password):
        or_else = f", or {USER} and {PASSWORD}" if with_password else ""
        kept = f" Or keep it in the keyring: keyring set {SERVICE} {url}." if find_spec("keyring") else ""
        remedy = f"Set {TOKEN} in the environment{or_else}; campaign.toml is not the place for it.{kept}"
        raise refused(TOKEN, message="is not set, and the server asks who you are.", remedy=remedy)
    if not (found.token.isascii() and found.token.isprintable()) or " " in found.token:
        # Not shown, and no library may show it either.
        remedy = "Copy the token alone, as one word."
        raise refused(TOKEN, message="has blanks or signs that no token has.", remedy=remedy)
    return found


def _of_keyring(url: str) -> str:
    """Return the token that the system's keyring has for a server, nothing without one."""
    if find_spec("keyring") is None:
        return ""
    import keyring
    from keyring.errors import KeyringError

    try:
        return (keyring.get_password(SERVICE, url) or "").strip()
    except KeyringError:
        return ""
