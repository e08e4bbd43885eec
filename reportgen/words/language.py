"""The language that pages are written in: messages through gettext catalogues, numbers and dates by habit.

English is what is in the code and the templates, and in every closed list of results.json; catalogues
under `templates/locale` have the other languages. While `writing` an edition, all that is rendered is in its
language.
"""

import gettext as catalogues
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Self

from reportgen.base import LANGUAGES
from reportgen.base.dataclass import dataclass
from reportgen.base.files import templates
from reportgen.base.progress import advance

DOMAIN = "reportgen"
ENGLISH = "en"
# What a page of ours says of its language.
PAGE_LANGUAGE = re.compile(r'<html[^>]* lang="?([\w-]+)')
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
# A campaign's own words in a sentence, as `campaign_word` marks them; and what is a word, and no pseudonym.
OWN = re.compile("\x02([^\x02\x03]*)\x03")
WORD = re.compile(r"[^\W\d_]{2}")
# Where two messages differ that are written as one: the words of either, which may have places.
FORMS = re.compile(r"\{((?:[^{}|]|\{\w+\})*)\|((?:[^{}|]|\{\w+\})*)\}")
# What in a category looks like the sentence around it: several words, signs, a number.
CUTS = re.compile(r"^(?=.*[^\W\d_]).*\s|^[-–—:;.,?!]|^\d+$", re.DOTALL)
RULED = re.compile(r"^[-–—=*_#]{3,}\s*(?=\w)")
# The classes of letters that are written from right to left.
FROM_RIGHT = ("R", "AL")
# Signs that turn the direction of what follows, up to what closes them.
ISOLATE_ENDS, EMBEDDING_ENDS = "\N{POP DIRECTIONAL ISOLATE}", "\N{POP DIRECTIONAL FORMATTING}"
CLOSED_BY = dict.fromkeys("\u2066\u2067\u2068", ISOLATE_ENDS) | dict.fromkeys(
    "\u202a\u202b\u202d\u202e", EMBEDDING_ENDS
)
TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


@dataclass(frozen=True)
class Edition:
    """Pages in one language; those in a campaign's first language stand where there is only one.

    `folder` is where its pages stand, from the folder of their version, comparison or campaign; `data` is the
    way back, to what is the same in every language: results, tables, checksums.
    """

    language: str = ENGLISH
    first: bool = True

    @property
    def folder(self) -> str:
        """Return the edition's folder, with its slash: empty for the first one."""
        return "" if self.first else f"{self.language}/"

    @property
    def data(self) -> str:
        """Return the way from the edition's folder to what is the same in every language."""
        return "" if self.first else "../"

    @property
    def name(self) -> str:
        """Return what the language calls itself."""
        return LANGUAGES[self.language].name


@dataclass(frozen=True)
class Habits:
    """How a language writes numbers: the signs between their parts, and up to which one is not several."""

    decimal: str
    group: str
    percent: str
    between: str
    none_is_one: bool = False


Files = Iterable[tuple[str, str]]

_EDITION: ContextVar[Edition] = ContextVar("edition", default=Edition())  # noqa: B039 - frozen
_ALL: ContextVar[tuple[Edition, ...]] = ContextVar("editions", default=(Edition(),))


def editions(languages: Sequence[str]) -> tuple[Edition, ...]:
    """Return the editions of a campaign's languages, in declared order."""
    return tuple(Edition(language, first=position == 0) for position, language in enumerate(languages))


def languages_there(folder: Path) -> tuple[str, ...]:
    """Return the languages of a folder's pages, the first one first, as its page and its subfolders say."""
    match = PAGE_LANGUAGE.search((folder / "index.html").read_text(encoding="utf-8"))
    first = match[1] if match else ENGLISH
    return (
        first,
        *(name for name in LANGUAGES if name != first and (folder / name / "index.html").is_file()),
    )


@contextmanager
def writing(edition: Edition, among: Sequence[Edition] = ()) -> Iterator[None]:
    """Have everything rendered in an edition's language; `among` are all editions of the same pages."""
    token_of_edition, token_of_all = _EDITION.set(edition), _ALL.set(tuple(among) or (edition,))
    try:
        yield
    finally:
        _EDITION.reset(token_of_edition)
        _ALL.reset(token_of_all)


