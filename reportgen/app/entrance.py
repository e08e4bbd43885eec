"""Who may come in: a token in an address is exchanged for a cookie, once."""

import hmac
import secrets
from collections.abc import Callable
from http import HTTPStatus
from threading import Lock

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from reportgen.app.served_site import Trouble

CLOSED = Trouble(
    "This screen is closed",
    ["Open it by the address that the terminal shows: it works once, in one browser."],
    HTTPStatus.FORBIDDEN,
)


class Entrance:
    """Exchanges a token for a cookie, once; then the next browser needs another token."""

    def __init__(self, told: Callable[[str], None], path: str) -> None:
        """Make the first token; `told` prints the next one. Cookies are for what is below `path`."""
        self.token = secrets.token_urlsafe(32)
        self._cookies: set[str] = set()
        self._told, self._path, self._lock = told, path, Lock()

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
        """Tell whether a request comes from a browser that has come in."""
        return self.knows(request.cookies.get(_cookie_name(request), ""))

    def enter(self, request: Request, start: str) -> Response:
        """Let a browser in that has the token, or is in already: lead it to where the screen starts."""
        cookie = self.exchange(request.query_params.get("token", ""))
        if not cookie and not self.has_in(request):
            return refusal()
        response = RedirectResponse(start, HTTPStatus.SEE_OTHER)
        if cookie:
            name = _cookie_name(request)
            response.set_cookie(name, cookie, path=self._path, httponly=True, samesite="strict")
        return response


def refusal() -> Response:
    """Return what a browser is answered that has not come in."""
    answer = CLOSED.answer(again="/")
    return HTMLResponse(answer.content, answer.status)


def _cookie_name(request: Request) -> str:
    """Return the name of our cookie: browsers send the cookies of one port to all others."""
    return f"reportgen-{request.url.port}"
