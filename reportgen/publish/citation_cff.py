"""CITATION.cff of the report, and the reference to it in a publisher's own CITATION.cff."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import yaml

from reportgen.base.errors import BadInput, refused
from reportgen.publish.bundle_files import RESULTS, Merged, Offered, Released, block, items, without_empty
from reportgen.publish.sentences import entitled, in_english, keywords, plain, topic
from reportgen.report.linked_data import is_group, spdx
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
    campaign, corpus = results.campaign, results.campaign.corpus
    about = {
        "cff-version": VERSION,
        "message": MESSAGE,
        "type": "dataset",
        "title": entitled(results),
        "authors": [*map(author, campaign.authors)] or [{"name": plain(campaign.title)}],
        "version": results.guidelines,
        "date-released": released.date,
        "license": _licence(corpus),
        "abstract": f"{topic(results)}, with every table behind it; its figures are in {RESULTS}.",
        "keywords": [*keywords(results), "annotation"],
        "references": [*_corpus(corpus), *map(_work, campaign.references)],
    }
    tool = f"{results.tool.name} {results.tool.version}"
    head = (
        f"# Agreement report of the campaign {campaign.id}, made with {tool}.",
        "# `reportgen merge` puts the report among the references of a corpus's own CITATION.cff.",
    )
    return "".join(f"{line}\n" for line in (*head, *block(without_empty(about))))


def reference(citation: Mapping[str, Any], notes: str) -> Entry:
    """Return a report's citation as one of the references of another work, known by its notes."""
    copied = {key: citation[key] for key in TAKEN if key in citation}
    return {"type": "report", **copied, "notes": notes}


def notes_of(text: str) -> str | None:
    """Return the notes of a CITATION.cff of ours, which are in its first line."""
    first = text.partition("\n")[0].removeprefix("# ").strip()
    return first if NOTES.match(first) else None


def campaign_of(entry: object) -> str | None:
    """Return the campaign whose report a reference is, None where it is another work."""
    notes = entry.get("notes") if isinstance(entry, Mapping) else None
    match = NOTES.match(notes) if isinstance(notes, str) else None
    return match[1] if match else None


def author(person: Author) -> Entry:
    """Return an author; affiliations are of people alone."""
    entry = _name(plain(person.name))
    if person.affiliation and "name" not in entry:
        entry["affiliation"] = plain(person.affiliation)
    return entry | ({"orcid": f"https://orcid.org/{person.orcid}"} if person.orcid else {})


def _name(name: str) -> Entry:
    """Return the parts of a name as BibTeX reads them: "Family, Given" says which is which."""
    if is_group(name):
        return {"name": name}
    family, comma, given_names = (part.strip() for part in name.partition(","))
    if comma:
        return {"given-names": given_names, "family-names": family}
    words, last = name.split(), len(name.split()) - 1
    start = next((at for at in range(1, last) if PARTICLE.fullmatch(words[at])), last)
    end = next((at for at in range(start, last) if not PARTICLE.fullmatch(words[at])), last)
    particle = {"name-particle": " ".join(words[start:end])} if end > start else {}
    return {"given-names": " ".join(words[:start]), **particle, "family-names": " ".join(words[end:])}


def _licence(corpus: Mapping[str, Any]) -> str | None:
    """Return the declared licence where it is one that the schema knows."""
    identifier = spdx(corpus.get("licence"))
    return identifier if identifier not in NEWER else None


def _corpus(corpus: Mapping[str, Any]) -> Iterator[Entry]:
    """Yield the corpus that the report is about; who wrote it the campaign does not say."""
    if corpus.get("name"):
        name = plain(str(corpus["name"]))
        yield without_empty(
            {
                "type": "data",
                "title": name,
                "authors": [{"name": name}],
                "version": corpus.get("version"),
                "doi": _doi(corpus.get("doi")),
                "url": corpus.get("url"),
                "license": _licence(corpus),
            }
        )


def _doi(identifier: str | None) -> str | None:
    return identifier if identifier and DOI.fullmatch(identifier) else None


def _work(work: Reference) -> Entry:
    people = [author(Author(name=name)) for name in work.authors if plain(name)]
    title = plain(work.title)
    authors = people or [{"name": title}]
    return without_empty(
        {"type": "generic", "title": title, "authors": authors, "year": work.year, "doi": _doi(work.doi)}
    )


# The reference to a report in a publisher's CITATION.cff.

KEY, VERSION_KEY = "references", "cff-version"
# Where a stretch of a text begins and ends, and what comes into its place.
Edit = tuple[int, int, str]
LAYOUT = "is laid out in a way that reportgen can't change safely."
BY_HAND = "Add the reference by hand; the bundle's CITATION.cff has it."


def merged(text: str, offered: Offered, name: str, *, replace: bool) -> Merged:  # noqa: ARG001 - as the others
    """Return a citation file with the reference to a report, which takes the place of an earlier one's."""
    root = _root(text, name)
    value = next((value for key, value in root.value if key.value == KEY), None)
    written = yaml.safe_load(text)
    works = written.get(KEY) or []
    if not isinstance(works, list):
        line = value.start_mark.line + 1 if value else 0
        raise refused(name, line, KEY, "is not a list.", "Make it one.")
    if VERSION_KEY not in written:
        remedy = f'Begin it with {VERSION_KEY}: "{VERSION}", or check the name.'
        raise refused(name, 1, VERSION_KEY, "is missing, which every citation file has.", remedy)
    old = [index for index, work in enumerate(works) if campaign_of(work) == offered.campaign]
    due = [work for index, work in enumerate(works) if index not in old]
    due.insert(old[0] if old else len(due), offered.reference)
    if due == works:
        return Merged(text)
    done = text
    for start, end, new in sorted(_edits(text, root, value, old, offered.reference), reverse=True):
        done = done[:start] + new + done[end:]
    # It has to say what it should, and nothing else.
    with suppress(yaml.YAMLError):
        if yaml.safe_load(done) == {**written, KEY: due}:
            return Merged(done)
    raise refused(name, 0, KEY, LAYOUT, BY_HAND)