def in_languages(languages: Sequence[str], pages: Callable[[], Files]) -> Iterator[tuple[str, str]]:
    """Yield pages in each language, the first where there is only one, others in their own folder."""
    all_editions = editions(languages)
    for edition_written in all_editions:
        with writing(edition_written, all_editions):
            rendered = _reported(pages())
        # One at a time, and each in its own language: between two of them somebody else may write in another.
        while True:
            with writing(edition_written, all_editions):
                page = next(rendered, None)
            if page is None:
                break
            yield f"{edition_written.folder}{page[0]}", page[1]


def _reported(pages: Files) -> Iterator[tuple[str, str]]:
    """Yield pages, and report each as progress."""
    for name, text in pages:
        if name.endswith(".html"):
            advance("pages")
        yield name, text


def edition() -> Edition:
    """Return the edition that is being written."""
    return _EDITION.get()


def others() -> list[Edition]:
    """Return the other editions of what is being written."""
    return [other for other in _ALL.get() if other != edition()]


def of_campaign() -> str:
    """Return the language of the campaign's own words where it is not that of the page, else nothing.

    A campaign is written in the first of its languages: titles, reasons, what guidelines changed.
    """
    first = _ALL.get()[0].language
    return "" if first == edition().language else first


class Told(str):
    """A sentence some of whose words are in another language than the page: its pieces, each with its own."""

    __slots__ = ("pieces",)
    pieces: Sequence[tuple[str, str]]

    def __new__(cls, pieces: Sequence[tuple[str, str]]) -> Self:
        """Put the sentence together; the language of a piece is empty where it is the page's."""
        text = super().__new__(cls, "".join(words for words, _tag in pieces))
        text.pieces = pieces
        return text


def campaign_word(name: str) -> str:
    """Return a campaign's own word, between signs for `sentence` where the page is in another language.

    A pseudonym or a number is a word of no language.
    """
    if not of_campaign() or not WORD.search(name):
        return isolated(name)
    return f"\x02{printable(isolated(name))}\x03"


def sentence(text: str, *, english: bool) -> str:
    """Return a sentence that tells which of its words are in another language; `english`: not translated."""
    pieces = [
        (words, of_campaign() if position % 2 else "") for position, words in enumerate(OWN.split(text))
    ]
    if text and english and edition().language != ENGLISH:
        return Told([("".join(words for words, _tag in pieces), ENGLISH)])
    return Told(pieces) if len(pieces) > 1 else text


def _(message: str) -> str:
    """Return a message in the language that is being written."""
    return _catalogue(edition().language).gettext(message) if message else ""


def ngettext(singular: str, plural: str, number: int) -> str:
    """Return a message for a number of things."""
    return _catalogue(edition().language).ngettext(singular, plural, number)


def pgettext(context: str, message: str) -> str:
    """Return a message that is told from the same words elsewhere by its context."""
    return _catalogue(edition().language).pgettext(context, message)


def N_(message: str) -> str:  # noqa: N802 - gettext's own name for it
    """Return a message as it is: translated where it is shown, found here by who collects messages."""
    return message


def say(message: str, /, **values: object) -> str:
    """Return a message in the language that is being written, its {named} places filled in."""
    return _(message).format(**_isolated(values))


@cache
def forms(message: str) -> tuple[str, str]:
    """Return two messages that are one but for some words, which it has like "{unit is|units are}"."""
    return FORMS.sub(r"\1", message), FORMS.sub(r"\2", message)


def one_of(first: object, message: str, /) -> str:
    """Return the message for what is so, or is not: "in {documents|units}" has the words of both."""
    return forms(message)[not first]


def say_either(first: object, message: str, /, **values: object) -> str:
    """Return the message for what is so, or is not (`one_of`), its {named} places filled in."""
    return say(one_of(first, message), **values)


def say_many(message: str, number: int, /, **values: object) -> str:
    """Return a message for a number of things (`forms`), its {named} places filled in, {count} too."""
    said = ngettext(*forms(message), number)
    return said.format(**_isolated({"count": grouped(number)} | values))


def printable(text: str) -> str:
    """Return text without the control characters that HTML and XML can't hold."""
    return CONTROL.sub("\ufffd", text)


