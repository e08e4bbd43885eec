"""Pseudonyms: given, put in before anything is rendered, and kept as a table.

Pages, results, paths and inputs then agree. `pseudonyms.csv` says who is who, a row for each name; a
pseudonym that was once given never moves. The file stays with the exports, is committed with them, and goes
into no site and no bundle.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, astuple, field, fields, replace
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, quoted, refused
from reportgen.base.files import as_csv, decode, from_cell, numbered_rows, read_bytes
from reportgen.base.site_folder import HISTORY, PSEUDONYMS, alone, write_file
from reportgen.campaign import Campaign
from reportgen.readers import Annotations, Ratings
from reportgen.readers.counted import MaterialDescribed
from reportgen.readers.reader import REFERENCE, is_reference
from reportgen.units.study import LayerUnits
from reportgen.units.unit_sets import CodedUnits

# Who has a pseudonym.


def hides(campaign: Campaign, name: str) -> bool:
    """Tell whether somebody has a pseudonym: systems and models may not, nor who is called "gold"."""
    declared = campaign.annotators.get(name)
    role = declared.role if declared else "annotator"
    if role == REFERENCE and is_reference(name):
        return False
    return campaign.privacy.hides(name, role)


# Names in paths, and pseudonyms for them.

# How names of exports end; somebody may be called so too.
_ENDINGS = {"ann", "txt", "csv", "tsv", "json", "jsonl", "xml", "xmi", "conll", "conllu", "zip", "gz", "xlsx"}
# Between the numbers of a version.
_POINT_BEFORE, _POINT_BEHIND = re.compile(r"\d\.$"), re.compile(r"\.\d")
_LETTERS = re.compile(r"[^\W\d_]+")
# So many letters of a person's name, or signs of another name, are within a longer word by no chance.
LONG_NAME, LONG = 4, 8
# Parts of names that are no "de", "Dr" or "II".
LONG_PART = 3


class PathNames:
    """Names as paths have them: the same but for case and for how signs with accents are put together.

    The longest is taken where several begin at one place: "A1" in "A1_doc3.csv", not in "A10.csv". Of people
    parts are taken too, and long names are wherever they occur.
    """

    def __init__(self, names: Mapping[str, str], people: Collection[str] = ()) -> None:
        """Index the names by how they may be written; `people` are those of persons."""
        self._shown = names
        self._folded: dict[str, str] = {}
        for name in sorted(names):
            self._folded.setdefault(_folded(name), name)
        # Putting signs together may shorten a name, but only its other form is longer in a path.
        self._longest = max((len(unicodedata.normalize("NFD", name)) for name in names), default=0)
        for part, name in _name_parts(people):
            self._folded.setdefault(part, name)
        of_people = [(spelling, name) for name in people for spelling in (name, *_joined(name))]
        others = [(name, name) for name in names]
        self._within = _by_beginning(others, LONG) | _by_beginning(of_people, LONG_NAME)

    def hidden(self, text: str) -> str:
        """Return a path with what its names are called instead."""
        return "".join(self._shown[name] if name else stretch for stretch, name in self._stretches(text))

    def names_in(self, text: str) -> set[str]:
        """Return the names in a path."""
        return {name for _, name in self._stretches(text) if name}

    def _stretches(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield a path in stretches, each with the name that it is, empty where it is not one."""
        if not self._shown:
            yield text, ""
            return
        last = 0
        for start, end, name in self._matches(text):
            yield from self._inside(text[last:start])
            yield text[start:end], name
            last = end
        yield from self._inside(text[last:])

    def _matches(self, text: str) -> list[tuple[int, int, str]]:
        edges = _edges(text)
        matches: list[tuple[int, int, str]] = []
        last = 0
        for start in edges:
            if start >= last and (match := self._longest_at(text, start, edges)):
                matches.append((start, *match))
                last = match[0]
        return matches

    def _longest_at(self, text: str, start: int, edges: list[int]) -> tuple[int, str] | None:
        for end in reversed(edges):
            if end <= start:
                return None
            if end - start <= self._longest and (name := self._name(text, start, end)) is not None:
                return end, name
        return None

    def _name(self, text: str, start: int, end: int) -> str | None:
        """Return the name that a part of a path is; the 1 of 1.0 is none, nor is how a file ends."""
        part = text[start:end]
        name = part if part in self._shown else self._folded.get(_folded(part))
        if name is None:
            return None
        if part.isdecimal() and (_POINT_BEFORE.search(text[:start]) or _POINT_BEHIND.match(text, end)):
            return None
        if end == len(text) and text[start - 1 : start] == "." and part.casefold() in _ENDINGS:
            return None
        return name

    def _inside(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield what is between the names, with those that are a part of longer words."""
        folded, within, last = _sign_by_sign(text), self._within, 0
        starts = [
            start
            for start in range(len(folded))
            if folded[start : start + LONG_NAME] in within or folded[start : start + LONG] in within
        ]
        # Of thousands of paths hardly one has such a name.
        if not starts:
            yield text, ""
            return
        composed = unicodedata.normalize("NFC", text)
        edges = {*_edges(composed)}
        for start in starts:
            size, name = self._longest_within(folded, start) if start >= last else (0, "")
            if name and not {start, start + size} <= edges:
                yield composed[last:start], ""
                last = start + size
                yield composed[start:last], name
        yield composed[last:] if last else text, ""

    def _longest_within(self, folded: str, start: int) -> tuple[int, str]:
        """Return the long name that begins at a place and its length, an empty one where none does."""
        matches = (
            (len(written), name)
            for size in (LONG, LONG_NAME)
            for written, name in self._within.get(folded[start : start + size], ())
            if folded.startswith(written, start) and not _cuts_number(folded, start, start + len(written))
        )
        return max(matches, default=(0, ""))


def _cuts_number(folded: str, start: int, end: int) -> bool:
    """Tell whether a stretch begins or ends within a number: patient-10 is not in patient-100."""
    padded = f" {folded} "
    return any(padded[edge : edge + 2].isdigit() for edge in (start, end))


def _name_parts(people: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the words of people's names that are nobody else's, and the names written as one word."""
    named = [(part, name) for name in people for part in _spellings(name)]
    owners = Counter(part for part, _ in named)
    yield from ((part, name) for part, name in named if len(part) >= LONG_PART and owners[part] == 1)


def _spellings(name: str) -> set[str]:
    """Return each word of a name, with accents and without, and all of it in one word."""
    return {*_LETTERS.findall(_folded(name)), *_LETTERS.findall(_without_accents(name)), *_joined(name)}


def _joined(name: str) -> list[str]:
    """Return a name in one word, with accents and without."""
    return ["".join(filter(str.isalnum, spelling)) for spelling in (_folded(name), _without_accents(name))]


def _without_accents(name: str) -> str:
    signs = unicodedata.normalize("NFD", _folded(name))
    return "".join(sign for sign in signs if not unicodedata.combining(sign))


def _by_beginning(names: Iterable[tuple[str, str]], size: int) -> dict[str, list[tuple[str, str]]]:
    """Return names that have so many signs, and letters too, by how they begin, each as it is written."""
    by_beginning: dict[str, list[tuple[str, str]]] = {}
    for written, name in names:
        folded = _sign_by_sign(written)
        if len(folded) >= size and len("".join(_LETTERS.findall(folded))) >= LONG_NAME:
            by_beginning.setdefault(folded[:size], []).append((folded, name))
    return by_beginning


def _edges(text: str) -> list[int]:
    """Return where a word may begin or end: not between two letters or digits, nor before an accent alone."""
    inside = [sign.isalnum() or unicodedata.combining(sign) > 0 for sign in text]
    breaks = [end for end in range(1, len(text)) if not (inside[end - 1] and inside[end])]
    return [0, *breaks, len(text)]


@lru_cache(maxsize=65536)
def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


@lru_cache(maxsize=65536)
def _sign_by_sign(name: str) -> str:
    """Return a text in which each sign is folded to one, so that places stay what they are."""
    folded = ((sign, sign.casefold()) for sign in unicodedata.normalize("NFC", name))
    return "".join(folded_sign if len(folded_sign) == 1 else sign for sign, folded_sign in folded)


# Pseudonyms, put in before anything is rendered, so that pages, results, paths and inputs agree.

# How each kind of pseudonym begins, and how many digits it has at least.
ANNOTATOR, DOCUMENT, UNIT = ("A", 2), ("D", 4), ("U", 5)
PLACE = re.compile(r"[0-9]{1,9}")
KINDS = {"annotator": ANNOTATOR, "document": DOCUMENT, "unit": UNIT}


@dataclass(frozen=True)
class Pseudonyms:
    """What annotators, documents and units are called instead, by their names; what is shown is absent."""

    annotators: dict[str, str] = field(default_factory=dict)
    documents: dict[str, str] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)

    def __or__(self, other: "Pseudonyms") -> "Pseudonyms":
        """Return the pseudonyms of both; a name has the same one in either."""
        names, others = vars(self), vars(other)
        return Pseudonyms(**{kind.name: names[kind.name] | others[kind.name] for kind in fields(self)})

    @property
    def hides_documents(self) -> bool:
        """Tell whether documents or units are called otherwise than in the exports."""
        return bool(self.documents or self.units)

    @property
    def of_annotators(self) -> "Pseudonyms":
        """Return the same with documents and units under their names."""
        return Pseudonyms(self.annotators)

    def annotator(self, name: str) -> str:
        """Return what an annotator is called."""
        return self.annotators.get(name, name)

    def document(self, name: str) -> str:
        """Return what a document is called."""
        return self.documents.get(name, name)

    def unit(self, name: str) -> str:
        """Return what a unit is called; one that is a document is called as it is."""
        return self.units.get(name) or self.document(name)

    def in_path(self, file: str) -> str:
        """Return a path with pseudonyms for the names in it, where they are words of their own."""
        return self._words.hidden(file)

    def some(
        self, annotators: Collection[str], documents: Collection[str], units: Collection[str]
    ) -> "Pseudonyms":
        """Return those of some names alone."""
        chosen = zip(
            (self.annotators, self.documents, self.units), (annotators, documents, units), strict=True
        )
        return Pseudonyms(
            *({name: shown[name] for name in shown if name in names} for shown, names in chosen)
        )

    def in_paths(self, files: Iterable[str]) -> set[str]:
        """Return the names in any of some paths."""
        return {name for file in files for name in self._words.names_in(file)}

    def as_json(self) -> dict[str, Any]:
        """Return them as the memory of a site has them."""
        return asdict(self)

    @cached_property
    def _words(self) -> PathNames:
        units = {name: shown for name, shown in self.units.items() if len(name) >= LONG}
        return PathNames({**units, **self.documents, **self.annotators}, self.annotators)