def _root(text: str, name: str) -> yaml.MappingNode:
    """Return the file as YAML sees it; raise BadInput where it is not one, or has what can't be changed."""
    try:
        for token in yaml.scan(text, Loader=yaml.SafeLoader):
            if isinstance(token, yaml.AliasToken | yaml.AnchorToken | yaml.TagToken):
                remedy = "Write it out without anchors, aliases and tags, or add the reference by hand."
                raise refused(name, token.start_mark.line + 1, "", LAYOUT, remedy)
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise not_yaml(error, name) from None
    if not isinstance(root, yaml.MappingNode):
        raise refused(name, 1, "", "is not a table of keys and values.", "Look at the file.")
    keys = set[str]()
    for key, _ in root.value:
        if key.value in keys:
            raise refused(name, key.start_mark.line + 1, key.value, "is there twice.", "Keep one of the two.")
        keys.add(key.value)
    return root


def not_yaml(error: Exception, name: str) -> BadInput:
    """Return what is wrong with a text that is no YAML, with the line."""
    mark = getattr(error, "problem_mark", None)
    why = getattr(error, "problem", None) or str(error).partition("\n")[0]
    return refused(name, mark.line + 1 if mark else 0, "", f"is not YAML: {why}.", "Correct the file.")


def _edits(
    text: str, root: yaml.MappingNode, value: yaml.Node | None, old: Sequence[int], entry: Entry
) -> Iterator[Edit]:
    """Yield the changes that put an entry into the list that is the value of its key, where there is one."""
    shown = json.dumps(entry)
    if isinstance(value, yaml.SequenceNode) and value.value:
        inside = value.value
        if not (root.flow_style or value.flow_style):
            yield from _in_list(text, value, old, entry)
        elif not old:
            yield _end(inside[-1]), _end(inside[-1]), f", {shown}"
        else:
            yield inside[old[0]].start_mark.index, _end(inside[old[0]]), shown
            yield from ((_end(inside[index - 1]), _end(inside[index]), "") for index in old[1:])
    elif not root.flow_style:
        yield _new_list(text, root, value, list(items([entry], "  ")))
    elif value is not None:
        yield value.start_mark.index, value.end_mark.index, f"[{shown}]"
    else:
        last = _end(root.value[-1][1])
        yield last, last, f', "{KEY}": [{shown}]'


def _in_list(text: str, value: yaml.SequenceNode, old: Sequence[int], entry: Entry) -> Iterator[Edit]:
    """Yield the changes to a list of which each item is behind a dash."""
    column, first = value.start_mark.column, value.value[0].start_mark
    dash = "-".ljust(max(2, first.column - column) if first.line == value.start_mark.line else 2)
    lines = list(items([entry], " " * column, dash))
    if not old:
        yield _behind(text, _end(value.value[-1]), lines)
        return
    starts = {index: text.rindex("-", 0, value.value[index].start_mark.index) for index in old}
    end, newline = _end(value.value[old[0]]), _newline(text)
    shown = newline.join(lines)[column:]
    yield starts[old[0]], end, shown + (newline if text[:end].endswith("\n") else "")
    for index in old[1:]:
        line = text.rfind("\n", 0, starts[index]) + 1
        yield line, _line_end(text, _end(value.value[index])), ""


def _line_end(text: str, offset: int) -> int:
    """Return where the line behind a place begins, or the place itself where one begins there."""
    if text[:offset].endswith("\n"):
        return offset
    return text.find("\n", offset) + 1 or len(text)


def _behind(text: str, end: int, lines: Sequence[str]) -> Edit:
    """Return the change that adds lines behind the line in which something ends."""
    offset, newline = _line_end(text, end), _newline(text)
    shown = newline.join(lines)
    if offset and not text[:offset].endswith("\n"):
        return offset, offset, f"{newline}{shown}"
    return offset, offset, f"{shown}{newline}"


def _new_list(text: str, root: yaml.MappingNode, value: yaml.Node | None, lines: Sequence[str]) -> Edit:
    """Return the change that makes a list, behind its key where it is there, else at the end of the file."""
    if value is None:
        indent = " " * root.value[0][0].start_mark.column
        return _behind(text, _end(root.value[-1][1]), [f"{indent}{line}" for line in (f"{KEY}:", *lines)])
    key = next(key for key, node in root.value if node is value)
    colon = text.index(":", key.end_mark.index) + 1
    return colon, max(colon, _end(value)), "".join(f"{_newline(text)}{line}" for line in lines)


def _newline(text: str) -> str:
    return "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"


def _end(node: yaml.Node) -> int:
    """Return where the content of a node ends, blanks and comments behind it left out."""
    if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _end(last[1] if isinstance(last, tuple) else last)
