"""What pages say that never went through a catalogue.

A campaign's own words are put into Cyrillic letters, every message is set in ⟦brackets⟧ by a catalogue of a
language that nobody speaks, and what is left in Latin letters outside brackets was forgotten:
`python -m tests.untranslated CAMPAIGN OUT` builds a campaign in this way and lists it.
"""

import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import NullTranslations
from pathlib import Path
from unittest.mock import patch

from lxml import html as parser

from reportgen.pipeline.build import build_site
from reportgen.report import page
from reportgen.words import language

LATIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:;?!"
CYRILLIC = "абцдефгхийклмнопярстуввхузАБЦДЕФГХИЙКЛМНОПЯРСТУВВХУЗ····"
LETTERS = str.maketrans(LATIN, CYRILLIC)
PROSE = (
    "title",
    "name",
    "licence",
    "sampled",
    "training",
    "recruitment",
    "adjudication",
    "why",
    "changes",
    "tool",
)
SAID = re.compile(rf'^({"|".join(PROSE)}) = ("""(?:.|\n)*?"""|"[^"\n]*")', re.MULTILINE)
# What is the same in every language: works' numbers, checksums, ids of tables, ways to files, keys of
# campaign.toml, properties of a vocabulary.
NO_WORDS = re.compile(
    r"(?:\\?\[){1,2}[a-z]+(?:\\?\]){1,2}(?: [a-z_\\]+)?|\b[a-z]+(?:[A-Z][a-z]+)+\b|"
    r"\bdoi:\S+|&[a-z]+;|\b[0-9a-f]{64}\b|\([\w.-]+~[\w.-]+\)|\]\([^)\n]*\)|\b(?:tables|counts|figures)/[\w./~-]+"
)
# LaTeX's own commands, lengths and names of environments, and the keys of works and tables.
TEX = re.compile(r"\\(?:begin|end|label|cite|ref)\{[^}\n]*\}|\{@\{.*\}|\b\d+(?:em|pt)\b|\[tbp\]|\\[A-Za-z]+")
# A sign as English sets it, which French has behind a space, between what is said.
JOINT = re.compile(r"(?<![\s~|:-])[:;?!](?=\s|$)")
WORD = re.compile(r"[A-Za-z][A-Za-z'’-]{2,}")
# The beginning of a word, where a figure has no room for all of it.
CUT = re.compile(r"([A-Za-z][A-Za-z'’-]*)…")
SHOWN_ATTRIBUTES = ("title", "aria-label", "alt", "placeholder", "content", "data-label")
# Names that are the same in every language: of libraries, files, signs, people and works.
SAME = frozenset(
    """
    reportgen numpy scipy matplotlib pandas CSV SVG PNG PDF JSON HTML Markdown BibTeX LaTeX SHA XML doi
    hal TALN brat index html results json texts csv tables counts figures toml campaign SHA256SUMS md
    svg report feed badge history comparison changed bib tex orcid misc items main Cohen Cohen's
    Krippendorff Krippendorff's Scott Scott's Fleiss Bennett Finn Finn's Gwet Gwet's Conger Light
    Randolph Poesio Artstein Byrt Bishop Carlin Maxwell Stuart McNemar Bowker Landis Koch Altman Dawid
    Skene Fort English Fran ais janvier vrier mars avril mai juin juillet septembre octobre novembre
    cembre January February March April May June July August September October November December PABAK
    ICC max free exp imp cat alpha kappa gamma Karën François Ghribi Claire Maha Montréal
    """.split()  # noqa: SIM905 - a list of so many is no easier to read
)


