"""Text from a campaign, which is hostile: Markdown made safe for HTML and for Markdown."""

import re

ALLOWED = frozenset(
    (
        "a",
        "blockquote",
        "br",
        "code",
        "em",
        "h4",
        "h5",
        "h6",
        "hr",
        "li",
        "ol",
        "p",
        "pre",
        "strong",
        "sub",
        "sup",
        "ul",
    )
)
SCHEMES = frozenset(("http", "https", "mailto"))
# What makes a line a heading, or the line above it one.
HEADING = re.compile(r"^([ \t>]*)(#|=+[ \t]*$|-+[ \t]*$)", re.MULTILINE)
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
SPECIAL = re.compile(r"([\\`*_\[\]|~#$])")
# What Markdown may take for the name of a sign.
REFERENCE = re.compile(r"&(?=[#\w]|$)")
# Where a link leads to another file of the site, and not to a place on its own page or out of the site.
LINK = re.compile(r'(<a\b[^<>]*\bhref=")(?![#/?]|[A-Za-z][A-Za-z0-9+.-]*:)')


def to_html(markdown: str) -> str:
    """Return the HTML of a campaign's Markdown, without scripts, images, styles or any outside resource."""
    import markdown as renderer
    import nh3

    rendered = renderer.markdown(markdown, extensions=["sane_lists"], output_format="html")
    return nh3.clean(rendered, tags=set(ALLOWED), attributes={"a": {"href"}}, url_schemes=set(SCHEMES))


def to_markdown(markdown: str) -> str:
    """Return a campaign's Markdown without HTML, links, images and headings, for a Markdown report."""
    plain = markdown.strip().replace("&", "&amp;").replace("<", "&lt;")
    return HEADING.sub(r"\1\\\2", plain.replace("[", "\\[").replace("]", "\\]"))


def climbing(html: str) -> str:
    """Return a stretch of a page whose links from the folder of a version lead from a folder in it."""
    return LINK.sub(r"\1../", html)


def printable(text: str) -> str:
    """Return text without the control characters that HTML and XML can't hold."""
    return CONTROL.sub("\ufffd", text)


def escape_markdown(text: str) -> str:
    """Return plain text so that Markdown shows it as it is, on one line."""
    one_line = re.sub(r"\s+", " ", text)
    return SPECIAL.sub(r"\\\1", REFERENCE.sub("&amp;", one_line)).replace("<", "&lt;").replace(">", "&gt;")
