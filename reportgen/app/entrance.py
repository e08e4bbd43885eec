"""Who may come in: a token in an address is exchanged for a cookie, once.

Browsers send cookies to every port of this computer, where others may listen. So all that a cookie opens is
below a path that nobody can guess, and the cookie goes nowhere else. Nor does a browser get the address as an
argument, which every user of the computer sees: it gets a file that leads there.
"""

import hmac
import secrets
import webbrowser
from collections.abc import Callable
from html import escape
from http import HTTPStatus
from pathlib import Path
from threading import Lock

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from reportgen.app.served_site import Trouble, template
from reportgen.base.site_folder import write_file

CLOSED = Trouble(
    "This screen is closed",
    ["Open it by the address that the terminal shows: it works once, in one browser."],
    HTTPStatus.FORBIDDEN,
)


class Entrance:
    """Exchanges a token for a cookie, once; then the next browser needs another token."""

    def __init__(self, told: Callable[[str], None], above: str = "") -> None:
        """Make the first token, and the path, below `above`, of what it opens; `told` prints the next."""
        self.token, self.below = secrets.token_urlsafe(32), f"{above}/{secrets.token_urlsafe(32)}"
        self._cookies: set[str] = set()
        self._told, self._lock = told, Lock()

    def exchange(self, token: str) -> str:
        """Return a cookie for the token, nothing where it is another one."""
        with self._lock:
            if not hmac.compare_digest(token.encode(errors="replace"), self.token.encode()):
                return ""
            self.token = secrets.token_urlsafe(32)
            cookie = secrets.token_urlsafe(32)
            self._cookies.add(cookie)
        self._told(self.token)
        return cookie

    def knows(self, cookie: str) -> bool:
        """Tell whether a browser has come in by a token."""
        return any(
            hmac.compare_digest(cookie.encode(errors="replace"), each.encode())
            for each in tuple(self._cookies)
        )

    def has_in(self, request: Request) -> bool:
        """Tell whether a request comes from a browser that has come in, and knows the way."""
        way = f"{self.below}/"
        is_below = hmac.compare_digest(request.url.path[: len(way)].encode(errors="replace"), way.encode())
        return self.knows(request.cookies.get(_cookie_name(request), "")) and is_below

    def enter(self, request: Request, start: str) -> Response:
        """Let a browser in that has the token, or is in already: lead it to where the screen starts."""
        cookie = self.exchange(request.query_params.get("token", ""))
        if not cookie and not self.has_in(request):
            return refusal()
        # A browser that comes from a file sends no cookie where it is sent on to: a page has to lead it.
        response = HTMLResponse(leading_to(start))
        if cookie:
            name = _cookie_name(request)
            response.set_cookie(name, cookie, path=self.below, httponly=True, samesite="strict")
        return response


def leading_to(address: str) -> bytes:
    """Return a page that leads to an address by itself."""
    return (template("enter.html") % {"address": escape(address)}).encode()


def browse(address: str, folder: Path) -> None:
    """Open a browser at an address, by a file in a folder that its user alone may read."""
    file = folder / "open.html"
    write_file(file, leading_to(address), 0o600)
    webbrowser.open(file.absolute().as_uri())


def refusal() -> Response:
    """Return what a browser is answered that has not come in."""
    answer = CLOSED.answer(again="/")
    return HTMLResponse(answer.content, answer.status)


def _cookie_name(request: Request) -> str:
    """Return the name of our cookie: browsers send the cookies of one port to all others."""
    return f"reportgen-{request.url.port}"
