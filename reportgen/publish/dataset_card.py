"""dataset-card.md: what a dataset card of Hugging Face says of the annotation, in blocks between markers.

Its sections are those of Hugging Face's own template; `merge` takes the blocks from it.
"""

from collections.abc import Iterator

from reportgen.publish.files import REPORT, Released
from reportgen.publish.files import block as yaml_lines
from reportgen.publish.sentences import (
    alike,
    coefficient,
    has_layers,
    in_english,
    labelled_alike,
    leading,
    machines,
    of_method,
    of_spans,
    per_unit,
    plain,
    weakest,
    without_interval,
)
from reportgen.report.escaping import escape_markdown
from reportgen.report.tables import ReportTable, TableColumn, to_markdown
from reportgen.results import Results, UnitSet
from reportgen.words.numbers import counted, estimate

PROCESS, PEOPLE = "iaa", "iaa-annotators"
# Where each block stands, from the section down.
ANNOTATIONS = ("Dataset Creation", "Annotations")
PLACES = {PROCESS: (*ANNOTATIONS, "Annotation process"), PEOPLE: (*ANNOTATIONS, "Who are the annotators?")}
# How much there is, in Hugging Face's words.
SIZES = (
    (10**3, "n<1K"),
    (10**4, "1K<n<10K"),
    (10**5, "10K<n<100K"),
    (10**6, "100K<n<1M"),
    (10**7, "1M<n<10M"),
    (10**8, "10M<n<100M"),
    (10**9, "100M<n<1B"),
)
LINK = f"[agreement report]({REPORT}index.html)"
CREATORS = "# annotations_creators: expert-generated, crowdsourced or machine-generated; only you know."


@in_english
def write(released: Released) -> str:
    """Return the card: suggestions for its head, and the blocks under their sections."""
    results = released.results
    head = [
        "---",
        "# Suggestions for the head of your own card.",
        CREATORS,
        *yaml_lines(_head(results)),
        "---",
    ]
    body = [f"## {ANNOTATIONS[0]}", f"### {ANNOTATIONS[1]}"]
    for name, text in blocks(results).items():
        body += [f"#### {PLACES[name][-1]}", between(name, text)]
    return "\n\n".join(["\n".join(head), *body]) + "\n"


def begin(name: str) -> str:
    """Return the marker before a block."""
    return f"<!-- {name}:begin -->"


def end(name: str) -> str:
    """Return the marker behind a block."""
    return f"<!-- {name}:end -->"


def between(name: str, text: str) -> str:
    """Return a block between its markers."""
    return f"{begin(name)}\n{text}\n{end(name)}"


def blocks(results: Results) -> dict[str, str]:
    """Return the text of each block, without its markers; the first line says whose report it comes from."""
    whose = f"<!-- agreement report {results.campaign.id} {results.guidelines} -->"
    paragraphs = {PROCESS: [*_process(results)], PEOPLE: [*_people(results)]}
    return {name: "\n\n".join([whose, *found]) for name, found in paragraphs.items()}


def _head(results: Results) -> dict[str, list[str]]:
    documents = results.campaign.corpus.get("documents")
    size = [_size(documents)] if isinstance(documents, int) else []
    return {"tags": ["inter-annotator-agreement"], **({"size_categories": size} if size else {})}


def _size(documents: int) -> str:
    return next((words for least, words in SIZES if documents < least), "n>1B")


def _process(results: Results) -> Iterator[str]:
    yield " ".join(_sentences(results))
    yield to_markdown(_table(results))
    tool = f"{results.tool.name} {results.tool.version}"
    yield (
        f"The {LINK} shows the tables behind each figure, says what the figures bear and what not, and can "
        f"be recomputed from its counts. Made with {tool}."
    )


def _sentences(results: Results) -> Iterator[str]:
    yield f"Annotated under guidelines {results.guidelines}{_tool(results)}."
    match results.campaign.protocol.get("independent"):
        case True:
            yield "Annotators worked independently of each other."
        case False:
            yield "Annotators did not work independently of each other."
    for layers, group in alike(results):
        yield _safe(f"{layers}{labelled_alike(group)}.")
        if found := per_unit(group[0]):
            yield _safe(f"Annotations: {found}.")
    yield from (_safe(each) for each in machines(results))
    if method := of_method(results, results.primary):
        yield _safe(f"{method}.")
    if any(map(without_interval, leading(results))):
        yield "Categories with too few labels for an interval are never named as the weakest."


def _tool(results: Results) -> str:
    tool = results.campaign.protocol.get("tool")
    return _safe(f", in {plain(str(tool))}") if tool else ""


def _people(results: Results) -> Iterator[str]:
    """Yield what the campaign says of its annotators; what it does not say is not inferred."""
    people = counted(len(results.primary.annotators), "annotator", "annotators")
    yield f"{people} under guidelines {results.guidelines}."
    for key, name in (("recruitment", "Recruitment"), ("training", "Training"), ("pay", "Pay")):
        if value := results.campaign.protocol.get(key):
            yield _safe(f"{name}: {plain(str(value))}")


def _safe(text: str) -> str:
    return escape_markdown(text)


def _table(results: Results) -> ReportTable:
    layers = leading(results)
    several = has_layers(results)
    marks = any(of_spans(results, each.layer) for each in layers)
    columns = (
        *((TableColumn("layer", "Layer"),) if several else ()),
        TableColumn("unit_set", "Units"),
        TableColumn("units", "Number", "count"),
        TableColumn("coefficient", "Coefficient"),
        TableColumn("value", "Value [95% interval]", "estimate"),
        TableColumn("category", "Weakest category"),
        TableColumn("specific_agreement", "Specific agreement", "estimate"),
        *((TableColumn("f_measure", "F-measure of marks", "figure"),) if marks else ()),
    )
    rows = tuple(_row(results, each, several=several, marks=marks) for each in layers)
    return ReportTable("agreement", "Agreement", columns, rows)


def _row(
    results: Results, unit_set: UnitSet, *, several: bool, marks: bool
) -> tuple[str | int | float | None, ...]:
    name, found = coefficient(results, unit_set)
    least = weakest(unit_set)
    means = results.spans.mean_over_pairs.get(unit_set.layer) if results.spans and marks else None
    strict = means.overall.get("strict", {}).get("f_measure") if means else None
    return (
        *((unit_set.layer,) if several else ()),
        unit_set.id,
        unit_set.units,
        results.name_of(name),
        estimate(found),
        plain(least[0]) if least else "–",
        estimate(least[1] if least else None),
        *((strict.value if strict else None,) if marks else ()),
    )
