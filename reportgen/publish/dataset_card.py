"""dataset-card.md: what a dataset card of Hugging Face says of the annotation, in blocks between markers.

Its sections are those of Hugging Face's own template. The markers say where the blocks begin and end in a
publisher's card.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from reportgen.publish import sentences
from reportgen.publish.bundle_files import (
    AGGREGATED,
    LABEL_TABLE,
    REPORT,
    Released,
    json_lines,
)
from reportgen.publish.bundle_files import block as yaml_lines
from reportgen.publish.sentences import in_english, leading, plain
from reportgen.report import material
from reportgen.report.checklists import groups_in_words
from reportgen.report.escaping import escape_markdown
from reportgen.report.tables import ReportTable, TableColumn, to_markdown
from reportgen.results import Results, UnitSet
from reportgen.words.numbers import estimate

PROCESS, PEOPLE = "iaa", "iaa-annotators"
# What the campaign says of its annotators.
OF_PEOPLE = tuple(
    f"protocol.{key}"
    for key in (
        *("recruitment", "training", "pay", "pay_amount", "pay_minimum", "demographics"),
        *("language_proficiency", "expertise", "consent", "ethics"),
    )
)
# Where each block belongs, below "Annotations" in "Dataset Creation".
SECTIONS = {PROCESS: "Annotation process", PEOPLE: "Who are the annotators?"}
# How much there is, in Hugging Face's words: "n<1K", "1K<n<10K" and so on to "n>1B".
POWERS = ("1K", "10K", "100K", "1M", "10M", "100M", "1B")
SIZES = ("n<1K", *(f"{low}<n<{high}" for low, high in pairwise(POWERS)), "n>1B")
LINK = f"[agreement report]({REPORT}index.html)"
CREATORS = "# annotations_creators: expert-generated, crowdsourced or machine-generated; only you know."


@in_english
def write(released: Released) -> str:
    """Return the card: suggestions for its head, and the blocks under their sections."""
    documents = released.results.campaign.corpus.get("documents")
    about: dict[str, Any] = {
        "tags": [keyword.replace(" ", "-") for keyword in sentences.keywords(released.results)]
    }
    if isinstance(documents, int):
        about["size_categories"] = [SIZES[min(max(0, len(str(documents)) - 3), len(SIZES) - 1)]]
    if configs := [*_configs(released)]:
        about["configs"] = configs
    head = ["---", "# Suggestions for the head of your own card.", CREATORS, *yaml_lines(about), "---"]
    body = ["## Dataset Creation", "### Annotations"]
    for name, text in blocks(released.results).items():
        body += [f"#### {SECTIONS[name]}", f"<!-- {name}:begin -->\n{text}\n<!-- {name}:end -->"]
    return "\n\n".join(["\n".join(head), *body]) + "\n"


def _configs(released: Released) -> Iterator[dict[str, Any]]:
    """Yield how `datasets` loads the tables of labels: from JSON lines, where a label "None" stays one."""
    for name, file in (("labels", LABEL_TABLE), ("aggregated", AGGREGATED)):
        if json_lines(file) in released.files:
            yield {"config_name": name, "data_files": json_lines(file)}


def blocks(results: Results) -> dict[str, str]:
    """Return the text of each block, without its markers; the first line says whose report it comes from."""
    whose = f"<!-- agreement report {results.campaign.id} {results.guidelines} -->"
    paragraphs = {PROCESS: [*_process(results)], PEOPLE: [*_people(results)]}
    return {name: "\n\n".join([whose, *statements]) for name, statements in paragraphs.items()}


def _process(results: Results) -> Iterator[str]:
    yield " ".join(_sentences(results))
    yield to_markdown(_table(results))
    tool = f"{results.tool.name} {results.tool.version}"
    yield (
        f"The {LINK} shows the tables behind each figure, says what the figures bear and what not, and can "
        f"be recomputed from its counts. Made with {tool}."
    )


def _sentences(results: Results) -> Iterator[str]:
    tool = results.campaign.protocol.get("tool")
    within = escape_markdown(f", in {plain(str(tool))}") if tool else ""
    yield f"Annotated under guidelines {results.guidelines}{within}."
    yield from sentences.independence(results)
    for layers, group in sentences.alike(results):
        yield escape_markdown(f"{layers}{sentences.labelled_alike(results, group)}.")
        if number := sentences.per_unit(results, group[0]):
            yield escape_markdown(f"Annotations: {number}.")
    yield from (escape_markdown(machine) for machine in sentences.machines(results))
    if method := sentences.of_method(results, results.primary):
        yield escape_markdown(f"{method}.")
    if any(map(sentences.without_interval, leading(results))):
        yield "Categories with too few labels for an interval are never named as the weakest."


def _people(results: Results) -> Iterator[str]:
    """Yield what the campaign says of its annotators; what it does not say is not inferred."""
    people = sentences.people(results, results.primary)
    yield f"{escape_markdown(people)} under guidelines {results.guidelines}."
    if groups := groups_in_words(results):
        yield escape_markdown(plain(groups))
    for key in OF_PEOPLE:
        if said := material.value(results, key):
            yield escape_markdown(f"{material.TITLES[key]}: {plain(said)}")


SPECIFIC = "specific_agreement"
F = "f_measure"


def _table(results: Results) -> ReportTable:
    rows = [_row(results, unit_set) for unit_set in leading(results)]
    columns = [
        TableColumn("layer", "Layer"),
        TableColumn("unit_set", "Units"),
        TableColumn("units", "Number compared", "count"),
        TableColumn("coefficient", "Coefficient"),
        TableColumn("value", "Value [95% interval]", "estimate"),
        TableColumn("category", "Weakest category"),
        TableColumn(SPECIFIC, "Specific agreement", "estimate"),
        TableColumn(F, "F-measure of marks", "figure"),
    ]
    marks = any(row[F] is not None for row in rows)
    absent = {name for name, there in (("layer", len(rows) > 1), (F, marks)) if not there}
    shown = tuple(column for column in columns if column.key not in absent)
    cells = tuple(tuple(row[column.key] for column in shown) for row in rows)
    return ReportTable("agreement", "Agreement", shown, cells)


def _row(results: Results, unit_set: UnitSet) -> dict[str, str | int | float | None]:
    answer, figure = results.answer_of(unit_set.layer), sentences.coefficient(results, unit_set)[1]
    category, agreement = sentences.weakest(unit_set) or ("–", None)
    if results.subject_of(unit_set.layer) == "recordings":
        category, agreement = "–", None
    compared = unit_set.units_compared if figure is None or figure.units is None else figure.units
    strict = sentences.strict(results, unit_set.layer)
    return {
        "layer": unit_set.layer,
        "unit_set": unit_set.id,
        "units": answer.units if answer else compared,
        "coefficient": plain(sentences.named(results, unit_set.layer)),
        "value": estimate(answer.value if answer else figure),
        "category": plain(category),
        SPECIFIC: estimate(agreement),
        F: strict.value if strict else None,
    }
