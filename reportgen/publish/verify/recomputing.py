"""Results computed again from what is published with them: from counts, and from exports where these are."""

import re
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import tomli_w
from pydantic import ValidationError

from reportgen import campaign as asked
from reportgen.base.errors import BadInput, Problem, refused
from reportgen.campaign import Campaign
from reportgen.campaign.model import NOMINAL, Reason, by_design, settings
from reportgen.findings import find
from reportgen.measures import MOST_ANNOTATORS
from reportgen.measures.catalogue import definitions
from reportgen.pipeline.reading import Read, everybody_in, read_version
from reportgen.pipeline.version_reports import Report, as_in_bundle, compute
from reportgen.publish.bundle import WRITERS
from reportgen.publish.bundle_files import (
    CAMPAIGN,
    CHECKSUMS,
    DISTANCES,
    EXPORTS,
    GUIDELINES,
    PSEUDONYMS,
    REPORT,
)
from reportgen.publish.bundle_files import COUNTS as NAMES_COUNTS
from reportgen.publish.published_campaign import (
    OWN,
    as_chosen,
    named_files,
    pseudonyms_csv,
    published,
    published_files,
    read_pseudonyms,
)
from reportgen.publish.verify import differences
from reportgen.publish.verify.differences import (
    SHOWN,
    Check,
    CheckOutcome,
    Discrepancy,
    Unchecked,
    content,
    together,
)
from reportgen.publish.verify.file_tree import Tree, languages_of
from reportgen.readers.counted import DESCRIPTION, EVERYBODY, RATINGS, CountsDescribed, LayerDescribed
from reportgen.readers.untrusted import escapes
from reportgen.results import Finding, Results
from reportgen.results.comparison import VersionComparison
from reportgen.units import Pseudonyms

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


def too_large(results: Results, here: Tree, folder: str) -> CheckOutcome | None:
    """Return what is said where a report names too much to compute, None where it does not.

    `here` are the files of its folder, which is at `folder`.
    """
    size = sum(len(here[name]) for name in here if name == RESULTS or name.startswith(COUNTS))
    named = {COUNTS + DESCRIPTION: _in_counts(here), RESULTS: _cells(_in_results(results))}
    differences = [
        Discrepancy(folder + name, _too_many(cells, size), "figures")
        for name, cells in named.items()
        if cells > _most(size)
    ]
    return CheckOutcome(differences, [Unchecked(WHAT, WHY)]) if differences else None


def refuse_too_large(campaign: Campaign, read: Read, size: int) -> None:
    """Raise BadInput where exports of so many bytes name too much to compute."""
    cells = _cells(
        (_pairs(len(units.annotators)), len(units.categories))
        for study in read.studies
        for units in study.unit_sets
    )
    if cells > _most(size):
        raise refused(f"{campaign.name}/{CAMPAIGN}", message=_too_many(cells, size))


def _most(size: int) -> int:
    return CELLS + CELLS_A_BYTE * size


def _too_many(cells: int, size: int) -> str:
    return f"names so much that its tables have {cells:,} cells, too many for a report of {size:,} bytes."


def _in_counts(here: Tree) -> int:
    try:
        described = CountsDescribed.model_validate_json(here.get(COUNTS + DESCRIPTION, b""))
    except ValidationError:
        return 0  # its reader says what is wrong
    tables = sum(_cells(_of_layer(layer)) for layer in described.layers)
    return tables + sum(_met(here.get(COUNTS + name, b"")) for name in (RATINGS, EVERYBODY))


