"""Coefficients: which is the primary one and why, what the others answer, and how certain they are."""

import math
from collections.abc import Iterator, Sequence

from reportgen.catalogue import ids_by, ids_with
from reportgen.report import contents, uncertainty
from reportgen.report.blocks import (
    Block,
    Details,
    File,
    FilesBlock,
    PaperTable,
    Section,
    TableBlock,
    Text,
    paragraph,
    remark,
)
from reportgen.report.pairs import every_pair, majority
from reportgen.report.tables import ReportTable, table_of
from reportgen.report.view import LayerView, ReportView, by_layer
from reportgen.results import Results, UnitSet
from reportgen.words import language, numbers
from reportgen.words.headline import quoted
from reportgen.words.language import _, pgettext, say, say_either, say_many
from reportgen.words.names import figure_inside, figure_name, is_main, is_shown
from reportgen.words.numbers import count

# So many figures are open, the primary one first; the others are folded.
MOST_OPEN = 6
KINDS = ("coefficient", "share")
# A reader asks for these first, whatever else there is.
FIRST = ids_by(lambda measure: measure.question_place)


def coefficients(view: ReportView, *, alone: bool = True) -> Section:
    """Return the primary coefficient with the reason for it, the main ones beside it, and all others folded.

    `alone`: what has a page of its own beside the report is in this section too.
    """
    first, _own = choice(view.results, view.layers[0].primary.unit_set)
    blocks = by_layer(view, lambda layer: _of_layer(view, layer, first, alone=alone))
    files = FilesBlock(lambda: _files(view), paper=lambda: map(_in_paper, view.layers))
    return Section("coefficients", _("Coefficients"), (*blocks, files))


def _files(view: ReportView) -> Iterator[ReportTable | None]:
    """Yield every figure, of pairs too, what it is called, and means."""
    results = view.results
    yield contents.long_coefficients(results)
    for unit_set in (unit_set for layer in view.layers for unit_set in layer.members):
        yield every_pair(results, unit_set)
        yield majority(unit_set)
        yield uncertainty.benchmarks(results, unit_set)
        yield uncertainty.over_documents(results, unit_set)


def _in_paper(layer: LayerView) -> PaperTable:
    table = contents.coefficients(layer.results, layer.members)
    caption = _("Agreement by unit set: value and 95% interval.")
    return PaperTable(layer.id, table, caption, "coefficients", tuple(_undefined(layer)))


def _undefined(layer: LayerView) -> Iterator[str]:
    for reason, figures in contents.undefined(layer.results, layer.members).items():
        yield say("Undefined: {figures}, because {reason}.", figures=language.names(figures), reason=reason)


def _of_layer(view: ReportView, layer: LayerView, first: str, *, alone: bool) -> Iterator[Block]:
    results, unit_set, is_first = view.results, layer.primary.unit_set, layer.id == view.layers[0].id
    why, own = choice(results, unit_set)
    said = _joined(why if is_first or why != first else "", own)
    if said:
        yield paragraph(said, anchor="choice" if is_first else "")
    asked = _questions_table(results, unit_set, alone=alone)
    if asked.rows:
        yield TableBlock(asked, kind="questions")
    if single := _about_single_ratings(results, unit_set):
        yield remark(single)
    table = contents.coefficients(results, layer.members, alone=alone)
    yield Details(
        say_many("All {count} {figure|figures}, by unit set", len(table.rows)),
        (remark(*_how_computed(layer)), TableBlock(table), *map(remark, _remarks(results, layer))),
    )


# Why a layer's primary coefficient is the one it is, in words.

# Coefficients of these very annotators, whom others could not replace: of two, and of more.
FIXED = ids_with(lambda measure: measure.fixed_annotators)


def choice(results: Results, unit_set: UnitSet) -> tuple[str, str]:
    """Return why a layer has its primary coefficient, and what is so in this layer; empty where not known."""
    chosen = results.choice.get(unit_set.layer)
    if chosen is None:
        return "", ""
    name = figure_inside(results, chosen.coefficient)
    measure = chosen.coefficient.partition("[")[0]
    fixed = [figure for figure in FIXED if figure in unit_set.measures]
    beside = ""
    if fixed and measure not in FIXED:
        beside = say(
            "If the question is about these annotators themselves, read {name} as well.",
            name=figure_inside(results, fixed[0]),
        )
    reason = numbers.message(chosen.reason, chosen.values)
    if chosen.declared:
        measure_entry = results.catalogue.get(measure)
        use = _(measure_entry.use) if measure_entry else ""
        return _joined(say("The primary coefficient is {name}.", name=name), reason, use, beside), ""
    general = _joined(
        say(
            "The primary coefficient is {name}. It follows from the number of annotators, the scale "
            "and the missing labels, and is the same for all versions of the guidelines.",
            name=name,
        ),
        reason,
        beside,
    )
    return general, _who_rated(figure_name(results, chosen.coefficient), unit_set)


