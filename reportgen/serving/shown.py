"""What a browser is sent: files of the site as they are, pages with a few lines that reload them."""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from html import escape

from reportgen.errors import Problem, printable

EVENTS = "/.reportgen/events"
TYPES = {
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
    "xml": "application/atom+xml; charset=utf-8",
    "bib": "application/x-bibtex; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
    "": "text/plain; charset=utf-8",
}
UNKNOWN = "application/octet-stream"
POLICY = re.compile(r'(<meta http-equiv="Content-Security-Policy" content=")([^"]*)(">)')
# Waits for word that the page changed, while it is seen: browsers keep no more than six connections open to a
# server, and pages behind others would take them all. Keeps where the reader is, and which parts are open. A
# page of problems hands on what the page before it kept.
RELOAD = """
(() => {
  const key = "reportgen " + location.pathname, problems = %(problems)s;
  const parts = () => [...document.querySelectorAll("details")];
  const kept = problems ? null : JSON.parse(sessionStorage.getItem(key));
  if (kept) {
    sessionStorage.removeItem(key);
    parts().forEach((each, place) => { if (place in kept.open) each.open = kept.open[place]; });
    const back = () => scrollTo({left: kept.x, top: kept.y, behavior: "instant"});
    if (!location.hash || performance.getEntriesByType("navigation")[0]?.type === "reload") {
      history.scrollRestoration = "manual";
      document.readyState === "complete" ? back() : addEventListener("load", back);
    }
  }
  const where = "%(events)s?page=" + encodeURIComponent(location.pathname) + "&seen=%(seen)s";
  let told = null;
  const end = () => { told?.close(); told = null; };
  const changed = () => {
    end();
    if (!problems) {
      const open = parts().map((each) => each.open);
      sessionStorage.setItem(key, JSON.stringify({x: scrollX, y: scrollY, open}));
    }
    location.reload();
  };
  const listen = () => {
    if (document.hidden) return end();
    told ??= new EventSource(where);
    told.onmessage = changed;
  };
  document.addEventListener("visibilitychange", listen);
  listen();
})();
"""
STYLE = """
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 46rem; margin: 3rem auto; padding: 0 1rem }
li { margin: 1rem 0; overflow-wrap: anywhere }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere }
pre { white-space: pre-wrap }
.mend { display: block; opacity: .85 }
"""


def type_of(name: str) -> str:
    """Return the content type of a file of the site."""
    return TYPES.get(name.rpartition(".")[2].lower() if "." in name else "", UNKNOWN)


def digest_of(content: bytes) -> str:
    """Return what tells a page from another one."""
    return hashlib.sha256(content).hexdigest()[:32]


def reloading(content: bytes) -> bytes:
    """Return a page with the lines that reload it, which its policy then allows."""
    code = _code(digest_of(content), problems=False)
    text = content.decode("utf-8")
    allowed = POLICY.sub(lambda found: f"{found[1]}{_allowing(found[2], code)}{found[3]}", text, count=1)
    before, body, after = allowed.rpartition("</body>")
    return f"{before}<script>{code}</script>{body}{after}".encode()


def _code(seen: str, *, problems: bool) -> str:
    return RELOAD % {"events": EVENTS, "seen": seen, "problems": json.dumps(problems)}


def _allowing(policy: str, code: str) -> str:
    """Return a page's policy that allows one script more, and to ask whether the page changed."""
    source = escape(f"'sha256-{_sha256(code)}'")
    own = escape("'self'")
    with_script = (
        policy.replace("script-src ", f"script-src {source} ", 1)
        if "script-src " in policy
        else f"{policy}; script-src {source}"
    )
    return f"{with_script}; connect-src {own}"


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def problems_page(title: str, problems: Sequence[Problem | str]) -> bytes:
    """Return the page that stands in place of all others while something is wrong."""
    items = "".join(f"<li>{_problem(each)}</li>" for each in problems)
    body = f"<h1>{escape(title)}</h1>\n<ul>{items}</ul>" if items else f"<h1>{escape(title)}</h1>"
    code = _code(digest_of(f"{title}{items}".encode()), problems=True)
    policy = (
        f"default-src 'none'; style-src 'sha256-{_sha256(STYLE)}'; script-src 'sha256-{_sha256(code)}'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style></head>\n"
        f"<body><main>{body}\n<p>This page gives way to the report as soon as that stands here: "
        '<a href="/">all campaigns</a>.</p></main>'
        f"<script>{code}</script></body></html>\n"
    ).encode()


def problems_digest(title: str, problems: Sequence[Problem | str]) -> str:
    """Return what tells a page of problems from another one."""
    items = "".join(f"<li>{_problem(each)}</li>" for each in problems)
    return digest_of(f"{title}{items}".encode())


def _problem(problem: Problem | str) -> str:
    if isinstance(problem, str):
        return f"<pre>{escape(printable(problem))}</pre>"
    place = ":".join([problem.file, str(problem.line)] if problem.line else [problem.file])
    parts = [f"<code>{escape(printable(each))}</code>" for each in (place, problem.key) if each]
    said = escape(printable(problem.message))
    mend = f' <span class="mend">{escape(printable(problem.mend))}</span>' if problem.mend else ""
    return f"{', '.join(parts)} {said}{mend}"
