"""README.md of a bundle: what it is, what it says, and what can be done with it."""

import re
from collections.abc import Iterable, Iterator, Sequence

from reportgen.base.files import rows
from reportgen.publish import files
from reportgen.publish.files import Released
from reportgen.publish.sentences import coefficient, has_layers, in_english, leading
from reportgen.report.escaping import escape_markdown
from reportgen.results import Figure, Results, UnitSet
from reportgen.words.numbers import count, estimate

PSEUDONYM, HIDDEN = re.compile(r"A\d{2,}"), re.compile(r"D\d{4,}")
COUNTED, DOCUMENT = f"{files.COUNTS}annotators.csv", "document"
# What is in which file, and who reads it: shown where a file of that name, or below it, is there or to come.
CONTENTS = (
    (
        "report/index.html",
        "The report: start here. It opens from disk in any browser and asks for no network.",
    ),
    (
        "report/report.html",
        "The same report in one file that needs no other: to mail, to print, to read in twenty years.",
    ),
    ("report/report.md", "The same report as plain text."),
    ("report/results.json", "Every figure at full precision, for programs."),
    ("report/tables/", "The tables of the report as CSV."),
    ("report/counts/", "The counts that the figures follow from, without texts: CSV, and counts.json."),
    ("report/figures/", "The figures as SVG."),
    ("report/latex/", "Tables and the paragraph on methods for a paper, with their bibliography."),
    ("report/texts.json", "The annotated texts with their marks."),
    (files.CAMPAIGN, "How the figures were asked for. This folder is itself a campaign of reportgen."),
    (files.GUIDELINES, "The guidelines that annotators followed."),
    (files.DISTANCES, "Distances between categories, as the campaign declares them."),
    (files.METHODS, "How agreement was computed, with the works to cite: for a paper or a data sheet."),
    (files.PARAGRAPH, "Agreement in one paragraph of at most 1,000 characters: for META-SHARE and DataCite."),
    (files.CARD, "A block for the dataset card of the corpus; `reportgen merge` puts it there."),
    (
        files.CROISSANT,
        "Croissant metadata with its fields for responsible AI; `reportgen merge` takes it over.",
    ),
    (files.PACKAGE, "Columns and types of every table (Frictionless Data Package), for R and Python."),
    (files.CRATE, "What was made of what, by which program (RO-Crate): for archives."),
    (files.CITATION, "How to cite the report."),
    (
        "exports/",
        "What the figures were computed from: the annotators' exports as they are, **with their names**.",
    ),
    (files.CHECKSUMS, "SHA-256 of every other file."),
)
# How the corpus is cited.
CITED = (("name", ""), ("version", "version "), ("doi", "doi:"), ("url", ""))
LATER = frozenset((files.CRATE, files.CHECKSUMS))


@in_english
def write(released: Released) -> str:
    """Return README.md of a bundle, in Markdown; whatever a campaign says in it is escaped."""
    parts = (_head, _figures, _contents, _checks, _recomputing, _citation, _licence, _absent)
    return "\n\n".join(line for part in parts for line in part(released)) + "\n"


def _head(released: Released) -> Iterator[str]:
    results = released.results
    title, version = escape_markdown(results.campaign.title), escape_markdown(results.guidelines)
    yield f"# {title}: agreement of annotators"
    dated = f" ({results.revision.date})" if results.revision.date else ""
    yield _prose(f"""
        How far annotators agree who followed version {version}{dated} of the guidelines: the report, the
        counts behind every figure, and what catalogues and archives read of it. It belongs to the release
        of the corpus, and was written by {results.tool.name} {results.tool.version}.
    """)
    if corpus := results.campaign.corpus.get("name"):
        yield f"The corpus: *{escape_markdown(str(corpus))}*"
    yield f"Begin with [report/index.html]({files.PAGE}), which opens from disk in any browser."


def _figures(released: Released) -> Iterator[str]:
    results = released.results
    sets = leading(results)
    yield "## The figures"
    with_layer = has_layers(results)
    head = [*(["layer"] if with_layer else []), "figure", "value [95% interval]"]
    lines = [_row(results, each, with_layer=with_layer) for each in sets]
    yield _table([*head, "units", "documents", "annotators"], lines)
    reasons = [_undefined(results, each) for each in sets]
    yield from filter(None, reasons)
    others = "documents" if all(each.documents for each in sets) else "units"
    yield _prose(f"""
        An interval covers what other {others} could have shown, not other annotators. The report says
        what counts as a unit and why, shows the table behind each figure, and holds all other figures.
    """)


def _row(results: Results, unit_set: UnitSet, *, with_layer: bool) -> list[str]:
    name, found = coefficient(results, unit_set)
    return [
        *([escape_markdown(unit_set.layer)] if with_layer else []),
        escape_markdown(results.name_of(name)),
        _shown(found),
        f"{count(unit_set.units)} ({escape_markdown(unit_set.id)})",
        count(unit_set.documents) if unit_set.documents else "not known",
        count(len(unit_set.annotators)),
    ]


def _shown(found: Figure | None) -> str:
    return estimate(found) if found and found.value is not None else "undefined"


