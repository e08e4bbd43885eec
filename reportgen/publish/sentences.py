"""What a release says of its agreement, and ten lines of Python that compute a main figure again."""

import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence

from reportgen.base.dataclass import dataclass
from reportgen.base.files import from_csv
from reportgen.publish.bundle_files import CHECKSUMS, COUNTS, CRATE, RESULTS, Released
from reportgen.report import markdown_blocks
from reportgen.report.blocks import Section
from reportgen.report.material import ratings, taking_part
from reportgen.report.page import markdown
from reportgen.report.sections.method import methods_file
from reportgen.report.view import ReportView
from reportgen.results import Figure, Finding, Mean, Results, SubjectFigure, SubjectId, UnitSet
from reportgen.words import headline
from reportgen.words.headline import answer_name
from reportgen.words.language import Edition, writing
from reportgen.words.language import date as day
from reportgen.words.names import figure_name
from reportgen.words.numbers import count, counted, estimate, figure, message, percent

# Python, with its standard library alone.
ALPHA = """\
import csv, json, re

def distance(a, b):
$distance

layer, unit_set = $layer, $unit_set
report = json.load(open("report/results.json", encoding="utf-8"))
own = next(s for s in report["unit_sets"] if (s["layer"], s["id"]) == (layer, unit_set))
units, totals = [], {}
for row in csv.DictReader(open("report/counts/profiles.csv", encoding="utf-8", newline="")):
    found = re.findall(r"((?:[^\\\\|:]|\\\\.)*):(\\d+)", row["profile"])
    labels = {re.sub(r"\\\\(.)", r"\\1", label): int(times) for label, times in found}
    if (row["layer"], row["unit_set"]) == (layer, unit_set) and sum(labels.values()) > 1:
        units.append((int(row["n"]), labels))
        for label, times in labels.items():
            totals[label] = totals.get(label, 0) + int(row["n"]) * times

def apart(labels):
    return sum(n * m * distance(a, b) for a, n in labels.items() for b, m in labels.items())

observed = sum(n * apart(labels) / (sum(labels.values()) - 1) for n, labels in units)
expected = apart(totals) / (sum(totals.values()) - 1)
print(1 - observed / expected)
"""
DISTANCES: Mapping[str, str] = {
    "": "    return a != b",
    "interval": "    return (float(a) - float(b)) ** 2",
    "ordinal": (
        '    low, high = sorted(map(own["categories"].index, (a, b)))\n'
        '    between = sum(totals.get(label, 0) for label in own["categories"][low:high + 1])\n'
        "    return (between - (totals[a] + totals[b]) / 2) ** 2 if a != b else 0"
    ),
    "jaccard": (
        '    first, second = (set(own["sets"]["members"][label]) for label in (a, b))\n'
        "    return 1 - len(first & second) / len(first | second) if first | second else 0"
    ),
    "masi": (
        '    first, second = (set(own["sets"]["members"][label]) for label in (a, b))\n'
        "    alike = len(first & second) / len(first | second) if first | second else 1\n"
        "    part = 1 if first == second else 2 / 3 if first <= second or second <= first else 1 / 3\n"
        "    return 1 - alike * (part if first & second or first == second else 0)"
    ),
}
KAPPA = """\
import csv

rows = [
    row for row in csv.DictReader(open("report/counts/$file", encoding="utf-8", newline=""))
    if (row["layer"], row["unit_set"]$keys) == ($layer, $unit_set$names)
]
units = sum(int(row["n"]) for row in rows)
alike = sum(int(row["n"]) for row in rows if row["first_label"] == row["second_label"])
first, second = {}, {}
for row in rows:
    first[row["first_label"]] = first.get(row["first_label"], 0) + int(row["n"])
    second[row["second_label"]] = second.get(row["second_label"], 0) + int(row["n"])
chance = sum(first[label] * second.get(label, 0) for label in first)
print((alike / units - chance / units**2) / (1 - chance / units**2))
"""
F_OF_MARKS = """\
import csv

times = {}
for row in csv.DictReader(open("report/counts/spans.csv", encoding="utf-8", newline="")):
    if (row["layer"], row["first"], row["second"]) == ($layer, $first, $second):
        times[row["outcome"]] = times.get(row["outcome"], 0) + int(row["n"])
match, key, other = times.get("match", 0), times.get("only_first", 0), times.get("only_second", 0)
print(2 * match / (2 * match + 2 * times.get("overlap", 0) + key + other))
"""
ALPHA_ID = "krippendorff_alpha"
KAPPA_ID = "cohen_kappa"