def _who_rated(name: str, unit_set: UnitSet) -> str:
    people, rated = len(unit_set.annotators), unit_set.units_by_annotators
    complete, every = rated.get(str(people), 0), sum(units for many, units in rated.items() if many != "0")
    return say_either(
        complete == every,
        "{name} suits any number of annotators, who represent others like them{; here every unit has "
        "{annotators} ratings|, and allows missing ratings: {incomplete} of {units} units lack the "
        "rating of some annotator}.",
        name=name,
        annotators=count(people),
        incomplete=count(every - complete),
        units=count(every),
    )


def _joined(*said: str) -> str:
    return " ".join(filter(None, said))


# Which figure answers which question.


def questions(results: Results, unit_set: UnitSet) -> dict[str, str]:
    """Return the questions that figures of a layer answer, each with its figure, the primary one first."""
    primary = results.coefficients[unit_set.layer]
    order = [primary.partition("[")[0], *FIRST]

    def rank(figure: str) -> tuple[int, int]:
        measure = figure.partition("[")[0]
        asked_first = order.index(measure) if measure in order else len(order)
        return asked_first, results.catalogue[measure].place

    by_measure: dict[str, list[str]] = {}
    for name in results.in_order(unit_set.measures):
        if unit_set.measures[name].value is not None and is_shown(results, unit_set, name):
            by_measure.setdefault(name.partition("[")[0], []).append(name)
    figures = (
        _figure_of_measure(names, primary)
        for measure, names in by_measure.items()
        if measure in results.catalogue and results.catalogue[measure].kind in KINDS
    )
    by_question: dict[str, str] = {}
    for figure in sorted(filter(None, figures), key=rank):
        # Of measures that answer the same question, as Bennett's S and Randolph's kappa do, the first.
        by_question.setdefault(_(results.catalogue[figure.partition("[")[0]].answers), figure)
    return by_question


def _figure_of_measure(names: Sequence[str], primary: str) -> str | None:
    """Return which figure of a measure is shown; None where all of them judge a table by itself.

    The primary one, else the bare one, else the one that is weighted as the primary one is.
    """
    measure = names[0].partition("[")[0]
    alike = measure + primary[len(primary.partition("[")[0]) :]
    by_preference = (primary, measure, alike, f"{measure}[quadratic]", *names)
    return next((name for name in by_preference if name in names and not name.endswith("[computed]")), None)


def _questions_table(results: Results, unit_set: UnitSet, *, alone: bool) -> ReportTable:
    """Return the primary coefficient and the main ones beside it, each with the question that it answers."""
    asked = list(questions(results, unit_set).items())[:MOST_OPEN]
    rows = [(question, figure, *_agreements(results, unit_set, figure)) for question, figure in asked]
    chance = any(expected is not None for *_rest, expected in rows)
    return table_of(
        f"questions-{contents.slug(unit_set)}",
        contents.with_units(unit_set),
        rows,
        ("figure", pgettext("a number", "Figure"), "text", lambda row: figure_name(results, row[1])),
        ("value", _("Value [95% interval]"), "estimate", lambda row: unit_set.measures[row[1]]),
        ("observed", _("Observed agreement"), "figure", lambda row: row[2]) if chance else None,
        ("expected", _("Agreement by chance"), "figure", lambda row: row[3]) if chance else None,
        ("question", _("What it answers"), "text", lambda row: row[0]),
        href=lambda row: contents.definition(row[1], alone=alone),
    )


# Their observed and expected are variances of the codes of categories.
OF_VARIANCES = ids_with(lambda measure: measure.by_codes)