def _undefined(results: Results, unit_set: UnitSet) -> str:
    name, found = coefficient(results, unit_set)
    if not found or found.value is not None or not found.undefined:
        return ""
    layer = f", layer {unit_set.layer}" if has_layers(results) else ""
    return escape_markdown(f"{results.name_of(name)}{layer}: {found.undefined}.")


def _contents(released: Released) -> Iterator[str]:
    yield "## What is in which file"
    there = [(name, text) for name, text in CONTENTS if _is_there(released, name)]
    yield _table(("file", "what it is"), [(f"`{name}`", text) for name, text in there])
    others = released.languages[1:]
    if others:
        folders = ", ".join(f"`report/{each}/`" for each in others)
        yield f"The pages stand once more in other languages, in {folders}."
    if any(name.endswith(".parquet") for name in released.files):
        yield "Beside each CSV of counts stands the same table as Parquet."


def _is_there(released: Released, name: str) -> bool:
    return name in LATER or any(each.startswith(name) for each in released.files)


def _checks(_: Released) -> Iterator[str]:
    yield "## How to check it"
    yield "That nothing was changed, with what every Unix has, in the folder that holds this file:"
    yield f"```sh\nsha256sum --check --quiet {files.CHECKSUMS}\n```"
    yield _prose("""
        `reportgen verify` says more of the zip file, or of this folder: it checks every file, computes
        every figure anew that the counts determine, and renders every page again. Of the version of
        reportgen named above it expects the same bytes.
    """)
    yield "```sh\nreportgen verify .\n```"


def _recomputing(released: Released) -> Iterator[str]:
    yield "## How to compute the figures anew"
    yield _prose("""
        Figures and intervals follow from `report/counts/`, and no text is needed. In the folder *above*
        this one, with `BUNDLE` for its name:
    """)
    yield "```sh\nreportgen build BUNDLE --out site\n```"
    yield _prose("""
        Figures that need more than counts carry `"recomputable": false` in `report/results.json`; those
        that place marks in a text are among them, gamma and the unitizing alphas.
    """)
    if _has_exports(released):
        yield _prose("""
            `exports/` holds what annotators exported, under their names, and `exports/pseudonyms.csv`
            says who is called what in the report: with them everything can be computed anew.
        """)


def _citation(released: Released) -> Iterator[str]:
    corpus, authors = released.results.campaign.corpus, released.results.campaign.authors
    yield "## How to cite it"
    where = "`CITATION.cff` has the report" if files.CITATION in released.files else "Cite the report"
    by = f" by {escape_markdown(', '.join(each.name for each in authors))}" if authors else ""
    title = escape_markdown(released.results.campaign.title)
    yield f"{where}: *{title}*{by}, guidelines {escape_markdown(released.results.guidelines)}."
    cited = [f"{words}{corpus[key]}" for key, words in CITED if corpus.get(key)]
    if cited:
        yield f"The corpus: {escape_markdown(', '.join(cited))}."
    yield "`methods.md` lists the works that the figures are from."


def _licence(released: Released) -> Iterator[str]:
    licence = released.results.campaign.corpus.get("licence")
    yield "## Licence"
    if licence:
        yield f"{escape_markdown(str(licence))}, which the campaign declares for the corpus."
    else:
        yield "The campaign declares no licence. Ask its authors before you pass this bundle on."


def _absent(released: Released) -> Iterator[str]:
    """Yield what is left out, and why."""
    yield "## What is not in it, and why"
    yield "\n".join(f"- {each}" for each in _left_out(released))


def _left_out(released: Released) -> Iterator[str]:
    people = {name for each in released.results.unit_sets for name in each.annotators}
    if people and all(map(PSEUDONYM.fullmatch, people)):
        where = " but those of `exports/`" if _has_exports(released) else ""
        yield _prose(f"""
            Names of annotators. They are called A01, A02, … in every file{where}, with the same number in
            every version of the guidelines: agreement is a property of the annotation, not of persons.
        """)
    if _documents_are_hidden(released):
        yield _prose("""
            Names of documents, which are called D0001, D0002, …, since a name can lead to a text or its
            author. Where the corpus is public, `documents = "names"` in `[privacy]` shows them.
        """)
    if files.TEXTS not in released.files:
        yield _prose("""
            The annotated texts, and pages that quote them: they may be under another licence than the
            figures, which need none of them. Whoever may pass them on writes the bundle with
            `--with-texts`.
        """)
    if not _has_exports(released):
        yield _prose("""
            The annotators' exports, which hold their names, and mostly texts too. Whoever may pass them
            on writes the bundle with `--with-exports`.
        """)
    yield "The corpus itself, and reports of other versions of the guidelines."


def _documents_are_hidden(released: Released) -> bool:
    """Tell whether every document of the counts has a pseudonym."""
    head, *cells = rows(released.files.get(COUNTED, b"").decode(), ",") or [[]]
    place = head.index(DOCUMENT) if DOCUMENT in head else 0
    documents = {row[place] for row in cells if row[place]}
    return bool(documents) and all(map(HIDDEN.fullmatch, documents))


def _has_exports(released: Released) -> bool:
    return any(each.startswith(files.EXPORTS) for each in released.files)


def _table(head: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    """Return a table; whatever a campaign says in its cells is escaped already."""
    lines = [head, ["---"] * len(head), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _prose(text: str) -> str:
    """Return a paragraph on one line; whatever a campaign says in it is escaped already."""
    return " ".join(text.split())