@dataclass(frozen=True)
class CountsRecipe:
    """Code that prints a figure: its id and value, and the code."""

    figure: str
    value: float
    python: str


def counts_recipe(results: Results) -> CountsRecipe | None:
    """Return how the first layer's main figure follows from the counts; None where ten lines can't say it.

    That is the figure which the verdict is about, of a crowd what one label is worth.
    """
    unit_set = results.primary
    answer = results.answer_of(unit_set.layer)
    subject = results.subject_of(unit_set.layer)
    if answer and subject in {"systems", "judge"}:
        return _answer_recipe(results, unit_set, answer)
    if answer and subject != "crowd":
        return None
    figure = results.coefficients[unit_set.layer]
    known = unit_set.measures.get(figure)
    if known is None or known.value is None:
        return None
    name, _bracket, within = figure.rstrip("]").partition("[")
    places = {"layer": _quoted(unit_set.layer), "unit_set": _quoted(unit_set.id)}
    if name == ALPHA_ID and within in DISTANCES and unit_set.pair_groups is None:
        return CountsRecipe(figure, known.value, _filled(ALPHA, places | {"distance": DISTANCES[within]}))
    if figure == KAPPA_ID and unit_set.only_pair:
        more = {"file": "pairs.csv", "keys": "", "names": ""}
        return CountsRecipe(figure, known.value, _filled(KAPPA, places | more))
    return None


def _answer_recipe(results: Results, unit_set: UnitSet, answer: SubjectFigure) -> CountsRecipe | None:
    """Return how a system's F, or a model's kappa, follows from the counts."""
    figure, value, who = answer.figure, answer.value.value, answer.who
    pairs = results.comparisons.pairs if results.comparisons else ()
    names = {pair.shown_name: pair for pair in pairs}
    pair = names.get(who or "") or next((pair for pair in pairs if pair.other == who), None)
    if value is None or pair is None:
        return None
    first, second = _quoted(pair.key), _quoted(pair.other)
    places = {"layer": _quoted(unit_set.layer), "unit_set": _quoted(unit_set.id)}
    if pair.unit_set is None:
        places |= {"first": first, "second": second}
        return CountsRecipe(figure, value, _filled(F_OF_MARKS, places))
    if figure != KAPPA_ID:
        return None
    places |= {
        "file": "comparisons.csv",
        "keys": ', row["first"], row["second"]',
        "names": f", {first}, {second}",
    }
    return CountsRecipe(figure, value, _filled(KAPPA, places))


def _filled(code: str, places: Mapping[str, str]) -> str:
    return string.Template(code).substitute(places)


def _quoted(name: str) -> str:
    """Return a name as a string of Python, in ASCII: no text of a campaign ends the code."""
    letters = (
        letter
        if " " <= letter <= "~" and letter not in '"\\`'
        else f"\\u{ord(letter):04x}"
        if ord(letter) < 1 << 16
        else f"\\U{ord(letter):08x}"
        for letter in name
    )
    return f'"{"".join(letters)}"'


# More names, or longer ones, say little in a sentence.
MOST_CATEGORIES, MOST_NAMES = 8, 200
MORE = "…"
# How the results say that an interval is Student's, and how a sentence does.
BY_T, WITH_T = re.compile(r", t\b"), ", with Student's t"
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