def _met(ratings: bytes) -> int:
    """Return how often two annotators meet in the rows of a table of ratings, each row counted once."""
    found = (row.count(b"|") - row.count(b"\\|") for row in ratings.split(b"\n"))
    return sum(others * (others + 1) // 2 for others in found if others > 0)


def _of_layer(layer: LayerDescribed) -> Iterator[Size]:
    for units in (*layer.unit_sets, *(each.units for each in layer.everybody)):
        yield _pairs(len(units.annotators)), len(units.categories)
    if layer.spans:
        yield _pairs(len(layer.spans.people)), len(layer.spans.types)


def _in_results(results: Results) -> Iterator[Size]:
    for units in results.unit_sets:
        yield max(1, len(units.pairs)), len(units.categories)
    for layer in results.spans.layers if results.spans else ():
        yield max(1, len(results.spans.pairs) if results.spans else 0), len(layer.types)


def _pairs(people: int) -> int:
    """Return how many tables are made of two annotators each: of a crowd none, but one of all together."""
    return people * (people - 1) // 2 if 1 < people <= MOST_ANNOTATORS else 1


def _cells(sizes: Iterable[Size]) -> int:
    return sum(A_SET + tables * (A_TABLE + categories**2) for tables, categories in sizes)


# Results computed again from what is published with them: from counts, and from exports where these are.

IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
# Where the exports of a bundle's campaign.toml are: what it computes from is in the bundle itself.
DECLARED = NAMES_COUNTS.rstrip("/")


@dataclass(frozen=True)
class Recomputed:
    """What was computed again, or why it could not be."""

    report: Report | None = None
    differences: tuple[Discrepancy, ...] = ()


def from_counts(results: Results, files: Tree, *, in_bundle: bool = True) -> Recomputed:
    """Return what the counts of a bundle give, read by its own campaign.toml as anybody would read it.

    Where that is in no bundle, it was written to be read here, and not to be published.
    """
    needed = {name: files[name] for name in files if not name.startswith(EXPORTS) and _is_needed(name)}

    wrong: list[Discrepancy] = []

    def computed(folder: Path) -> Recomputed:
        campaign = asked.load(folder, folder.name)
        version = campaign.version(results.guidelines)
        if in_bundle:
            wrong.extend(_published_form(campaign, version.id, files))
            wrong.extend(_added(campaign, version.id, files))
        _from_here(campaign)
        # Names are those of the report already.
        report = compute(_withheld(campaign), read_version(campaign, version), Pseudonyms())
        return Recomputed(report)

    found = _tried(results, needed, computed, "figures", "")
    return replace(found, differences=(*wrong, *found.differences))


def from_exports(results: Results, files: Tree) -> Recomputed:
    """Return what the exports of a bundle give, under the pseudonyms that it lists."""
    inside = files.below(EXPORTS)
    own = PSEUDONYMS.removeprefix(EXPORTS)
    needed = {name: inside[name] for name in inside if name != own}

    def computed(folder: Path) -> Recomputed:
        names = read_pseudonyms(inside[own].decode()) if own in inside else Pseudonyms()
        campaign = as_chosen(asked.load(folder, folder.name), results)
        read = read_version(campaign, campaign.version(results.guidelines))
        refuse_too_large(campaign, read, sum(map(len, needed.values())))
        report = compute(_as_recorded(campaign, read, names, results), read, names)
        return Recomputed(report, (*_beside(campaign, read, inside), *_exported_form(inside, names, read)))

    return _tried(results, needed, computed, "exports", EXPORTS)


def _as_recorded(campaign: Campaign, read: Read, names: Pseudonyms, results: Results) -> Campaign:
    """Return the campaign with texts shown or withheld, as its bundle was asked for.

    Where there are no texts to show, the digest of the settings alone tells.
    """
    shown = as_in_bundle(campaign, texts=True)
    found = settings(shown, read.version, names.annotators, everybody_in(read))
    return shown if found == results.settings else as_in_bundle(campaign)


def _is_needed(name: str) -> bool:
    """Tell whether a file of a bundle may be named in its campaign.toml."""
    return name == CAMPAIGN or name.startswith((NAMES_COUNTS, GUIDELINES, DISTANCES))


def _withheld(campaign: Campaign) -> Campaign:
    privacy = campaign.privacy.model_copy(update={"annotators": "names", "texts": "withhold"})
    return campaign.model_copy(update={"privacy": privacy})


def _from_here(campaign: Campaign) -> None:
    """Raise BadInput where a bundle's campaign takes anything but the bundle's counts as its exports."""
    exports = [name for each in campaign.guidelines for name in each.exports]
    if exports != [DECLARED]:
        message = f'exports is {", ".join(exports)[:SHOWN]}; a bundle has "{DECLARED}" there.'
        raise refused(f"{campaign.name}/{CAMPAIGN}", message=message)


def _published_form(campaign: Campaign, version: str, files: Tree) -> list[Discrepancy]:
    """Return where campaign.toml is not in the form in which it is published, or is not of these pages."""
    text = published(campaign, version, Pseudonyms())
    wrong = differences.differing(CAMPAIGN, files[CAMPAIGN], text.encode(), "form")
    if tuple(campaign.language) != languages_of(files.below(REPORT)):
        wrong.append(Discrepancy(CAMPAIGN, "language: the pages are in other ones.", "form"))
    return wrong


def _added(campaign: Campaign, version: str, files: Tree) -> Iterator[Discrepancy]:
    """Yield files that no bundle of this campaign has, whatever lists them."""
    known = {*WRITERS, CAMPAIGN, CHECKSUMS, *published_files(campaign, version)}
    for name in files:
        if name not in known and not name.startswith((REPORT, EXPORTS)):
            yield Discrepancy(name, "was added: a bundle of this campaign has no such file.", "files")


def _beside(campaign: Campaign, read: Read, inside: Tree) -> Iterator[Discrepancy]:
    """Yield files among the exports that campaign.toml there does not name."""
    known = {CAMPAIGN, OWN, *named_files(campaign, read.version)}
    for name in inside:
        if name not in known:
            yield Discrepancy(EXPORTS + name, f"was added: {EXPORTS}{CAMPAIGN} does not name it.", "files")


def _exported_form(inside: Tree, names: Pseudonyms, read: Read) -> Iterator[Discrepancy]:
    """Yield where what is written beside exports is in another form, or names people who are not there."""
    declared = tomli_w.dumps(tomllib.loads(inside[CAMPAIGN].decode()))
    yield from differences.differing(EXPORTS + CAMPAIGN, inside[CAMPAIGN], declared.encode(), "form")
    if OWN in inside:
        yield from differences.differing(PSEUDONYMS, inside[OWN], pseudonyms_csv(names).encode(), "form")
    for name in sorted({*names.annotators} - {*everybody_in(read)}):
        yield Discrepancy(PSEUDONYMS, f"names {name[:SHOWN]!r}, who is not in the exports.", "exports")


def _tried(
    results: Results,
    files: Mapping[str, bytes],
    computed: Callable[[Path], Recomputed],
    check: Check,
    above: str,
) -> Recomputed:
    """Compute in a folder of the campaign's name, and say what is wrong where that can't be done."""
    identity = results.campaign.id
    if not IDENTIFIER.fullmatch(identity):
        what = f'"{identity[:SHOWN]}" is no campaign\'s id.'
        return Recomputed(differences=(Discrepancy(CAMPAIGN, what, check),))
    try:
        with _folder(identity, files) as folder:
            return computed(folder)
    except BadInput as error:
        complaints = (_complaint(each, identity, above, check) for each in error.problems)
        return Recomputed(differences=tuple(complaints))
    except Exception as error:  # noqa: BLE001 - numbers of a stranger, which may be made to fail anywhere
        what = f"can't be computed from: {differences.in_words(error)}"
        return Recomputed(differences=(Discrepancy(above + CAMPAIGN, what, check),))


def _complaint(problem: Problem, identity: str, above: str, check: Check) -> Discrepancy:
    """Return a problem of the campaign in a temporary folder as a difference of the bundle."""
    file = above + problem.file.removeprefix(f"{identity}/")
    line = f"line {problem.line}: " if problem.line else ""
    key = f"{problem.key}: " if problem.key else ""
    return Discrepancy(file, f"can't be computed from: {line}{key}{problem.message}", check)


@contextmanager
def _folder(identity: str, files: Mapping[str, bytes]) -> Iterator[Path]:
    """Yield a temporary folder of a name that holds some files, each below it."""
    with tempfile.TemporaryDirectory(prefix="reportgen-verify-") as top:
        folder = Path(top) / identity
        folder.mkdir()
        for name, content in files.items():
            if escapes(name):
                continue  # which the archive's own check says
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        yield folder


# Does what results say of themselves hold: findings, definitions, inputs, means over pairs?

CATALOGUE = "definitions of measures"


Found = TypeVar("Found", Results, VersionComparison)


def check_findings(results: Found, file: str, rules: Callable[[Found], Sequence[Finding]]) -> CheckOutcome:
    """Compare the findings with what the rules say of the recorded figures."""
    if made_with := differences.another_program(results.tool):
        return CheckOutcome(unchecked=[Unchecked("findings", made_with, len(results.findings))])
    try:
        found = rules(results.model_copy(update={"findings": ()}))
    except Exception as error:  # noqa: BLE001 - results of a stranger, which may be made to fail anywhere
        what = f"findings can't be made from what it records: {differences.in_words(error)}"
        return CheckOutcome([Discrepancy(file, what, "findings")])
    both = results, results.model_copy(update={"findings": found})
    recorded, due = ({"findings": content(each)["findings"]} for each in both)
    return differences.compare(recorded, due, file, "findings", whole=True)


def check_definitions(results: Results, file: str) -> CheckOutcome:
    """Compare the definitions of measures with the catalogue of this version."""
    if made_with := differences.another_version(results.tool):
        return CheckOutcome(unchecked=[Unchecked(CATALOGUE, made_with, len(results.catalogue))])
    known = definitions()
    here = {name: content(known[name]) for name in results.catalogue if name in known}
    recorded = {name: content(each) for name, each in results.catalogue.items()}
    return differences.compare({"catalogue": recorded}, {"catalogue": here}, file, "findings", whole=True)


def check_inputs(results: Results, files: Tree) -> CheckOutcome:
    """Compare what is attached to a bundle as it was read with the checksums of what was read."""
    sums = {each.sha256 for each in results.inputs}
    attached = (name for name in files if name.startswith((GUIDELINES, DISTANCES)))
    what = "is none of the inputs that results.json lists."
    return CheckOutcome(
        [Discrepancy(name, what, "files") for name in attached if files.digest(name) not in sums]
    )


def check_choice(results: Results, file: str) -> CheckOutcome:
    """Compare what results say at several places of the primary coefficients."""
    recorded = content(results)
    first = next((results.choice[each] for each in results.layers if each in results.choice), None)
    due: dict[str, Any] = {"coefficients": {name: each.coefficient for name, each in results.choice.items()}}
    due["coefficient_declared"] = first.declared if first else results.coefficient_declared
    wrong = [Discrepancy(file, f"choice: {each}", "findings") for each in _wrong_choices(results)]
    compared = differences.compare({key: recorded[key] for key in due}, due, file, "findings", whole=True)
    return CheckOutcome([*compared.differences, *wrong])


def _wrong_choices(results: Results) -> Iterator[str]:
    """Yield which choice of a primary coefficient no rule makes."""
    scales = {each.layer: each.scale for each in results.unit_sets}
    for layer, chosen in results.choice.items():
        if chosen.reason not in set(Reason):
            yield f"no rule says: {chosen.reason[:SHOWN]}"
            continue
        reason = Reason(chosen.reason)
        if chosen.declared != reason.declared:
            yield f'{layer}: declared is {chosen.declared}, and the reason is "{chosen.reason[:SHOWN]}"'
        by_scale = by_design([scales[layer]]) if layer in scales else chosen
        known = {by_scale.reason: by_scale.coefficient, Reason.SCALES: NOMINAL}
        if not reason.declared and known.get(reason) != chosen.coefficient:
            yield f'{layer}: no rule chooses {chosen.coefficient[:SHOWN]} because "{chosen.reason[:SHOWN]}"'


def check_results(results: Results, file: str) -> CheckOutcome:
    """Compare results with themselves."""
    findings = check_findings(results, file, find)
    return together((findings, check_definitions(results, file), check_choice(results, file)))
