"""Results computed again from what is published with them: from counts, and from exports where these are."""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any, TypeVar

import tomli_w
from pydantic import ValidationError

from reportgen import campaign as asked
from reportgen.base.errors import BadInput, Problem, in_plain_words, refused
from reportgen.base.files import from_csv
from reportgen.base.site_folder import scratch_folder, write_below
from reportgen.campaign import Campaign
from reportgen.campaign.guidelines import settings
from reportgen.catalogue import definitions
from reportgen.counts import MOST_PAIRS
from reportgen.findings import find
from reportgen.measures import MOST_ANNOTATORS
from reportgen.measures.annotators.dawid_skene import SCALES
from reportgen.pipeline.reading import VersionExports, everybody_in, groups_told, read_version
from reportgen.pipeline.version_reports import Report, as_in_bundle, compute
from reportgen.publish import published_campaign
from reportgen.publish.bundle import WRITERS
from reportgen.publish.bundle_files import (
    AGGREGATED,
    CAMPAIGN,
    CHECKSUMS,
    DISTANCES,
    EXPORTS,
    GUIDELINES,
    LABEL_TABLE,
    REPORT,
    json_lines,
)
from reportgen.publish.label_table import COLUMNS, Rows, aggregated_of, from_csv_table, label_table
from reportgen.publish.verify import differences
from reportgen.publish.verify.differences import SHOWN, Check, Discrepancy, Outcomes, Unchecked, content
from reportgen.publish.verify.file_tree import Tree, languages_of
from reportgen.readers.counted import CODED_HEAD, DESCRIPTION, EVERYBODY, RATINGS, CountsDescribed
from reportgen.readers.untrusted import escapes
from reportgen.results import Finding, Results, from_json, is_retired
from reportgen.results.versions import VersionComparison
from reportgen.units import Pseudonyms, pseudonyms_csv, read_pseudonyms
from reportgen.units.unit_sets import ANNOTATOR

# How much there is to compute, before anything is: a small report may name what no machine can hold.
#
# Tables between categories grow with their square, and there is one for each two annotators, while naming
# them takes a few bytes each. So what there is to compute is compared with the size of what it is computed
# from: in a report that has such tables every category has figures of its own, of hundreds of bytes.

# So many cells are computed of anything, and so many more for each byte.
CELLS, CELLS_A_BYTE = 2_000_000, 4
# What a unit set and a table of two annotators take besides their cells, in cells.
A_SET, A_TABLE = 20_000, 1_000
WHAT, WHY = "figures, findings and pages", "there is too much to compute"
RESULTS, COUNTS = "results.json", "counts/"
# How many tables there are, and of how many categories.
Size = tuple[int, int]


def too_large(results: Results, here: Tree, folder: str) -> list[Discrepancy | Unchecked]:
    """Return what is said where a report names too much to compute, nothing where it does not.

    `here` are the files of its folder, which is at `folder`. That many people labelled the same units is no
    fault of a report, but may be too much too.
    """
    size = sum(len(here[name]) for name in here if name == RESULTS or name.startswith(COUNTS))
    named = {COUNTS + DESCRIPTION: _in_counts(here), RESULTS: _cells(_in_results(results))}
    wrong = [
        Discrepancy(folder + name, said, "figures")
        for name, cells in named.items()
        if (said := _too_many(cells, size))
    ]
    met = sum(_met(here.get(COUNTS + name, b"")) for name in (RATINGS, EVERYBODY))
    return [*wrong, Unchecked(WHAT, WHY)] if wrong or _too_many(met, size) else []


def refuse_too_large(campaign: Campaign, read: VersionExports, size: int) -> None:
    """Raise BadInput where exports of so many bytes name too much to compute."""
    cells = _cells(
        (_pairs(len(units.annotators)), len(units.categories))
        for study in read.studies
        for units in study.unit_sets
    )
    if said := _too_many(cells, size):
        raise refused(f"{campaign.name}/{CAMPAIGN}", message=said)