# Has a file written in English, whatever language is being written around it.
in_english = writing(Edition())


def plain(text: str) -> str:
    """Return a text of a campaign on one line, without signs that steer anything."""
    return " ".join(CONTROL.sub(" ", text).split())


def shortened(text: str, most: int) -> str:
    """Return a text on one line, cut between words where it is too long; empty where one word is."""
    one_line = plain(text)
    if len(one_line) <= most:
        return one_line
    shortened_line = one_line[: most - 1].rpartition(" ")[0].rstrip(" ,;:.")
    return f"{shortened_line}{MORE}" if shortened_line else ""


def entitled(results: Results) -> str:
    """Return what the report is called where it is cited."""
    version = "" if results.is_unnamed else f", guidelines {results.guidelines}"
    return f"{plain(results.campaign.title)}: agreement report{version}"


def leading(results: Results) -> list[UnitSet]:
    """Return the primary unit set of each layer, the first layer first."""
    first = results.primary.layer
    return sorted(map(results.primary_of, results.layers), key=lambda unit_set: unit_set.layer != first)


def has_layers(results: Results) -> bool:
    """Tell whether several things were labelled."""
    return len(leading(results)) > 1


def coefficient(results: Results, unit_set: UnitSet) -> tuple[str, Figure | None]:
    """Return the primary coefficient of a unit set's layer: its id, and what it is there."""
    name = results.coefficients.get(unit_set.layer, results.coefficient)
    return name, unit_set.measures.get(name)


def leading_figures(results: Results) -> list[tuple[UnitSet, str, Figure | None]]:
    """Return the primary unit set of each layer with the figure that its verdict is about."""
    return [(unit_set, *answered(results, unit_set)) for unit_set in leading(results)]


def answered(results: Results, unit_set: UnitSet) -> tuple[str, Figure | None]:
    """Return the figure that the verdict on a unit set's layer is about: its id, and what it is."""
    answer = results.answer_of(unit_set.layer)
    return (answer.figure, answer.value) if answer else coefficient(results, unit_set)


# Subjects whose labels are those of systems and models beside a reference or a person.
OF_MACHINES = frozenset(("systems", "judge"))
# What a report on each is called where it is cited, and its keyword; of several subjects by layer all are.
TOPICS: Mapping[SubjectId, tuple[str, str]] = {
    "annotators": ("Inter-annotator agreement", "inter-annotator agreement"),
    "crowd": ("Reliability of a crowd's labels", "inter-annotator agreement"),
    "systems": ("Systems against a reference", "evaluation against a reference"),
    "judge": ("A model's labels against a human's", "evaluation of model labels"),
    "recordings": ("Inter-annotator agreement on recordings", "inter-annotator agreement"),
    "stability": ("Intra-annotator agreement", "intra-annotator agreement"),
}


def subjects(results: Results) -> list[SubjectId]:
    """Return what the layers of a report are about, each subject once, that of the first layer first."""
    return list(dict.fromkeys(results.subject_of(unit_set.layer) for unit_set in leading(results)))


def topic(results: Results) -> str:
    """Return what a report is about where it is cited."""
    first, *others = (TOPICS[subject][0] for subject in subjects(results))
    return "; ".join((first, *(f"{other[0].lower()}{other[1:]}" for other in others)))


def keywords(results: Results) -> list[str]:
    """Return the keywords of what a report is about."""
    return list(dict.fromkeys(TOPICS[subject][1] for subject in subjects(results)))


def people(results: Results, unit_set: UnitSet) -> str:
    """Return who gave labels: annotators, and where the report is about others these too."""
    if results.subject_of(unit_set.layer) not in OF_MACHINES:
        return counted(len(unit_set.annotators), "annotator", "annotators")
    return plain(taking_part(results, unit_set))


