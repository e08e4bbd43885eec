"""A session with a server as a browser has one: cookies, forms with their token, JSON."""

import http.cookiejar
import json
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import Any

HIDDEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class Session:
    """One person who is at the server, by cookies or a header."""

    def __init__(self, url: str, authorisation: str = "") -> None:
        self.url, self.authorisation = url, authorisation
        jar = http.cookiejar.CookieJar()
        none = urllib.request.ProxyHandler({})
        self._opener = urllib.request.build_opener(none, urllib.request.HTTPCookieProcessor(jar))
        self._jar = jar

    def call(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - any JSON value
        """Return the JSON that answers to a request with JSON."""
        data = None if body is None else json.dumps(body).encode()
        content = self._open(method, path, data, "application/json")
        return json.loads(content) if content else None

    def download(self, path: str) -> bytes:
        """Return what is at a path."""
        return self._open("GET", path, None, "")

    def form(self, path: str, fields: Mapping[str, str]) -> str:
        """Fill in the form of a page and send it; return the page that follows."""
        found = HIDDEN.search(self._open("GET", path, None, "").decode())
        assert found is not None, path
        data = urllib.parse.urlencode({"csrfmiddlewaretoken": found[1], **fields}).encode()
        return self._open("POST", path, data, "application/x-www-form-urlencoded").decode()

    def _open(self, method: str, path: str, data: bytes | None, kind: str) -> bytes:
        headers = {"Referer": self.url}
        if data is not None:
            headers["Content-Type"] = kind
        if self.authorisation:
            headers["Authorization"] = self.authorisation
        for cookie in self._jar:
            if cookie.name == "csrftoken" and cookie.value:
                headers["X-CSRFToken"] = cookie.value
        address = f"{self.url}/{path.lstrip('/')}"
        request = urllib.request.Request(address, data, headers, method=method)  # noqa: S310 - a server of ours
        try:
            with self._opener.open(request, timeout=120) as response:
                content: bytes = response.read()
                return content
        except urllib.error.HTTPError as error:
            with error:
                raise AssertionError(f"{method} {path}: {error.code} {error.read()[:500]!r}") from None
