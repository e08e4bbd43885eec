"""UIMA CAS JSON: the lossless export of INCEpTION in one file."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from reportgen.base.errors import BadInput, Problem, for_each
from reportgen.readers.cas import AGAIN, Raw, check, guarded, read_cas, unusable_names
from reportgen.readers.json_records import Record, expect, first_record, is_json, read_json
from reportgen.readers.naming import Body, copies_of, name_bodies
from reportgen.readers.reader import Export, ExportFile, Reader, ReaderOptions, Span, shortened

# UIMA CAS JSON 0.4: one file holds text, types and annotations.

TYPES = "%TYPES"
STRUCTURES = "%FEATURE_STRUCTURES"
VIEWS = "%VIEWS"
SOFA = "uima.cas.Sofa"
INITIAL_VIEW = "_InitialView"


def read_json_body(file: ExportFile) -> Body:
    """Return the text of the first view and what annotators did in it; the line is the record's number.

    Raises BadInput for files that are no CAS JSON or damaged, and for offsets outside the text.
    """
    whole = Record(file.name, 0, read_json(file))
    data = expect(whole, "", whole.value, dict, "an object")
    _check_types(whole, data)
    raws = _raws(file, data)
    check(file, raws)
    return guarded(file, lambda: read_cas(file, _load(data), raws))


def _load(data: dict[str, Any]) -> Any:  # noqa: ANN401 - dkpro-cassis carries no types
    """Load the first view alone: dkpro-cassis can't read a second one, or one of another name."""
    from cassis import load_cas_from_json

    structures = data[STRUCTURES]
    every = structures.values() if isinstance(structures, dict) else structures
    sofas = [each for each in every if each.get("%TYPE") == SOFA and isinstance(each.get("sofaString"), str)]
    names = [each.get("sofaID") for each in sofas]
    chosen = INITIAL_VIEW if INITIAL_VIEW in names or not names else names[0]
    renamed = {chosen: INITIAL_VIEW, INITIAL_VIEW: chosen}
    for sofa in sofas:
        sofa["sofaID"] = renamed.get(sofa["sofaID"], sofa["sofaID"])
    view = data[VIEWS].get(chosen)
    return load_cas_from_json(json.dumps({**data, VIEWS: {INITIAL_VIEW: view} if view else {}}))


def _check_types(whole: Record, data: dict[str, Any]) -> None:
    """Raise BadInput where types are not there, or declare features that can't be."""
    if TYPES not in data:
        mend = "Export it with its type system."
        raise BadInput(
            [Problem(whole.file, 0, TYPES, "is missing: the file does not declare its types.", mend)]
        )
    types = expect(whole, TYPES, data[TYPES], dict, "an object")
    expect(whole, VIEWS, data.get(VIEWS), dict, "an object")
    features = [
        name
        for key, declared in types.items()
        for name in expect(whole, key, declared, dict, "an object")
        if not name.startswith("%")
    ]
    problems = [
        Problem(whole.file, 0, TYPES, f'declares the feature "{name[:40]}", which is no plain name.', AGAIN)
        for name in unusable_names(features)
    ]
    if problems:
        raise BadInput(shortened(problems))


def _raws(file: ExportFile, data: dict[str, Any]) -> list[Raw]:
    """Return the feature structures in the order of the file; raise BadInput for all that are none."""
    problems: list[Problem] = []
    raws: list[Raw] = []
    records = list(_records(file, data))
    texts = {
        each.value.get("%ID"): each.value.get("sofaString")
        for each in records
        if isinstance(each.value, dict) and each.value.get("%TYPE") == SOFA and _is_id(each.value.get("%ID"))
    }
    for record in records:
        try:
            raws.append(_raw(record, texts))
        except BadInput as error:
            problems += error.problems
    if problems:
        raise BadInput(shortened(problems))
    return raws


def _is_id(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _records(file: ExportFile, data: dict[str, Any]) -> Iterator[Record]:
    """Yield the structures of a list, or of an object whose keys are the ids, as older versions have it."""
    structures = data.get(STRUCTURES)
    if isinstance(structures, dict):
        for number, (key, value) in enumerate(structures.items(), 1):
            named = {**value, "%ID": int(key)} if isinstance(value, dict) and key.isdecimal() else value
            yield Record(file.name, number, named)
        return
    whole = Record(file.name, 0, structures)
    for number, value in enumerate(expect(whole, STRUCTURES, structures, list, "a list"), 1):
        yield Record(file.name, number, value)


def _raw(record: Record, texts: dict[Any, Any]) -> Raw:
    value = expect(record, "", record.value, dict, "an object")
    identity = expect(record, "%ID", value.get("%ID"), int, "a number")
    kind = expect(record, "%TYPE", value.get("%TYPE"), str, "a text")
    sofa = value.get("@sofa")
    text = texts.get(sofa) if _is_id(sofa) else None
    return Raw(identity, record.line, kind, _span(record, value), text if isinstance(text, str) else None)


def _span(record: Record, value: dict[str, Any]) -> Span | None:
    if "begin" not in value and "end" not in value:
        return None
    start = expect(record, "begin", value.get("begin", 0), int, "a number")
    return start, expect(record, "end", value.get("end", 0), int, "a number")


# UIMA CAS JSON: the lossless export of INCEpTION in one file.

EXTENSIONS = (".json",)
READING = "UIMA CAS JSON: marks of the first view; lines are numbers of feature structures."


def recognises(file: ExportFile) -> bool:
    """Say whether the file is a JSON object with feature structures."""
    if not is_json(file) or STRUCTURES not in file.text:
        return False
    value = first_record(file)
    return isinstance(value, dict) and STRUCTURES in value


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return a copy for each file; raise BadInput with every fault of all files."""
    bodies = for_each(files, read_json_body)
    copies, left_out = copies_of(bodies, name_bodies(files, bodies, options, EXTENSIONS))
    return Export(copies, READING, tuple(file.source for file in files), left_out, by_feature=True)


READER = Reader(
    name="cas-json",
    title="UIMA CAS JSON 0.4",
    tool="INCEpTION, UIMA",
    extensions=EXTENSIONS,
    reads=(
        "Annotations of the first view with their features, values of several strings joined by |; types "
        "without a place in the text as marks of the document; references, slots and relations."
    ),
    leaves_out=(
        "Tokens, sentences, tag sets and metadata, which are no marks; annotations of other views, which "
        "belong to another text; heads of chains, which hold nothing of their own."
    ),
    recognises=recognises,
    read=read,
)
