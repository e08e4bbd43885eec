"""CITATION.cff of the report, and the reference to it in a publisher's own CITATION.cff."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from reportgen.base.errors import BadInput, Problem, refused
from reportgen.publish.bundle_files import RESULTS, Merged, Offered, Released, block, items
from reportgen.publish.sentences import entitled, in_english, plain
from reportgen.report.citation import is_group, spdx
from reportgen.results import Author, Reference

VERSION = "1.2.0"
MESSAGE = "If you use figures of this agreement report, please cite it."
# What the schema takes for a digital object identifier; others are left out.
DOI = re.compile(r"10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+")
# Licences that the schema does not know yet.
NEWER = ("CDLA-Permissive-2.0", "DL-DE-BY-2.0", "DL-DE-ZERO-2.0")
# Words between given names and family names, which begin with a small letter.
PARTICLE = re.compile(r"[a-zà-ÿ'’]+")
NOTES = re.compile(r"Agreement report of the campaign ([A-Za-z0-9][A-Za-z0-9._-]*), made with ")
# What a reference in a publisher's file takes from the report's own.
TAKEN = ("title", "authors", "version", "date-released", "keywords", "notes")

Entry = dict[str, Any]


@in_english
def write(released: Released) -> str:
    """Return the citation of the report; the campaign is its author where nobody signs it."""
    results = released.results
    corpus = results.campaign.corpus
    about: Entry = {
        "cff-version": VERSION,
        "message": MESSAGE,
        "type": "dataset",
        "title": entitled(results),
        "authors": [*map(author, results.campaign.authors)] or [{"name": plain(results.campaign.title)}],
        "version": results.guidelines,
        "date-released": released.date,
        "license": _licence(corpus),
        "abstract": f"Inter-annotator agreement, with every table behind it; its figures are in {RESULTS}.",
        "keywords": ["inter-annotator agreement", "annotation"],
        "references": [*_corpus(corpus), *map(_work, results.campaign.references)],
    }
    head = (
        f"# {_notes(results.campaign.id, results.tool.name, results.tool.version)}",
        "# `reportgen merge` puts the report among the references of a corpus's own CITATION.cff.",
    )
    lines = block({key: value for key, value in about.items() if value not in (None, [])})
    return "".join(f"{line}\n" for line in (*head, *lines))


def _notes(campaign: str, tool: str, version: str) -> str:
    return f"Agreement report of the campaign {campaign}, made with {tool} {version}."


def reference(citation: Mapping[str, Any], notes: str) -> Entry:
    """Return a report's citation as one of the references of another work, known by its notes."""
    taken = {key: citation[key] for key in TAKEN if key in citation}
    return {"type": "report", **taken, "notes": notes}


def notes_of(text: str) -> str | None:
    """Return the notes of a CITATION.cff of ours, which are in its first line."""
    first = text.partition("\n")[0].removeprefix("# ").strip()
    return first if NOTES.match(first) else None


def campaign_of(entry: object) -> str | None:
    """Return the campaign whose report a reference is, None where it is another work."""
    notes = entry.get("notes") if isinstance(entry, Mapping) else None
    found = NOTES.match(notes) if isinstance(notes, str) else None
    return found[1] if found else None


def author(person: Author) -> Entry:
    """Return an author; affiliations are of people alone."""
    entry: Entry = dict(_name(plain(person.name)))
    if person.affiliation and "name" not in entry:
        entry["affiliation"] = plain(person.affiliation)
    return entry | ({"orcid": f"https://orcid.org/{person.orcid}"} if person.orcid else {})