def _agreements(results: Results, unit_set: UnitSet, figure: str) -> tuple[float | None, float | None]:
    """Return the observed agreement of a coefficient and that by chance, A_o and A_e of Fort et al. (2010).

    Of a nominal alpha, whose figures are disagreements, these are 1 - D_o and 1 - D_e. Weighted figures
    have distances instead, and none of these.
    """
    own, (measure, _bracket, weights) = unit_set.measures[figure], figure.partition("[")
    parts = own.value, own.observed, own.expected
    if (
        weights
        or measure in OF_VARIANCES
        or results.catalogue[measure].kind != "coefficient"
        or None in parts
    ):
        return None, None
    value, observed, expected = (part or 0.0 for part in parts)
    of_disagreements = expected > 0 and math.isclose(value, 1 - observed / expected, abs_tol=1e-9)
    return (1 - observed, 1 - expected) if of_disagreements else (observed, expected)


# What is to be said of the table of all figures.


def _how_computed(layer: LayerView) -> Iterator[Text]:
    primary = layer.primary.unit_set
    if primary.document_groups is not None:
        yield say_many(
            "Intervals come from leaving out each group of documents in turn ({count} {group|groups}).",
            primary.document_groups,
        )
    elif primary.documents_compared:
        yield say_many(
            "Intervals come from leaving out each document in turn ({count} {document|documents}).",
            primary.documents_compared,
        )
    elif not primary.documents:
        yield _("Intervals come from leaving out each unit in turn, because no document is known.")
    if primary.pair_groups is not None and primary.pair_groups < primary.documents_compared:
        yield say_many(
            "Of two annotators they come from {count} larger {group|groups}: counts have sums of units "
            "alone.",
            primary.pair_groups,
        )
    for member in layer.members:
        if member.documents_compared and member.units_alone:
            yield say_many(
                "In {unit_set}, {count} {unit|units} without a document{ is its|, such as those of a size "
                "declared as one number, are each their} own.",
                member.units_alone,
                unit_set=quoted([member.id])[0],
            )
    if "bennett_s" in primary.measures:
        yield _categories_counted(primary)
    yield File("coefficients.csv")


def _categories_counted(unit_set: UnitSet) -> str:
    number = len(unit_set.wholes)
    if unit_set.sets:
        return say_many(
            "Figures without a distance in brackets take sets as wholes; S counts {count} different "
            "{set|sets} in {unit_set}, declared or used.",
            number,
            unit_set=quoted([unit_set.id])[0],
        )
    return say_many(
        "S and Finn's R are computed with {count} {category|categories} in {unit_set}.",
        number,
        unit_set=quoted([unit_set.id])[0],
    )


def _remarks(results: Results, layer: LayerView) -> Iterator[str]:
    primary = layer.primary.unit_set
    yield from _undefined(layer)
    distances = ", ".join(
        f"{numbers.figure(estimate.farthest)} [{name.partition('[')[2]}"
        for name, estimate in primary.measures.items()
        if name.startswith("gwet_ac2[") and estimate.farthest is not None
    )
    if distances:
        yield say(
            "AC2 weighs two categories by 1 − δ / δ_max; δ_max, the largest distance between any two "
            "categories of the scale, declared or used, is {distances}.",
            distances=distances,
        )
    # Tests against chance of the coefficients of more than two annotators.
    for name, test in primary.null_tests.items() if len(primary.annotators) > 2 else ():
        yield say(
            "{figure} differs from 0 with z = {z}, {p} (Fleiss, Nee and Landis 1979), which does not say "
            "that agreement is good.",
            figure=figure_name(results, name),
            z=numbers.figure(test.z),
            p=numbers.p_is(test.p),
        )
    # They need every annotator's rating.
    complete = primary.measures.get("icc_a1")
    if complete and complete.units is not None and complete.units < primary.units_compared:
        yield say_many(
            "The intraclass correlations, Kendall's W and Finn's R [two-way] need every annotator's rating: "
            "they are of the {count} {unit|units} that all {annotators} gave a number.",
            complete.units,
            annotators=count(len(primary.annotators)),
        )
        if complete.value is None and complete.undefined:
            yield say("They are undefined: {reason}.", reason=numbers.message(complete.undefined, {}))


def _about_single_ratings(results: Results, unit_set: UnitSet) -> str:
    """Return which figures count units with one rating, and what they are without; empty where none does."""
    figures = [
        f"{figure_name(results, name)} {numbers.estimate(figure)}"
        for name, figure in (unit_set.rated_twice or {}).items()
        if figure.value is not None and is_main(results, unit_set, name) and is_shown(results, unit_set, name)
    ]
    if not figures:
        return ""
    return say_many(
        "{count} {unit has|units have} one rating, which counts in the chance agreement of some figures. "
        "Without {this unit|these units}: {figures}.",
        unit_set.units_by_annotators["1"],
        figures="; ".join(figures),
    )