class Brackets(NullTranslations):
    """A language in which every message is itself, in brackets."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002 - gettext's own form
        return f"⟦{message}⟧"


@contextmanager
def in_brackets() -> Iterator[None]:
    """Have every message set in brackets, whatever the language."""
    catalogues = patch.object(language, "_catalogue", lambda _: Brackets())
    with catalogues, patch.object(page, "forget", lambda: None):
        yield


def foreign(campaign: Path, to: Path) -> Path:
    """Copy a campaign, its prose and texts in Cyrillic letters; offsets of marks stay what they are."""
    shutil.copytree(campaign, to)
    for path in to.rglob("*"):
        if path.suffix in (".txt", ".md"):
            path.write_text(path.read_text(encoding="utf-8").translate(LETTERS), encoding="utf-8")
        if path.suffix == ".ann":
            lines = (each.split("\t") for each in path.read_text(encoding="utf-8").splitlines())
            shown = (
                "\t".join((*each[:2], *(part.translate(LETTERS) for part in each[2:]))) for each in lines
            )
            path.write_text("".join(f"{each}\n" for each in shown), encoding="utf-8")
    toml = to / "campaign.toml"
    text = SAID.sub(
        lambda found: f"{found[1]} = {found[2].translate(LETTERS)}", toml.read_text(encoding="utf-8")
    )
    toml.write_text(text, encoding="utf-8")
    return to


def left_over(text: str, same: frozenset[str] = SAME) -> list[str]:
    """Return the stretches of a page with words in Latin letters that stand in no brackets."""
    root = parser.fromstring(text)
    for each in list(root.iter("style", "script", "code", "math", "pre")):
        each.drop_tree() if each.tag != "code" else each.clear(keep_tail=True)
    shown = [str(each) for each in root.itertext()]
    held = [each.get(name) or "" for each in root.iter() for name in SHOWN_ATTRIBUTES if each.tag != "meta"]
    return [each for each in (*_outside("\x00".join(shown)), *held_out(held)) if _words(each, same)]


def held_out(held: list[str]) -> Iterator[str]:
    """Yield what stands outside brackets in attributes."""
    for each in held:
        yield from _outside(each)


def _outside(text: str) -> Iterator[str]:
    """Yield the stretches of a text outside brackets."""
    depth, found = 0, ""
    for letter in text:
        if letter == "⟦" or (letter == "\x00" and not depth):
            yield found
            found = ""
        depth += (letter == "⟦") - (letter == "⟧")
        if not depth and letter not in "⟧\x00":
            found += letter
    yield found


def _words(text: str, same: frozenset[str]) -> list[str]:
    text = CUT.sub(lambda found: "" if any(each.startswith(found[1]) for each in same) else found[0], text)
    text = NO_WORDS.sub("", text)
    left = [each for each in WORD.findall(text) if same.isdisjoint(_forms(each))]
    return left + JOINT.findall(text)


def _forms(word: str) -> set[str]:
    return {word, word.strip("-"), word.removesuffix("'s")}


def names_of(campaign: Path) -> frozenset[str]:
    """Return the words of a campaign's ids, categories and file names, which stay as they are."""
    text = (campaign / "campaign.toml").read_text(encoding="utf-8")
    prose = SAID.sub("", text)
    paths = " ".join(each.as_posix() for each in campaign.rglob("*"))
    return frozenset(WORD.findall(prose)) | frozenset(WORD.findall(paths))


def forgotten(campaign: Path, out: Path) -> dict[str, list[str]]:
    """Return what pages and Markdown of a campaign say outside the catalogues, by file."""
    here = foreign(campaign, out / "campaign" / campaign.name)
    with in_brackets():
        build_site([here], out / "site")
    same = SAME | names_of(here)
    pages = sorted(each for each in (out / "site").rglob("*") if each.suffix in (".html", ".md", ".tex"))
    found = {each.relative_to(out / "site").as_posix(): list(_of(each, same)) for each in pages}
    return {name: list(dict.fromkeys(each)) for name, each in found.items() if each}


def _of(path: Path, same: frozenset[str]) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        yield from left_over(text.replace("<wbr>", ""), same)
    else:
        text = TEX.sub("", text) if path.suffix == ".tex" else text
        yield from (each for part in _outside(text) for each in part.split("\n") if _words(each, same))


def main() -> None:
    """List what was forgotten in the pages of a campaign."""
    campaign, out = Path(sys.argv[1]), Path(sys.argv[2])
    shutil.rmtree(out, ignore_errors=True)
    for name, found in forgotten(campaign, out).items():
        print(f"\n{name}", *(f"  {' '.join(each.split())}" for each in found if each.strip()), sep="\n")


if __name__ == "__main__":
    main()