def _name(name: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a name as BibTeX reads them: "Family, Given" says which is which."""
    if is_group(name):
        yield "name", name
    elif "," in name:
        family, _comma, given = (part.strip() for part in name.partition(","))
        yield from (("given-names", given), ("family-names", family))
    else:
        yield from _parts(name.split())


def _parts(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    start = next(
        (place for place, word in enumerate(words[1:-1], 1) if PARTICLE.fullmatch(word)), len(words) - 1
    )
    end = next(
        place
        for place in range(start, len(words))
        if not PARTICLE.fullmatch(words[place]) or place == len(words) - 1
    )
    yield "given-names", " ".join(words[:start])
    if end > start:
        yield "name-particle", " ".join(words[start:end])
    yield "family-names", " ".join(words[end:])


def _licence(corpus: Mapping[str, Any]) -> str | None:
    """Return the declared licence where it is one that the schema knows."""
    known = spdx(corpus.get("licence"))
    return known if known not in NEWER else None


def _corpus(corpus: Mapping[str, Any]) -> Iterator[Entry]:
    """Yield the corpus that the report is about; who wrote it the campaign does not say."""
    if not corpus.get("name"):
        return
    name = plain(str(corpus["name"]))
    entry: Entry = {
        "type": "data",
        "title": name,
        "authors": [{"name": name}],
        "version": corpus.get("version"),
        "doi": _doi(corpus.get("doi")),
        "url": corpus.get("url"),
        "license": _licence(corpus),
    }
    yield {key: value for key, value in entry.items() if value is not None}


def _doi(given: str | None) -> str | None:
    return given if given and DOI.fullmatch(given) else None


def _work(work: Reference) -> Entry:
    people = [author(Author(name=name)) for name in work.authors if plain(name)]
    entry: Entry = {
        "type": "generic",
        "title": plain(work.title),
        "authors": people or [{"name": plain(work.title)}],
        "year": work.year,
        "doi": _doi(work.doi),
    }
    return {key: value for key, value in entry.items() if value is not None}


# The reference to a report in a publisher's CITATION.cff.

KEY, VERSION_KEY = "references", "cff-version"
# Where a stretch of a text begins and ends, and what comes into its place.
Edit = tuple[int, int, str]
LAYOUT = "is laid out in a way that reportgen can't change safely."
BY_HAND = "Add the reference by hand; the bundle's CITATION.cff has it."


def merged(text: str, offered: Offered, name: str, *, replace: bool) -> Merged:  # noqa: ARG001 - as the others
    """Return a citation file with the reference to a report, which takes the place of an earlier one's."""
    root = _root(text, name)
    written = yaml.safe_load(text)
    known = written.get(KEY) or []
    if not isinstance(known, list):
        raise refused(name, _line(_value(root)), KEY, "is no list.", "Make it one.")
    if VERSION_KEY not in written:
        mend = f'Begin it with {VERSION_KEY}: "{VERSION}", or check the name.'
        raise refused(name, 1, VERSION_KEY, "is missing, which every citation file has.", mend)
    old = [place for place, each in enumerate(known) if campaign_of(each) == offered.campaign]
    wanted = [
        offered.reference if place in old else each
        for place, each in enumerate(known)
        if place not in old[1:]
    ]
    if not old:
        wanted.append(offered.reference)
    if wanted == known:
        return Merged(text)
    return Merged(_checked(text, _changed(text, root, old, offered.reference), wanted, name))


def _root(text: str, name: str) -> yaml.MappingNode:
    """Return the file as YAML sees it; raise BadInput where it is none, or has what can't be changed."""
    try:
        for token in yaml.scan(text, Loader=yaml.SafeLoader):
            if isinstance(token, yaml.AliasToken | yaml.AnchorToken | yaml.TagToken):
                mend = "Write it out without anchors, aliases and tags, or add the reference by hand."
                raise refused(name, token.start_mark.line + 1, "", LAYOUT, mend)
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise BadInput([not_yaml(error, name)]) from None
    if not isinstance(root, yaml.MappingNode):
        raise refused(name, 1, "", "is no table of keys and values.", "Look at the file.")
    seen = set[str]()
    for key, _ in root.value:
        if key.value in seen:
            raise refused(name, _line(key), key.value, "is there twice.", "Keep one of the two.")
        seen.add(key.value)
    return root


def not_yaml(error: yaml.YAMLError, name: str) -> Problem:
    """Return what is wrong with a text that is no YAML, with the line."""
    mark = getattr(error, "problem_mark", None)
    why = getattr(error, "problem", None) or str(error).partition("\n")[0]
    return Problem(name, mark.line + 1 if mark else 0, "", f"is no YAML: {why}.", "Correct the file.")


def _line(node: yaml.Node | None) -> int:
    return node.start_mark.line + 1 if node else 0


def _value(root: yaml.MappingNode) -> yaml.Node | None:
    return next((value for key, value in root.value if key.value == KEY), None)


def _checked(text: str, edits: Sequence[Edit], wanted: Sequence[Any], name: str) -> str:
    """Return the changed text; raise BadInput where it does not say what it should, and nothing else."""
    done = text
    for start, end, new in sorted(edits, key=lambda edit: edit[0], reverse=True):
        done = done[:start] + new + done[end:]
    try:
        same = yaml.safe_load(done) == {**yaml.safe_load(text), KEY: list(wanted)}
    except yaml.YAMLError:
        same = False
    if not same:
        raise refused(name, 0, KEY, LAYOUT, BY_HAND)
    return done


def _changed(text: str, root: yaml.MappingNode, old: Sequence[int], entry: Mapping[str, Any]) -> list[Edit]:
    value = _value(root)
    if isinstance(value, yaml.SequenceNode) and value.value:
        if root.flow_style or value.flow_style:
            return list(_in_brackets(value, old, json.dumps(entry)))
        return list(_in_list(text, value, old, entry))
    if not root.flow_style:
        return [_new_list(text, root, value, entry)]
    if value is not None:
        return [(value.start_mark.index, value.end_mark.index, f"[{json.dumps(entry)}]")]
    last = _end(root.value[-1][1])
    return [(last, last, f', "{KEY}": [{json.dumps(entry)}]')]


def _in_brackets(value: yaml.SequenceNode, old: Sequence[int], entry: str) -> Iterator[Edit]:
    """Yield the changes to a list in brackets, as JSON has it."""
    if not old:
        end = _end(value.value[-1])
        yield end, end, f", {entry}"
        return
    first = value.value[old[0]]
    yield first.start_mark.index, _end(first), entry
    for place in old[1:]:
        yield _end(value.value[place - 1]), _end(value.value[place]), ""


def _in_list(
    text: str, value: yaml.SequenceNode, old: Sequence[int], entry: Mapping[str, Any]
) -> Iterator[Edit]:
    """Yield the changes to a list of which each item is behind a dash."""
    column = value.start_mark.column
    inside = value.value[0].start_mark.column
    same_line = value.value[0].start_mark.line == value.start_mark.line
    dash = "-" + " " * max(1, inside - column - 1) if same_line else "- "
    lines = list(items([entry], " " * column, dash))
    newline = _newline(text)
    if not old:
        yield _behind(text, _end(value.value[-1]), lines, newline)
        return
    first = value.value[old[0]]
    shown = newline.join(lines)[column:]
    start = _dash(text, first)
    yield start, _end(first), shown + (newline if text[: _end(first)].endswith("\n") else "")
    for place in old[1:]:
        line = text.rfind("\n", 0, _dash(text, value.value[place])) + 1
        yield line, _line_end(text, _end(value.value[place])), ""


def _dash(text: str, item: yaml.Node) -> int:
    """Return where the dash of an item is."""
    return text.rindex("-", 0, item.start_mark.index)


def _line_end(text: str, place: int) -> int:
    """Return where the line behind a place begins, or the place itself where one begins there."""
    if text[:place].endswith("\n"):
        return place
    found = text.find("\n", place)
    return len(text) if found < 0 else found + 1


def _behind(text: str, end: int, lines: Sequence[str], newline: str) -> Edit:
    """Return the change that adds lines behind the line in which something ends."""
    place = _line_end(text, end)
    shown = newline.join(lines)
    if place and not text[:place].endswith("\n"):
        return place, place, f"{newline}{shown}"
    return place, place, f"{shown}{newline}"


def _new_list(text: str, root: yaml.MappingNode, value: yaml.Node | None, entry: Mapping[str, Any]) -> Edit:
    """Return the change that makes a list, behind its key where it is there, else at the end of the file."""
    newline = _newline(text)
    lines = list(items([entry], "  "))
    if value is None:
        last = root.value[-1][1]
        indent = " " * root.value[0][0].start_mark.column
        shown = [f"{indent}{each}" for each in (f"{KEY}:", *lines)]
        return _behind(text, _end(last), shown, newline)
    key = next(key for key, each in root.value if each is value)
    colon = text.index(":", key.end_mark.index) + 1
    return colon, max(colon, _end(value)), newline + newline.join(lines)


def _newline(text: str) -> str:
    return "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"


def _end(node: yaml.Node) -> int:
    """Return where the content of a node ends, blanks and comments behind it left out."""
    if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _end(last[1] if isinstance(last, tuple) else last)