def labelled(results: Results, unit_set: UnitSet) -> str:
    """Return who labelled how much with what."""
    return f"{material(results, unit_set)} with {categories(results, unit_set)}"


def material(results: Results, unit_set: UnitSet) -> str:
    """Return who labelled how much."""
    who = people(results, unit_set)
    units = counted(unit_set.units, "unit", "units")
    within = f" in {counted(unit_set.documents, 'document', 'documents')}" if unit_set.documents else ""
    number = ratings(unit_set)
    per_unit_number = f", {count(number)} of them each unit" if number is not None else ""
    again = twice(results, unit_set) if results.subject_of(unit_set.layer) == "stability" else 0
    of_these = f", {count(again)} of them twice," if again else ""
    return f"{who} labelled {units} ({unit_set.id}){within}{per_unit_number}{of_these}"


def twice(results: Results, unit_set: UnitSet) -> int:
    """Return how many units somebody labelled a second time."""
    own = (quality for quality in results.quality or () if quality.layer == unit_set.layer)
    return sum(person.units for quality in own for person in quality.intra_annotator)


def alike(results: Results) -> Iterator[tuple[str, list[UnitSet]]]:
    """Yield primary unit sets behind "Layer …: ", those together of which the same is to be said."""
    if not has_layers(results):
        yield "", leading(results)
        return
    groups: dict[tuple[str, str], list[UnitSet]] = {}
    for unit_set in leading(results):
        groups.setdefault((material(results, unit_set), per_unit(results, unit_set)), []).append(unit_set)
    for group in groups.values():
        *others, last = [unit_set.layer for unit_set in group]
        yield (f"Layers {', '.join(others)} and {last}: " if others else f"Layer {last}: "), group


def labelled_alike(results: Results, group: Sequence[UnitSet]) -> str:
    """Return who labelled how much with what, in layers of which all but the categories is the same."""
    if len(group) == 1:
        return labelled(results, group[0])
    # Each layer is one type of marks, which are there or not.
    if all({*unit_set.categories} == {unit_set.layer, group[0].non_annotated} for unit_set in group):
        own = f"the layer's own, {plain(str(group[0].non_annotated))}"
        return f"{material(results, group[0])} with 2 categories each ({own})"
    by_layer = "; ".join(f"{categories(results, unit_set)} in {unit_set.layer}" for unit_set in group)
    return f"{material(results, group[0])} with {by_layer}"


def categories(results: Results, unit_set: UnitSet) -> str:
    """Return how many categories there are, of sets how many labels, and which where they are few."""
    judged: Sequence[str] = unit_set.judged
    if results.comparisons and results.subject_of(unit_set.layer) in OF_MACHINES:
        # Annotators alone may have given none.
        judged = results.comparisons.categories(unit_set.layer, unit_set.id) or judged
    number = counted(len(judged), "category", "categories")
    if unit_set.sets:
        number = f"sets of {counted(len(judged), 'label', 'labels')}"
    if not 0 < len(judged) <= MOST_CATEGORIES:
        return number
    names = [plain(name) for name in judged]
    between = "; " if any("," in name for name in names) else ", "
    shown = between.join(names)
    return f"{number} ({shown})" if len(shown) <= MOST_NAMES else number


def of_coefficient(results: Results, unit_set: UnitSet) -> str:
    """Return what the primary coefficient of a unit set's layer is, with its interval."""
    if answer := results.answer_of(unit_set.layer):
        # What the figure is that the verdict is about, and beside a crowd's what one label is worth.
        shown = named(results, unit_set.layer)
        if answer.value.value is None:
            reason = message(answer.value.undefined or "no reason is known", {}).rstrip(".")
            return plain(f"{shown} is undefined: {reason}")
        units = answer.units if answer.units != unit_set.units else None
        on = "" if units is None else f" on {counted(units, 'unit', 'units')}"
        single = coefficient(results, unit_set)[1]
        alone = ""
        if results.subject_of(unit_set.layer) == "crowd" and single and single.value is not None:
            alone = f"; of single labels it is {figure(single.value)}{interval(single)}"
        return plain(f"{shown} is {figure(answer.value.value)}{on}{interval(answer.value)}{alone}")
    name, estimated = coefficient(results, unit_set)
    shown = results.name_of(name)
    if estimated is None:
        return f"{shown} was not computed"
    if estimated.value is None:
        return f"{shown} is undefined: {message(estimated.undefined or 'no reason is known', {}).rstrip('.')}"
    return f"{shown} is {figure(estimated.value)}{rests_on(unit_set, estimated)}{interval(estimated)}"


