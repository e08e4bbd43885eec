"""All messages of reportgen, and the catalogues that have them in other languages.

`make messages` collects them from code, templates and closed lists, brings each catalogue up to date and
compiles it; `python -m tests.messages add FILE.po` adds translations. A test holds the catalogues against it.
"""

import datetime as dt
import fcntl
import io
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from reportgen.catalogue import BRACKETS
from reportgen.words.language import forms
from tests.closed_lists import messages as closed_lists

ROOT = Path(__file__).resolve().parent.parent
LOCALES = ROOT / "templates" / "locale"
FOLDERS = (*(ROOT / "reportgen" / each for each in ("app", "figures", "report", "words")), ROOT / "templates")
KEYWORDS = {
    "_": None,
    "gettext": None,
    "N_": None,
    "say": (1,),
    "ngettext": (1, 2),
    # One message has the forms for one and for several, or those of what is so and is not.
    "one_of": (2,),
    "say_either": (2,),
    "say_many": (1, 1),
    "phrase": (1,),
    "phrase_many": (1, 1),
    "counted": (2, 3),
    "pgettext": ((1, "c"), 2),
}
METHODS = [("**.py", "python"), ("**.j2", "jinja2")]
OPTIONS = {"**.j2": {"trimmed": "true", "newstyle_gettext": "true", "silent": "false", "encoding": "utf-8"}}


def collected() -> Catalog:
    """Return every message, without translations."""
    catalog = Catalog(fuzzy=False)
    for folder in FOLDERS:
        for _file, _line, message, _comments, context in extract_from_dir(
            folder, METHODS, OPTIONS, KEYWORDS, strip_comment_tags=True
        ):
            if isinstance(message, tuple) and message[0] == message[1]:
                catalog.add(forms(message[0]))
            elif isinstance(message, str):
                for form in forms(message):
                    catalog.add(form, context=context)
            else:
                catalog.add(message, context=context)
    for message in closed_lists():
        catalog.add(message)
    for bracket in BRACKETS:
        catalog.add(bracket.id, context="in brackets")
    return catalog


def languages() -> list[str]:
    """Return the languages that have a catalogue."""
    return sorted(each.parent.parent.name for each in LOCALES.glob("*/LC_MESSAGES/reportgen.po"))


def file_of(language: str) -> Path:
    """Return a language's catalogue, which people edit."""
    return LOCALES / language / "LC_MESSAGES" / "reportgen.po"


def read(language: str) -> Catalog:
    """Return a language's catalogue."""
    with file_of(language).open("rb") as file:
        return read_po(file, locale=language)


def compiled(catalog: Catalog) -> bytes:
    """Return a catalogue as programs read it; babel would write the present minute into its header."""
    catalog.creation_date = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    buffer = io.BytesIO()
    write_mo(buffer, catalog)
    return buffer.getvalue()


def write(catalog: Catalog, language: str) -> None:
    """Write a catalogue and what programs read of it; no date and no line numbers stand in it."""
    fresh = Catalog(
        locale=language, domain="reportgen", fuzzy=False, header_comment="# reportgen in another language"
    )
    for each in sorted((each for each in catalog if each.id), key=_order):
        fresh.add(each.id, each.string, flags=each.flags - {"fuzzy"}, context=each.context)
    buffer = io.BytesIO()
    write_po(
        buffer, fresh, width=0, no_location=True, omit_header=False, sort_output=False, include_previous=False
    )
    lines = buffer.getvalue().decode("utf-8").splitlines()
    kept = [
        each
        for each in lines
        if not each.startswith(
            (
                '"POT-Creation',
                '"PO-Revision',
                '"Generated-By',
                '"Last-Tr',
                '"Language-Team',
                '"Report-Msgid',
                '"Project-Id',
            )
        )
    ]
    file_of(language).write_text("\n".join(kept) + "\n", encoding="utf-8")
    file_of(language).with_suffix(".mo").write_bytes(compiled(read(language)))


def _order(message: object) -> tuple[str, str]:
    found = message.id  # type: ignore[attr-defined]
    return (found if isinstance(found, str) else found[0]), message.context or ""  # type: ignore[attr-defined]


@contextmanager
def alone() -> Iterator[None]:
    """Let nobody else change the catalogues meanwhile."""
    with (Path(tempfile.gettempdir()) / "reportgen-messages.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def update() -> Iterator[str]:
    """Bring each catalogue up to date; yield the messages that have no translation."""
    wanted = collected()
    for language in languages():
        known, fresh = read(language), Catalog(locale=language, fuzzy=False)
        for each in wanted:
            if each.id:
                have = known.get(each.id, each.context)
                # A message that lost its plural is another one.
                if have and isinstance(have.string, tuple) != isinstance(each.id, tuple):
                    have = None
                fresh.add(each.id, have.string if have else "", flags=each.flags, context=each.context)
                if not have or not have.string or (isinstance(have.string, tuple) and not all(have.string)):
                    yield f"{language}: {each.id!r}"
        write(fresh, language)


def add(path: Path, language: str = "fr") -> int:
    """Add the translations of a file to a language's catalogue; return how many there were."""
    with path.open("rb") as file:
        found = [each for each in read_po(file, locale=language) if each.id and each.string]
    with alone():
        catalog = read(language)
        for each in found:
            catalog.add(each.id, each.string, flags=each.flags, context=each.context)
            have = catalog.get(each.id, each.context)
            if have:
                have.string = each.string
        write(catalog, language)
    return len(found)


def main() -> None:
    """Run what the command line asks for."""
    if sys.argv[1:2] == ["add"]:
        for name in sys.argv[2:]:
            print(name, add(Path(name)))
        return
    with alone():
        missing = list(update())
    print(*missing, sep="\n")
    print(len(missing), "messages without a translation")


if __name__ == "__main__":
    main()