def _too_many(cells: int, size: int) -> str:
    if cells <= CELLS + CELLS_A_BYTE * size:
        return ""
    return f"names so much that its tables have {cells:,} cells, too many for a report of {size:,} bytes."


def _in_counts(here: Tree) -> int:
    try:
        described = from_json(CountsDescribed, here.get(COUNTS + DESCRIPTION, b""))
    except ValidationError:
        return 0  # its reader says what is wrong
    named = [
        (_pairs(len(units.annotators)), len(units.categories))
        for layer in described.layers
        for units in (*layer.unit_sets, *(crowd.units for crowd in layer.everybody))
    ]
    named += [
        (_pairs(len(layer.spans.people)), len(layer.spans.types)) for layer in described.layers if layer.spans
    ]
    return _cells(named)


def _met(ratings: bytes) -> int:
    """Return how often two annotators meet in the rows of a table of ratings, each row counted once.

    Pairs are not counted where one row alone has too many.
    """
    header, *rows = ratings.split(b"\n")
    if header == ",".join(CODED_HEAD).encode():
        others_in_row = (len(row.rpartition(b",")[0].rpartition(b",")[2]) - 1 for row in rows)
    else:
        others_in_row = (row.count(b"|") - row.count(b"\\|") for row in rows)
    met = (others * (others + 1) // 2 for others in others_in_row if others > 0)
    return sum(pairs for pairs in met if pairs <= MOST_PAIRS)


def _in_results(results: Results) -> Iterator[Size]:
    for units in results.unit_sets:
        yield max(1, len(units.pairs)), len(units.categories)
    if spans := results.spans:
        yield from ((max(1, len(spans.pairs)), len(layer.types)) for layer in spans.layers)


def _pairs(people: int) -> int:
    """Return how many tables are made of two annotators each: of a crowd none, but one of all together."""
    return people * (people - 1) // 2 if 1 < people <= MOST_ANNOTATORS else 1


def _cells(sizes: Iterable[Size]) -> int:
    return sum(A_SET + tables * (A_TABLE + categories**2) for tables, categories in sizes)


# Results computed again from what is published with them: from counts, and from exports where these are.

IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
# Where the exports of a bundle's campaign.toml are: what it computes from is in the bundle itself.
DECLARED = f"{REPORT}counts"
COUNTED_LABELS = f"{DECLARED}/annotators.csv"
OWN = published_campaign.OWN


# What was computed again, None where it could not be, and what is wrong with what it was computed from.
Recomputed = tuple[Report | None, list[Discrepancy | Unchecked]]
FORM = "form of campaign.toml and of what it names"


def from_counts(results: Results, files: Tree, *, in_bundle: bool = True) -> Recomputed:
    """Return what the counts of a bundle give, read by its own campaign.toml as anybody would read it.

    Where that is in no bundle, it was written to be read here, and not to be published.
    """
    named = (CAMPAIGN, REPORT + COUNTS, GUIDELINES, DISTANCES)
    needed = {name: files[name] for name in files if not name.startswith(EXPORTS) and name.startswith(named)}
    wrong: list[Discrepancy | Unchecked] = []

    def computed(campaign: Campaign) -> Report:
        version = campaign.version(results.guidelines)
        if in_bundle:
            wrong.extend(_of_form(results, _published_form(campaign, version.id, files)))
        _refuse_elsewhere(campaign)
        privacy = campaign.privacy.model_copy(update={"annotators": "names", "texts": "withhold"})
        # Names are those of the report already.
        shown = campaign.model_copy(update={"privacy": privacy})
        return compute(shown, read_version(campaign, version), Pseudonyms())

    return _tried(results, needed, computed, wrong, "figures")


def from_exports(results: Results, files: Tree) -> Recomputed:
    """Return what the exports of a bundle give, under the pseudonyms that it lists."""
    inside = files.below(EXPORTS)
    needed = {name: inside[name] for name in inside if name != OWN}
    wrong: list[Discrepancy | Unchecked] = []

    def computed(campaign: Campaign) -> Report:
        names = read_pseudonyms(inside[OWN].decode(), OWN) if OWN in inside else Pseudonyms()
        campaign = published_campaign.as_chosen(campaign, results)
        read = read_version(campaign, campaign.version(results.guidelines))
        read = replace(read, groups=groups_told(campaign, [read]))
        refuse_too_large(campaign, read, sum(map(len, needed.values())))
        shown = _as_recorded(campaign, read, names, results)
        report = compute(shown, read, names)
        wrong.extend(_of_form(results, _exported_form(campaign, read, names, inside)))
        if LABEL_TABLE in files:
            wrong.extend(_of_form(results, _label_tables(shown, read, names, files)))
        return report

    return _tried(results, needed, computed, wrong, "exports", EXPORTS)


# As what tables of labels are written.
LABEL_FORMS = (".csv", ".jsonl", ".parquet")


def _label_tables(
    campaign: Campaign, read: VersionExports, names: Pseudonyms, files: Tree
) -> Iterator[Discrepancy]:
    """Yield where the table of labels is not what the exports give."""
    table = label_table(read, names, campaign.privacy)
    due = table.labels.as_csv() if table else b""
    yield from differences.differing(LABEL_TABLE, files.get(LABEL_TABLE, b""), due, "exports")


def check_labels(results: Results, files: Tree) -> Iterator[Discrepancy | Unchecked]:
    """Compare the table of labels with the counts, and the other files of labels with that table.

    Counts say how often somebody gave a label in a document, not to which unit. Another version may have
    aggregated labels otherwise.
    """
    written = [name for name in COLUMNS if name in files]
    if not written:
        return
    table = from_csv_table(files.get(LABEL_TABLE, b""))
    if table is None:
        yield Discrepancy(LABEL_TABLE, "is not a table of labels as reportgen writes it.", "files")
        for name in written:
            if name != LABEL_TABLE:
                yield Discrepancy(name, f"can't be compared with {LABEL_TABLE}, which is damaged.", "files")
        return
    layers = {*table.columns["layer"]} & {*results.layers}
    most = aggregated_of(table, {layer for layer in layers if results.primary_of(layer).scale in SCALES})
    due = {
        AGGREGATED: most.as_csv(),
        json_lines(LABEL_TABLE): table.as_json_lines(),
        json_lines(AGGREGATED): most.as_json_lines(),
    }
    older = differences.another_program(results.tool)
    for name, expected in due.items():
        if older and files.get(name, b"") != expected:
            yield Unchecked(name, older)
        else:
            yield from differences.differing(name, files.get(name, b""), expected, "files")
    yield from _labels_as_counted(results, files, table)


def _labels_as_counted(results: Results, files: Tree, table: Rows) -> Iterator[Discrepancy]:
    """Yield where the table has other labels of annotators than the counts."""
    primary = {
        (layer, results.primary_of(layer).id) for layer in {*table.columns["layer"]} & {*results.layers}
    }
    names = ("layer", "document", "annotator", "label", "role", "pass", "n")
    head, *rows = from_csv(files.get(COUNTED_LABELS, b"").decode(errors="replace")) or [[]]
    counts = Counter[tuple[str, ...]]()
    for row in rows:
        cell = dict(zip(head, row, strict=False))
        if (cell.get("layer"), cell.get("unit_set")) in primary and cell.get("n", "").isdecimal():
            counts[tuple(cell.get(name, "") for name in names[:4])] += int(cell["n"])
    given = Counter[tuple[str, ...]]()
    for *who, role, turn, n in zip(*map(table.columns.__getitem__, names), strict=True):
        if role == ANNOTATOR and turn == 1:
            given[tuple(who)] += n
    wrong = sorted(key for key in counts.keys() | given.keys() if counts[key] != given[key])
    for key in wrong[:1]:
        place = ", ".join(part or "–" for part in key)
        more = f"; {len(wrong) - 1:,} more differ" if len(wrong) > 1 else ""
        what = f"{place[:SHOWN]}: {given[key]:,} units, and the counts have {counts[key]:,}{more}."
        yield Discrepancy(LABEL_TABLE, what, "figures")


def _as_recorded(campaign: Campaign, read: VersionExports, names: Pseudonyms, results: Results) -> Campaign:
    """Return the campaign with texts shown or withheld, as its bundle was asked for.

    Where there are no texts to show, the digest of the settings alone tells.
    """
    shown = as_in_bundle(campaign, texts=True)
    digest = settings(shown, read.version, names.annotators, everybody_in(read))
    return shown if digest == results.settings else as_in_bundle(campaign)


def _refuse_elsewhere(campaign: Campaign) -> None:
    """Raise BadInput where a bundle's campaign takes anything but the bundle's counts as its exports."""
    exports = [name for guidelines in campaign.guidelines for name in guidelines.exports]
    if exports != [DECLARED]:
        message = f'exports is {", ".join(exports)[:SHOWN]}; a bundle has "{DECLARED}" there.'
        raise refused(f"{campaign.name}/{CAMPAIGN}", message=message)


def _of_form(results: Results, faults: Iterator[Discrepancy]) -> Iterator[Discrepancy | Unchecked]:
    """Yield where files are in another form, or not ours; another version may write others."""
    older, found = differences.another_program(results.tool), list(faults)
    if older and found:
        yield Unchecked(FORM, older, len(found))
    else:
        yield from found


def _published_form(campaign: Campaign, version: str, files: Tree) -> Iterator[Discrepancy]:
    """Yield where campaign.toml is not as it is published, or not of these pages, and what no bundle has."""
    text = published_campaign.published(campaign, version, Pseudonyms())
    yield from differences.differing(CAMPAIGN, files[CAMPAIGN], text.encode(), "form")
    if tuple(campaign.language) != languages_of(files.below(REPORT)):
        yield Discrepancy(CAMPAIGN, "language: the pages are in other ones.", "form")
    tables = (str(PurePosixPath(file).with_suffix(end)) for file in COLUMNS for end in LABEL_FORMS)
    beside = published_campaign.published_files(campaign, version)
    names_of_files = {*WRITERS, CAMPAIGN, CHECKSUMS, *tables, *beside}
    for name in files:
        if name not in names_of_files and not name.startswith((REPORT, EXPORTS)):
            why = differences.OF_OLDER if is_retired(name) else "a bundle of this campaign has no such file"
            yield Discrepancy(name, f"was added: {why}.", "files")


def _exported_form(
    campaign: Campaign, read: VersionExports, names: Pseudonyms, inside: Tree
) -> Iterator[Discrepancy]:
    """Yield files among the exports that are not named there, and where those written beside them differ.

    They may be in another form, or name people who are not in the exports.
    """
    names_of_files = {CAMPAIGN, OWN, *published_campaign.named_files(campaign, read.version)}
    for name in inside:
        if name not in names_of_files:
            yield Discrepancy(EXPORTS + name, f"was added: {EXPORTS}{CAMPAIGN} does not name it.", "files")
    written = {
        CAMPAIGN: tomli_w.dumps(tomllib.loads(inside[CAMPAIGN].decode())),
        OWN: pseudonyms_csv(names),
    }
    for name in filter(inside.__contains__, written):
        yield from differences.differing(EXPORTS + name, inside[name], written[name].encode(), "form")
    for name in sorted({*names.annotators} - {*everybody_in(read)}):
        yield Discrepancy(EXPORTS + OWN, f"names {name[:SHOWN]!r}, who is not in the exports.", "exports")


def _tried(  # noqa: PLR0913, PLR0917 - what is computed from what, and where it is
    results: Results,
    files: Mapping[str, bytes],
    computed: Callable[[Campaign], Report],
    wrong: list[Discrepancy | Unchecked],
    check: Check,
    above: str = "",
) -> Recomputed:
    """Compute in a folder of the campaign's name, and add to what is `wrong` why that can't be done."""
    identity = results.campaign.id
    if not IDENTIFIER.fullmatch(identity):
        what = f'"{identity[:SHOWN]}" is not a campaign\'s id.'
        return None, [Discrepancy(CAMPAIGN, what, check)]
    try:
        with scratch_folder("reportgen-verify-") as top:
            folder = top / identity
            folder.mkdir()
            # What leads out of it the archive's own check tells.
            write_below(folder, {name: content for name, content in files.items() if not escapes(name)})
            return computed(asked.load(folder, identity)), wrong
    except BadInput as error:
        return None, [*wrong, *(_complaint(problem, identity, above, check) for problem in error.problems)]
    except Exception as error:  # noqa: BLE001 - numbers of a stranger, which may be made to fail anywhere
        what = f"can't be computed from: {in_plain_words(error)}."
        return None, [*wrong, Discrepancy(above + CAMPAIGN, what, check)]


def _complaint(problem: Problem, identity: str, above: str, check: Check) -> Discrepancy:
    """Return a problem of the campaign in a temporary folder as a difference of the bundle."""
    file = above + problem.file.removeprefix(f"{identity}/")
    said = [f"line {problem.line}" if problem.line else "", problem.key, problem.message]
    return Discrepancy(file, f"can't be computed from: {': '.join(filter(None, said))}", check)


# Is what results say of themselves right: findings, definitions, inputs, means over pairs?

CATALOGUE = "definitions of measures"
Judged = TypeVar("Judged", Results, VersionComparison)


def check_findings(results: Judged, file: str, rules: Callable[[Judged], Sequence[Finding]]) -> Outcomes:
    """Compare the findings with what the rules say of the recorded figures; another version has others."""
    older = differences.another_program(results.tool)
    try:
        findings = rules(results.model_copy(update={"findings": ()}))
    except Exception as error:  # noqa: BLE001 - results of a stranger, which may be made to fail anywhere
        what = f"findings can't be made from what it records: {in_plain_words(error)}."
        yield Unchecked("findings", older) if older else Discrepancy(file, what, "findings")
        return
    both = results, results.model_copy(update={"findings": findings})
    recorded, due = ({"findings": content(compared)["findings"]} for compared in both)
    if not older:
        yield from differences.compare(recorded, due, file, "findings", whole=True)
    elif recorded != due:
        yield Unchecked("findings", older, len(results.findings))


def check_inputs(results: Results, files: Tree) -> Iterator[Discrepancy]:
    """Compare what is attached to a bundle as it was read with the checksums of what was read."""
    sums = {source.sha256 for source in results.inputs}
    for name in files:
        if name.startswith((GUIDELINES, DISTANCES)) and files.digest(name) not in sums:
            yield Discrepancy(name, "is none of the inputs that results.json lists.", "files")


def check_results(results: Results, file: str) -> Outcomes:
    """Compare results with themselves: findings, definitions of measures, and primary coefficients."""
    yield from check_findings(results, file, find)
    older, catalogue = differences.another_program(results.tool), definitions()
    here = {name: content(catalogue[name]) for name in results.catalogue if name in catalogue}
    recorded = {name: content(definition) for name, definition in results.catalogue.items()}
    if not older:
        both = {"catalogue": recorded}, {"catalogue": here}
        yield from differences.compare(*both, file, "findings", whole=True)
    elif others := sum(recorded[name] != here.get(name) for name in recorded):
        yield Unchecked(CATALOGUE, older, others)
    yield from check_choice(results, file)


def check_choice(results: Results, file: str) -> Outcomes:
    """Compare what results say at several places of the primary coefficients."""
    recorded = content(results)
    first = next((results.choice[layer] for layer in results.layers if layer in results.choice), None)
    due: dict[str, Any] = {
        "coefficients": {name: choice.coefficient for name, choice in results.choice.items()}
    }
    due["coefficient_declared"] = first.declared if first else results.coefficient_declared
    recorded_choice = {key: recorded[key] for key in due}
    yield from differences.compare(recorded_choice, due, file, "findings", whole=True)