def named(results: Results, layer: str) -> str:
    """Return the name of the figure that the verdict on a layer is about: its coefficient, or another."""
    answer = results.answer_of(layer)
    if answer is None:
        return results.name_of(results.coefficients.get(layer, results.coefficient))
    name = answer_name(results.subject_of(layer), answer)
    return f"{name[:1].upper()}{name[1:]}"


def rests_on(unit_set: UnitSet, estimated: Figure) -> str:
    """Return on how many units a figure rests, and in how many documents; empty where on all."""
    if estimated.units is None or estimated.units == unit_set.units:
        return ""
    documents = unit_set.documents if unit_set.document_groups else unit_set.documents_compared
    within = f" in {counted(documents, 'document', 'documents')}" if documents < unit_set.documents else ""
    return f" on {counted(estimated.units, 'unit', 'units')}{within}"


def interval(shown_figure: Figure) -> str:
    """Return the interval of a figure as a sentence has it, behind a comma; empty where there is none."""
    ends = shown_figure.interval
    if ends is None or ends.low is None or ends.high is None:
        return ""
    level = f"{100 * (ends.level or 0.95):.0f}%"
    return f", {level} interval {figure(ends.low)} to {figure(ends.high)}"


def of_method(results: Results, unit_set: UnitSet) -> str:
    """Return how the interval of the primary coefficient was made; empty where it has none."""
    estimated = answered(results, unit_set)[1]
    ends = estimated.interval if estimated else None
    if not ends or not ends.method:
        return ""
    return f"Intervals come from {BY_T.sub(WITH_T, ends.method)}"


def weakest(unit_set: UnitSet) -> tuple[str, Figure] | None:
    """Return the category on which annotators agree least, beside the non-annotated one.

    Of a category with so few labels that its agreement has no interval nothing is known; such a one is named
    only where there are no others.
    """
    candidates = _known(unit_set)
    sure = [candidate for candidate in candidates if is_sure(candidate[1])]
    return min(sure or candidates, key=lambda candidate: (candidate[1].value, candidate[0]), default=None)


def _known(unit_set: UnitSet) -> list[tuple[str, Figure]]:
    """Return the categories whose agreement has a value, beside the non-annotated one."""
    every = unit_set.specific_agreement.items()
    return [
        (name, agreement)
        for name, agreement in every
        if agreement.value is not None and name != unit_set.non_annotated
    ]


def is_sure(shown_figure: Figure) -> bool:
    """Tell whether a figure has an interval."""
    return shown_figure.interval is not None and shown_figure.interval.low is not None


def without_interval(unit_set: UnitSet) -> bool:
    """Tell whether categories are passed over when the weakest is named, having too few labels."""
    certainties = {is_sure(agreement) for _name, agreement in _known(unit_set)}
    return len(certainties) > 1


