"""A hook of MkDocs: options, with a short value, and other short words of code are not broken."""

import re

CODE = re.compile(r"(?<=<code>)(?<!<pre><code>)[^<]*(?=</code>)")
# Longer words have to break on the screen of a phone.
HYPHENATED = re.compile(r"(?<!\S)(?=\S{2,26}(?!\S))(?:--\S+ [^\s-]\S{0,9}(?!\S)|\S*-\S+)")


def on_page_content(html: str, **_page: object) -> str:
    """Keep each on one line."""
    kept = r'<span style="white-space: nowrap">\g<0></span>'
    return CODE.sub(lambda code: HYPHENATED.sub(kept, code[0]), html)