def pseudonyms(
    versions: Iterable[Iterable[str]], kind: str = "annotator", kept: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return A01, A02, … for each name, numbered by guidelines version and then by name.

    Documents are D0001, units U00001. What has no name needs none. Those that were `kept` stay as they are,
    and who is new has a number behind all of them, whatever the version. Where names of the first version are
    pseudonyms already, as in counts, they keep their numbers.
    """
    names_by_version = [sorted(filter(None, set(names))) for names in versions]
    ordered = dict.fromkeys(chain.from_iterable(names_by_version))
    already_pseudonyms = all(number_in(name, kind) for name in next(filter(None, names_by_version), ()))
    numbers = {name: number_in(pseudonym, kind) for name, pseudonym in (kept or {}).items()}
    used = set(numbers.values())
    last = max(used, default=0)
    for name in ordered:
        if name in numbers:
            continue
        number = number_in(name, kind) if already_pseudonyms else 0
        numbers[name] = number if number and number not in used else last + 1
        used.add(numbers[name])
        last = max(last, numbers[name])
    return {name: pseudonym_of_number(number, kind) for name, number in numbers.items()}


def pseudonym_of_number(number: int, kind: str) -> str:
    """Return the pseudonym of a number."""
    letter, width = KINDS[kind]
    return f"{letter}{number:0{width}}"


def number_in(name: str, kind: str) -> int:
    """Return the number of a name that is a pseudonym, 0 where it is not one."""
    digits = name.removeprefix(KINDS[kind][0])
    number = int(digits) if PLACE.fullmatch(digits) else 0
    return number if name == pseudonym_of_number(number, kind) else 0


def document_names(annotations: Annotations) -> tuple[str, ...]:
    """Return the names of the documents of an export, also of those that were labelled as a whole."""
    content = annotations.content
    if isinstance(content, Ratings) and annotations.attendance is not None:
        return (*content.documents, *content.unit_names)
    return (*content.documents, *(left.document for left in annotations.different_texts))


def unit_names(annotations: Annotations) -> tuple[str, ...]:
    """Return the names that a table gives its units, none where they are documents or in texts."""
    content = annotations.content
    if isinstance(content, Ratings) and annotations.attendance is None:
        return (content.disputed or content).unit_names
    return ()


def with_pseudonyms(study: LayerUnits, names: Pseudonyms) -> LayerUnits:
    """Return the study with other names for its annotators, documents and units, in the same order."""
    spans = study.spans
    return replace(
        study,
        unit_sets=tuple(_units(unit_set, names) for unit_set in study.unit_sets),
        left_out=tuple(
            replace(marks, annotator=names.annotator(marks.annotator), file=names.in_path(marks.file))
            for marks in study.left_out
        ),
        material=_material(study.material, names),
        spans=spans
        and replace(
            spans,
            people=_renamed(spans.people, names.annotator),
            documents=_renamed(spans.documents, names.document),
            derived=_renamed(spans.derived, names.annotator),
        ),
        compared=tuple(
            replace(
                compared,
                units=_units(compared.units, names),
                derived=_renamed(compared.derived, names.annotator),
            )
            for compared in study.compared
        ),
        disputed=tuple(_units(unit_set, names) for unit_set in study.disputed),
        controls=study.controls and replace(study.controls, units=_units(study.controls.units, names)),
        passes=study.passes
        and replace(
            study.passes,
            people=_renamed(study.passes.people, names.annotator),
            units=_places(study.passes.units, names),
        ),
    )


def _units(units: CodedUnits, names: Pseudonyms) -> CodedUnits:
    return replace(_places(units, names), annotators=_renamed(units.annotators, names.annotator))


def _places(units: CodedUnits, names: Pseudonyms) -> CodedUnits:
    """Return units under other names, in documents under other names, of annotators as they are."""
    origin = units.candidates
    documents, places = units.documents, units.places
    if names.hides_documents:
        documents = _renamed(documents, names.document)
        places = replace(places, names=_renamed(places.names, names.unit))
    return replace(
        units,
        documents=documents,
        places=places,
        candidates=origin and origin.model_copy(update={"file": names.in_path(origin.file)}),
    )


def _material(material: MaterialDescribed, names: Pseudonyms) -> MaterialDescribed:
    attendance = (
        attendance.model_copy(update={"annotator": names.annotator(attendance.annotator)})
        for attendance in material.attendance
    )
    return material.model_copy(update={"attendance": tuple(attendance)})


def _renamed(names: Iterable[str], shown: Callable[[str], str]) -> tuple[str, ...]:
    return tuple(map(shown, names))


HEAD = ("kind", "name", "pseudonym")
# A row without a name is a number that is retired: somebody withdrew, and nobody else gets it. What stands
# for the name begins so, and ends in the pseudonym: no name of an export does.
RETIRED = "\0"


def is_retired(name: str) -> bool:
    """Tell whether what stands for a name says that its number is retired."""
    return name.startswith(RETIRED)


def pseudonyms_csv(names: Pseudonyms) -> str:
    """Return the table, each kind in the order in which its names are given."""
    by_kind = zip(KINDS, astuple(names), strict=True)
    listed = (
        (kind, "" if is_retired(name) else name, pseudonym)
        for kind, shown in by_kind
        for name, pseudonym in shown.items()
    )
    # Versions of Python differ in what else has to be quoted.
    return as_csv((HEAD, *listed), quote_all=True)


def read_pseudonyms(text: str, file: str) -> Pseudonyms:
    """Return the pseudonyms of a table; raises BadInput with every row that is wrong.

    No name is there twice, and no pseudonym is given to two: that is what comes of two clones of a campaign
    that added somebody each. A row without a name has a number that nobody gets again.
    """
    rows = numbered_rows(text, ",")
    if not rows or tuple(rows[0][1]) != HEAD:
        line = rows[0][0] if rows else 0
        message = f"is not a table of pseudonyms: its first row is not {','.join(HEAD)}."
        raise BadInput([Problem(file, line, "", message, "Restore it from a copy, or rename it.")])
    content: dict[str, dict[str, str]] = {kind: {} for kind in KINDS}
    problems: list[Problem] = []
    lines: dict[tuple[str, str], int] = {}
    for line, row in rows[1:]:
        if wrong := _wrong(row):
            problems.append(Problem(file, line, "", *wrong))
            continue
        kind, name, pseudonym = map(from_cell, row)
        name = name or f"{RETIRED}{pseudonym}"
        if name in content[kind]:
            message = f"{quoted(name)} has a pseudonym already, in line {lines[kind, content[kind][name]]}."
            problems.append(Problem(file, line, "", message, "Keep the one that was published."))
        elif (kind, pseudonym) in lines:
            problems.append(_given_twice(file, line, lines[kind, pseudonym], row, content[kind]))
        else:
            content[kind][name] = pseudonym
            lines[kind, pseudonym] = line
    if problems:
        raise BadInput(problems)
    return Pseudonyms(*content.values())


def _wrong(row: list[str]) -> tuple[str, str] | None:
    """Return what is wrong with a row by itself, and what to do about it."""
    remedy = "Where versions of this file were merged, keep the rows of both, without the marks between them."
    if len(row) != len(HEAD):
        return f"a row of {', '.join(HEAD)} was expected.", remedy
    kind, name, pseudonym = row
    if kind not in KINDS:
        return f"{quoted(kind)} is not a kind; {', '.join(KINDS)} are.", "Correct it."
    if not number_in(pseudonym, kind):
        example = pseudonym_of_number(1, kind)
        return f"{quoted(pseudonym)} is not a pseudonym of {quoted(name)}.", f"Write one such as {example}."
    return None


def _given_twice(file: str, line: int, first: int, row: list[str], others: Mapping[str, str]) -> Problem:
    kind, name, pseudonym = row
    message = f"{quoted(pseudonym)} is given to {quoted(name)} here, and in line {first} to somebody else."
    free = pseudonym_of_number(1 + max(_numbers(others, kind)), kind)
    remedy = f"Leave it to the one who was published under it, and give the other a new one, such as {free}."
    return Problem(file, line, "", message, remedy)


def _numbers(names: Mapping[str, str], kind: str) -> Iterator[int]:
    return (number_in(pseudonym, kind) for pseudonym in names.values())


# Why the table could not be written, and that it is not there.
NOT_KEPT = (
    "Who is called what is not kept: numbers may move when somebody is added. Let reportgen write there."
)
LOST = (
    "is not there, though the site has pseudonyms of this campaign: they were numbered by the exports again, "
    "and A01 may be somebody else now."
)
TAKE_BACK = "Restore it from a copy of the campaign, if it has one, and build again."


def kept_pseudonyms(campaign: Campaign) -> Pseudonyms:
    """Return what a campaign's folder keeps; raises BadInput where that can't be read or understood."""
    content = kept_table(campaign.folder, _shown(campaign))
    return read_pseudonyms(decode(content, _shown(campaign)), _shown(campaign)) if content else Pseudonyms()


def kept_table(folder: Path, shown: str = PSEUDONYMS) -> bytes:
    """Return the bytes of the table, none where there is no table; raises BadInput where it can't be read."""
    path = folder / PSEUDONYMS
    return read_bytes(path, shown) if path.exists() else b""


def _shown(campaign: Campaign) -> str:
    return (Path(campaign.name) / PSEUDONYMS).as_posix()


def table_with(campaign: Campaign, names: Pseudonyms) -> bytes:
    """Return the table with more pseudonyms in it, as it is where it has all of them."""
    kept = kept_pseudonyms(campaign)
    if kept | names == kept:
        return kept_table(campaign.folder)
    return _as_table(kept | names)


def _by_number(names: Mapping[str, str]) -> dict[str, str]:
    """Return names in the order of their numbers, so that whoever is new is at the end."""
    return dict(sorted(names.items(), key=lambda pair: (len(pair[1]), pair[1])))


def keep_table(campaign: Campaign, table: bytes) -> Iterator[Problem]:
    """Write the table where it is another one; yield what to tell where the system does not let it be.

    What another command added meanwhile stays. Raises BadInput where that gave a pseudonym to somebody else:
    this is asked before anything is published.
    """
    path, fit = campaign.folder / PSEUDONYMS, True
    if table == kept_table(campaign.folder):
        return
    try:
        with alone(path):
            both = _both(kept_pseudonyms(campaign), table)
            fit = both is not None
            if both is not None:
                write_file(path, table if both == _read(table) else _as_table(both), remedy=NOT_KEPT)
    except BadInput as error:
        yield from (
            Problem(_shown(campaign), message=problem.message, remedy=NOT_KEPT) for problem in error.problems
        )
    if not fit:
        message = "was written by another command meanwhile, which gave somebody else a pseudonym given here."
        raise refused(_shown(campaign), message=message, remedy="Run this command again.")


def _both(kept: Pseudonyms, table: bytes) -> Pseudonyms | None:
    """Return the pseudonyms of what is kept and of a table, None where one is given to two, or two to one."""
    try:
        own = _read(table)
    except BadInput:
        return None
    both = kept | own
    once = all(len({*names.values()}) == len(names) for names in astuple(both))
    return both if once and own | kept == both else None


def _read(table: bytes) -> Pseudonyms:
    return read_pseudonyms(decode(table, PSEUDONYMS), PSEUDONYMS) if table else Pseudonyms()


def _as_table(names: Pseudonyms) -> bytes:
    return pseudonyms_csv(Pseudonyms(*map(_by_number, astuple(names)))).encode()


def lost_table(campaign: Campaign, old: Path) -> Iterator[Problem]:
    """Yield what to tell where pages of the old site have pseudonyms, and no table says whose they are."""
    hides = campaign.privacy.annotators == "pseudonyms"
    if hides and not kept_table(campaign.folder) and any(map(_is_pseudonym, _published(old / HISTORY))):
        yield Problem(_shown(campaign), message=LOST, remedy=TAKE_BACK)


def _is_pseudonym(name: str) -> bool:
    return number_in(name, "annotator") > 0


def _published(history: Path) -> list[str]:
    """Return what a campaign's page calls its annotators, as far as that can be read."""
    try:
        content = json.loads(history.read_bytes())
        groups = content["coverage"]["annotators"]
        # An earlier reportgen wrote an entry for each.
        return [str(name) for own in groups for name in own.get("annotators") or [own["annotator"]]]
    except (OSError, ValueError, KeyError, TypeError):
        return []