def of_weakest(results: Results, unit_set: UnitSet) -> str:
    """Return the category on which annotators agree least, and how much; empty where none is known."""
    if results.subject_of(unit_set.layer) == "recordings":
        return ""
    least = weakest(unit_set)
    if least is None:
        return ""
    name, agreement = least
    number = unit_set.uses(name)
    labels = f"{count(number)} label{'' if number == 1 else 's'}"
    value = f"{figure(agreement.value)}{interval(agreement)}"
    if sum(is_sure(candidate) == is_sure(agreement) for _name, candidate in _known(unit_set)) == 1:
        return f"Specific agreement on {plain(name)} ({labels}) is {value}"
    among = "Among categories with an interval, specific" if without_interval(unit_set) else "Specific"
    return f"{among} agreement is lowest for {plain(name)} ({labels}): {value}"


def strict(results: Results, layer: str) -> Mean | None:
    """Return the F-measure of marks, same stretch and same type; None where they were not compared.

    Nobody cuts a recording at the same millisecond as another.
    """
    if results.subject_of(layer) == "recordings":
        return None
    means = results.spans.mean_over_pairs.get(layer) if results.spans else None
    return means.overall.get("strict", {}).get("f_measure") if means else None


def of_boundaries(results: Results, layer: str) -> str:
    """Return how near boundaries in recordings are; empty where no report is about them."""
    if results.subject_of(layer) != "recordings" or results.spans is None:
        return ""
    own = next((near for near in results.spans.boundaries or () if near.layer == layer), None)
    if own is None or own.boundaries.value is None:
        return ""
    within = f"within {count(own.tolerance)} ms"
    labels = (
        ""
        if own.labels.value is None
        else f", of whole stretches with their label {figure(own.labels.value)}"
    )
    return f"F of boundaries {within}: {figure(own.boundaries.value)}{labels}"


def of_spans(results: Results, layer: str) -> str:
    """Return the F-measure of marks in texts; empty where they were not compared."""
    mean = strict(results, layer)
    if mean is None:
        return ""
    over = f", mean over {count(mean.pairs)} pairs of annotators" if mean.pairs > 1 else ""
    return f"F-measure of marks, same stretch and same type: {figure(mean.value)}{over}"


def per_unit(results: Results, unit_set: UnitSet) -> str:
    """Return how many annotations of people a unit has; empty where that is not known."""
    subject = results.subject_of(unit_set.layer)
    units = {int(number): many for number, many in unit_set.units_by_annotators.items() if many}
    if subject in OF_MACHINES:
        return _per_unit_of_machines(results, unit_set)
    if subject == "stability" and (again := twice(results, unit_set)):
        return f"2 by the same person on {count(again)} of {counted(unit_set.units, 'unit', 'units')}"
    total = sum(units.values())
    if not total:
        return ""
    low, high = min(units), max(units)
    if low == high:
        return f"{count(low)} on each of {counted(total, 'unit', 'units')} ({unit_set.id})"
    mean = sum(number * many for number, many in units.items()) / total
    single = f"; {percent(units.get(1, 0) / total)} of units have a single annotation" if 1 in units else ""
    return f"{count(low)} to {count(high)}, mean {mean:.2f} over {count(total)} units ({unit_set.id}){single}"


def _per_unit_of_machines(results: Results, unit_set: UnitSet) -> str:
    """Return who labelled units besides people, and how many of them people labelled."""
    by_people = sum(many for number, many in unit_set.units_by_annotators.items() if int(number))
    beside = {
        role: len(names) for role, names in _roles(results, unit_set.layer).items() if role != "annotator"
    }
    others = [counted(many, role, f"{role}s") for role, many in beside.items()]
    total = f"{counted(unit_set.units, 'unit', 'units')} ({unit_set.id})"
    if not others:
        return ""
    if by_people:
        return f"by people on {count(by_people)} of {total}, beside those of {' and '.join(others)}"
    return f"of {' and '.join(others)}, on {total}"


def _roles(results: Results, layer: str) -> Mapping[str, tuple[str, ...]]:
    """Return who is compared in a layer, by role."""
    return results.comparisons.people(layer) if results.comparisons else {}