def isolated(text: str) -> str:
    """Return a text that may be written from right to left so that signs around it stay where they are."""
    if text.isascii():
        return text
    closed = _closed(text)
    if not any(unicodedata.bidirectional(letter) in FROM_RIGHT for letter in text):
        return closed
    return f"\N{FIRST STRONG ISOLATE}{closed}\N{POP DIRECTIONAL ISOLATE}"


def _closed(text: str) -> str:
    """Return a text in which all signs that turn the direction are in pairs, those that open and close.

    See Unicode's annex 9: what closes an isolate closes the embeddings in it too.
    """
    if not TURNS.search(text):
        return text
    closers: list[str] = []
    signs: list[str] = []
    for sign in text:
        if sign in CLOSED_BY:
            closers.append(CLOSED_BY[sign])
        elif sign == ISOLATE_ENDS and sign in closers:
            while closers.pop() != sign:
                pass
        elif sign == EMBEDDING_ENDS and closers[-1:] == [sign]:
            closers.pop()
        elif sign in {ISOLATE_ENDS, EMBEDDING_ENDS}:
            continue
        signs.append(sign)
    return "".join([*signs, *reversed(closers)])


def _isolated(values: Mapping[str, object]) -> dict[str, object]:
    return {name: isolated(value) if type(value) is str else value for name, value in values.items()}


def names(words: Iterable[str]) -> str:
    """Return names with commas between them."""
    return ", ".join(map(isolated, words))


def set_apart(words: Sequence[str]) -> list[str]:
    """Return names as a list of several shows them: one with a comma of its own in quotation marks."""
    return [say("“{name}”", name=name) if ", " in name and len(words) > 1 else name for name in words]


def category_word(name: str) -> str:
    """Return a category as a sentence names it: in quotation marks where it is several words, or a number.

    A rule that forms draw before a label is no part of its name.
    """
    name = RULED.sub("", name)
    return say("“{name}”", name=name) if CUTS.search(name) else name


def named_value(name: str, value: str) -> str:
    """Return what has a name, behind it."""
    return say("{name}: {value}", name=name, value=value)


def listed(words: Sequence[str]) -> str:
    """Return words as a sentence lists them: "a", "a and b", "a, b and c"."""
    *before, last = words or [""]
    return say("{words} and {last}", words=", ".join(map(isolated, before)), last=last) if before else last


def either(words: Sequence[str]) -> str:
    """Return words as a sentence gives a choice of them: "a", "a or b", "a, b or c"."""
    *before, last = words or [""]
    return say("{words} or {last}", words=", ".join(map(isolated, before)), last=last) if before else last


def grouped(number: int) -> str:
    """Return a whole number with its thousands set apart."""
    return f"{number:,}".replace(",", habits().group)


def habits() -> Habits:
    """Return how numbers are written."""
    return _habits(edition().language)


def is_one(number: int) -> bool:
    """Tell whether a language has the singular for so many."""
    return abs(number) == 1 or (number == 0 and habits().none_is_one)


def date(text: str) -> str:
    """Return a date of ISO 8601 in words; what is no date stays as it is."""
    import datetime as dt

    try:
        day = dt.date.fromisoformat(text)
    except ValueError:
        return text
    if edition().language == ENGLISH:  # without the data of a language, which takes as long to read as a page
        return f"{day.day} {MONTHS[day.month - 1]} {day.year}"
    from babel.dates import format_date

    shown: str = format_date(day, "d MMMM y", locale=edition().language)
    return f"{LANGUAGES[edition().language].first}{shown[1:]}" if day.day == 1 else shown


@cache
def _catalogue(language: str) -> catalogues.NullTranslations:
    if language == ENGLISH:
        return catalogues.NullTranslations()
    return catalogues.translation(DOMAIN, templates() / "locale", [language])


@cache
def _habits(language: str) -> Habits:
    if language == ENGLISH:
        return Habits(decimal=".", group=",", percent=LANGUAGES[ENGLISH].percent, between=", ")
    from babel import Locale

    symbols = Locale.parse(language).number_symbols["latn"]
    # Where the comma is decimal, another sign has to be between two numbers.
    return Habits(
        decimal=symbols["decimal"],
        group=symbols["group"],
        percent=LANGUAGES[language].percent,
        between="\N{NARROW NO-BREAK SPACE}; ",
        none_is_one=LANGUAGES[language].none_is_one,
    )


def forget() -> None:
    """Forget the catalogues, so that a changed one is read again."""
    _catalogue.cache_clear()
