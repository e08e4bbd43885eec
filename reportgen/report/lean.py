"""Pages, styles and scripts without the bytes that nobody reads: the same page in the same words.

Of style sheet and script a page carries what it has a use for: what stands in them between "ONLY WHERE" some
text of a page and "EVERYWHERE" is left out of pages without it.
"""

import re

# Where white space, or what looks like markup, is meant as it stands.
KEPT = re.compile(r'(<pre\b.*?</pre>|<div class="text"[ >].*?</div>)', re.DOTALL)
# Blanks before something are looked for from their first one alone: a text may have thousands in a row.
# End tags that HTML lets authors leave out before what follows them on our pages.
ENDS = re.compile(r"(?:(?<![ \n])[ \n]++)?</(?:td|th|tr|li|dt|dd|thead|tbody)>[ \n]*+")
LINES = re.compile(r"(?:(?<![ \t])[ \t]++)?\n[ \t\n]*+")
# What tables repeat: values without quotes, and by its first letter the class of most of their cells.
SHORTER = (
    (' class="number"', " class=n"),
    (' class="number ', ' class="n '),
    (' scope="col"', " scope=col"),
    (' scope="row"', " scope=row"),
    (' class="small"', " class=small"),
    (' class="file"', " class=file"),
    (' class="none"', " class=none"),
    (' class="scroll" role="region" tabindex="0"', " class=scroll role=region tabindex=0"),
)
ONLY = re.compile(r"/\* ONLY WHERE (.+?) \*/(.*?)/\* EVERYWHERE \*/", re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# In a script, strings stand as they are; a regular expression in it holds no quote sign and no blank beside
# one of SIGNS.
STRING = re.compile(r'("(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)')
SIGNS = re.compile(r" ?([=?:<>&|,;(){}]) ?")


def page(text: str) -> str:
    """Return a page without end tags, quotes and blanks that it is the same without."""
    parts = KEPT.split(text)
    parts[::2] = [_markup(each) for each in parts[::2]]
    return "".join(parts)


def _markup(text: str) -> str:
    shorter = LINES.sub("\n", ENDS.sub("", text))
    for long, short in SHORTER:
        shorter = shorter.replace(long, short)
    return shorter


def wanted(source: str, text: str) -> frozenset[str]:
    """Return which parts of a style sheet or a script a page has a use for, by what is looked for in it."""
    return frozenset(found[1] for found in ONLY.finditer(source) if found[1] in text)


def style(source: str, wanted: frozenset[str]) -> str:
    """Return a style sheet for a page, without comments and blanks."""
    text = COMMENT.sub("", _parts(source, wanted)).replace(".number", ".n")
    rules = re.sub(r"\s*([{};>])\s*", r"\1", re.sub(r"([:,])\s+", r"\1", text))
    return rules.replace(";}", "}\n").strip()


def script(source: str, wanted: frozenset[str]) -> str:
    """Return a script for a page, without comments, indentation and the blanks around signs."""
    lines = (line.strip() for line in COMMENT.sub("", _parts(source, wanted)).splitlines())
    parts = STRING.split("\n".join(line for line in lines if line and not line.startswith("//")))
    parts[::2] = [SIGNS.sub(r"\1", each) for each in parts[::2]]
    return "".join(parts)


def _parts(source: str, wanted: frozenset[str]) -> str:
    return ONLY.sub(lambda found: found[2] if found[1] in wanted else "", source)