def machines(results: Results) -> Iterator[str]:
    """Yield what machines had to do with the annotation: what marked texts first, then systems and models."""
    if by := results.campaign.protocol.get("pre_annotated_by"):
        yield f"Texts were annotated beforehand by {plain(str(by))}."
    about = set(subjects(results)) & OF_MACHINES
    roles: dict[str, str] = {}
    called: dict[str, str] = {}
    keys: dict[str, str] = {}
    for pair in results.comparisons.pairs if results.comparisons else ():
        roles[pair.other] = pair.role
        keys.setdefault(pair.other, pair.key)
        if pair.system:
            called[pair.other] = f"{' '.join(filter(None, (pair.system, pair.release)))} ({pair.other})"
    for marks in results.spans.pairs if results.spans else ():
        roles |= dict(zip(marks.annotators, marks.roles, strict=True))
    for name, role in sorted(roles.items()):
        if role in {"system", "model"}:
            who = plain(called.get(name, name))
            beside = plain(keys.get(name, "people")) if about else "people"
            pooled = "them" if beside == "people" else "labels of people"
            yield f"{who}: a {role}, compared with {beside} and never pooled with {pooled}."


def independence(results: Results) -> Iterator[str]:
    """Yield whether annotators worked independently of each other, where the campaign says so."""
    declared = results.campaign.protocol.get("independent")
    several = any(len(unit_set.annotators) > 1 for unit_set in leading(results))
    if isinstance(declared, bool) and (several or not set(subjects(results)) & OF_MACHINES):
        yield f"Annotators {'worked' if declared else 'did not work'} independently of each other."


def said(finding: Finding, layers: Sequence[str] = ()) -> str:
    """Return what a finding says, on one line, behind the layers that it is about where there are several."""
    named = len(layers) > 1 and finding.layers and finding.kind != "verdict"
    where = f"Layer {', '.join(finding.layers)}: " if named else ""
    return plain(f"{where}{message(finding.claim, finding.values)}")


# agreement.txt: one paragraph, for archives that have a field of a thousand characters.

# What META-SHARE's field of inter-annotator agreement holds at most.
MOST = 1000
MOST_TITLE = 160


@in_english
def write(released: Released) -> str:
    """Return the paragraph with a newline at its end."""
    return f"{paragraph(released.results)}\n"


def paragraph(results: Results, most: int = MOST - 1) -> str:
    """Return whole sentences on agreement, the most important ones, in at most so many characters."""
    end = f"Computed with {results.tool.name} {results.tool.version}; every figure is in {RESULTS}."
    said: list[str] = []
    for sentence in filter(None, _sentences(results)):
        if len(" ".join([*said, sentence, end])) <= most:
            said.append(sentence)
    return " ".join([*said, end])


def _sentences(results: Results) -> Iterator[str]:
    """Yield sentences, the most important first: the figures of all layers, then what they are of."""
    dated = f" of {day(results.revision.date)}" if results.revision.date else ""
    title = shortened(results.campaign.title, MOST_TITLE)
    yield f"{topic(results)} under guidelines {results.guidelines}{dated}{title and f': {title}'}."
    every = leading(results)
    layers = [f"Layer {unit_set.layer}: " if has_layers(results) else "" for unit_set in every]
    tellers: Sequence[Callable[[Results, UnitSet], str]] = (
        of_coefficient,
        labelled,
        of_weakest,
        lambda results, unit_set: of_boundaries(results, unit_set.layer),
        lambda results, unit_set: of_spans(results, unit_set.layer),
    )
    for tell in tellers:
        for layer, unit_set in zip(layers, every, strict=True):
            text = plain(tell(results, unit_set))
            yield text and f"{layer}{text}."
    method = of_method(results, every[0])
    yield method and f"{method}."


# methods.md: how agreement was measured, in the catalogue's own sentences, with the works behind them.


@in_english
def write_methods(released: Released) -> str:
    """Return the paragraph on methods that the report has, for a paper or the description of a corpus."""
    results = released.results
    title = f"{results.campaign.title}: how agreement was measured"
    section = Section("methods", title, methods_file(ReportView(results)))
    return f"{markdown_blocks.section(section, 1).rstrip()}\n"


# README.md of a bundle: what it is, what it says, and what can be done with it.

PSEUDONYM, HIDDEN = re.compile(r"A\d{2,}"), re.compile(r"D\d{4,}")
# How the corpus is cited.
CITED = (("name", ""), ("version", "version "), ("doi", "doi:"), ("url", ""))
# What is written behind it.
LATER = frozenset((CRATE, CHECKSUMS))


# What a bundle is called behind the title of its campaign, and what it shows, by subject.
OF_SEVERAL = ("what the annotation is worth", "What the labels are worth that were given under")
TITLES: Mapping[SubjectId, tuple[str, str]] = {
    "annotators": ("agreement of annotators", "How far annotators agree who followed"),
    "crowd": (
        "reliability of a crowd's labels",
        "What the labels of a crowd are worth together that followed",
    ),
    "systems": ("systems against the reference", "How near labels come to the reference under"),
    "judge": ("a model's labels against a human's", "Whether the labels of a model may be used under"),
    "recordings": (
        "agreement on recordings",
        "How alike annotators segment and label recordings who followed",
    ),
    "stability": ("people beside themselves", "Whether people label the same way again who followed"),
}


def _readme_row(results: Results, unit_set: UnitSet) -> dict[str, str | None]:
    """Return the figure of a layer with what it rests on, as the table of a bundle has them."""
    answer, value = results.answer_of(unit_set.layer), answered(results, unit_set)[1]
    units = unit_set.units if answer is None or answer.units is None else answer.units
    return {
        "layer": unit_set.layer,
        "name": named(results, unit_set.layer),
        "value": estimate(value) if value and value.value is not None else "undefined",
        "undefined": value.undefined if value and value.value is None else None,
        "units": f"{count(units)} ({unit_set.id})",
        "documents": count(unit_set.documents) if unit_set.documents else "not known",
        "who": people(results, unit_set),
        "annotators": count(len(unit_set.annotators)),
    }


@in_english
def write_readme(released: Released) -> str:
    """Return README.md of a bundle, in Markdown; whatever a campaign says in it is escaped."""
    results, files = released.results, released.files
    corpus = results.campaign.corpus
    people = {name for unit_set in results.unit_sets for name in unit_set.annotators}
    about = subjects(results)
    documents = _documents(files.get(f"{COUNTS}annotators.csv", b""))
    return markdown(
        "bundle.md.j2",
        results=results,
        headline=headline.headline(headline.standings(results)),
        rows=[_readme_row(results, unit_set) for unit_set in leading(results)],
        only_people=not set(subjects(results)) & OF_MACHINES,
        title=TITLES.get(about[0], OF_SEVERAL) if len(about) == 1 else OF_SEVERAL,
        several=has_layers(results),
        others="documents" if all(unit_set.documents for unit_set in leading(results)) else "units",
        count=count,
        estimate=estimate,
        there=lambda name: name in LATER or any(path.startswith(name) for path in files),
        languages=released.languages[1:],
        parquet=any(name.endswith(".parquet") for name in files),
        recipe=counts_recipe(results),
        about=about,
        figure_of=lambda figure: plain(figure_name(results, figure)),
        cited=", ".join(f"{words}{corpus[key]}" for key, words in CITED if corpus.get(key)),
        hidden_people=bool(people) and all(map(PSEUDONYM.fullmatch, people)),
        hidden_documents=bool(documents) and all(map(HIDDEN.fullmatch, documents)),
    )


def _documents(counts: bytes) -> set[str]:
    """Return the documents of a table of counts."""
    head, *cells = from_csv(counts.decode()) or [[]]
    column = head.index("document") if "document" in head else 0
    return {row[column] for row in cells if row[column]}
