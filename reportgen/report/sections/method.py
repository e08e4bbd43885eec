"""How the figures were made, and what to cite: data, methods, measures, provenance."""

from collections.abc import Iterator

from markupsafe import Markup

from reportgen.catalogue import BY_ID, base_id, ids_with
from reportgen.report import contents, html_blocks, material
from reportgen.report.blocks import (
    Block,
    Cited,
    Code,
    Details,
    FactsBlock,
    File,
    FilesBlock,
    Items,
    Link,
    RawBlock,
    ReasonBlock,
    Section,
    Strong,
    TableBlock,
    Text,
    paragraph,
    phrase,
    remark,
    sentences,
)
from reportgen.report.checklists import CHECKLIST_PAGE
from reportgen.report.sections.opening import remarks_of
from reportgen.report.sections.systems import TESTED_BY
from reportgen.report.view import ReportView
from reportgen.results import Definition, Reference, Results, SubjectFigure, SubjectId, UnitSet, Weighting
from reportgen.results.model import Level
from reportgen.words import language, names, numbers
from reportgen.words.headline import GOOD, MINIMUM, answer_name
from reportgen.words.language import N_, _, one_of, say, say_either, say_many
from reportgen.words.names import figure_inside, on_the_page
from reportgen.words.numbers import count, counted

# More of what the campaign says of its corpus and protocol is folded.
MOST_FACTS = 5
# Longer tables are in the CSV alone.
MOST_ROWS = 60
# More layers than these do not fit into a paragraph.
MOST_LAYERS = 8
SEVERAL = 3
OBSERVED = "observed_agreement"
# Whose thresholds are the usual ones.
ALPHA = "krippendorff_alpha"
# By documents, or by units where no document is known.
OF_INTERVALS = N_(
    "Intervals come from leaving out each {document|unit} in turn, with Student's t on a logit scale "
    "over the range of possible values; the degrees of freedom are the effective number of "
    "{documents|units, which are taken as independent,} minus one. They cover the sampling of "
    "{documents|units}, not the choice of annotators."
)
BY_GROUPS = N_(
    "Documents were put into groups by digits of the MD5 of their names, as good as by chance. "
    "Intervals come from leaving out each group in turn, with Student's t on a logit scale over the "
    "range of possible values; the degrees of freedom are the effective number of groups minus one. "
    "They cover the sampling of documents, not the choice of annotators."
)


def data(view: ReportView) -> Section:
    """Return what was annotated and how, how many marks were used, and why others were not."""
    results = view.results
    files = FilesBlock(
        lambda: (contents.inputs(results), material.shares(results), material.left_out(results))
    )
    remarks = remarks_of(view.report, "data")
    return Section("data", _("Data and protocol"), (*_data(view, results), *remarks, files))


def _data(view: ReportView, results: Results) -> Iterator[Block]:
    reading = names.reading(results.reading) if results.reading else ""
    hidden = results.spans and not view.passages
    if reading or hidden:
        apart = _("The annotated texts, and the pages that quote them, are not part of this report.")
        yield paragraph(reading, apart if hidden else "")
    yield from _marks(results)
    declared = tuple(material.declared(results))
    facts = FactsBlock(declared, id="protocol")
    if len(declared) > MOST_FACTS:
        yield Details(_("Corpus and protocol"), (facts,))
    elif declared:
        yield facts
    if not results.campaign.corpus and not results.campaign.protocol:
        says = _(
            "The campaign says nothing of its corpus and protocol: [corpus] and [protocol] in campaign.toml."
        )
        yield remark(says, anchor="" if declared else "protocol")
    scatter = tuple(map(TableBlock, material.scatter(results)))
    yield Details(_("How scattered the marks are, and who saw which documents"), scatter, id="scatter")
    if differing := material.different_texts(results):
        yield Details(_("Documents whose copies have different texts"), (TableBlock(differing),))
    if results.unread:
        yield paragraph(say("Files of the export that were not read: {files}.", files=results.unread))
    if results.revision.changes:
        title = say("Guidelines {version}", version=results.guidelines)
        yield Details(title, (ReasonBlock(results.revision.changes),))


def _marks(results: Results) -> Iterator[Block]:
    """Yield how many marks were read, used and left out, and why."""
    marks, listed = results.marks, material.left_out(results)
    read = phrase(
        one_of(
            marks.not_compared,
            "Marks read {read} = used {used} + left out {left_out}{ + not compared {not_compared}|}.",
        ),
        read=Strong(count(marks.read)),
        used=count(marks.used),
        left_out=count(marks.left_out),
        not_compared=count(marks.not_compared or 0),
    )
    missing = say(
        "Cells of the tables without a label, empty or declared missing: {missing}.",
        missing=count(marks.missing),
    )
    several = say(
        "Several layers are about the same marks: if each mark is counted once, there are {marks}.",
        marks=count(marks.read - (marks.again or 0)),
    )
    file = File("left-out.csv") if listed else None
    remarks = (several if marks.again else "", missing if marks.missing else "")
    yield paragraph(read, *remarks, file, anchor="marks")
    short = listed if listed and len(listed.rows) <= material.MOST_LEFT_OUT else None
    if left_out := tuple(TableBlock(table) for table in (material.reasons(results), short) if table):
        yield Details(_("Which marks were left out, and why"), left_out)


# The paragraph on methods, for a paper.


def methods(view: ReportView, *, alone: bool = True) -> Section:
    """Return the paragraph on methods, and where measures are defined: right here where `alone`."""
    said = (paragraph(methods_paragraph(view)), remark(methods_details(view)))
    if alone:
        return Section("methods", _("Methods"), (*said, definitions(view)))
    # A message within the call of another would not be collected.
    link = Link(_("the page of measures"), "measures/index.html")
    page = phrase(
        "Each measure is defined on {page}: its formula, when to use it and when not, its source, and "
        "what other programs return under its name.",
        page=link,
    )
    return Section("methods", _("Methods"), (*said, paragraph(page)))


def methods_paragraph(view: ReportView) -> Text:
    """Return what a paper says: who labelled what, how much they agree, and what that means."""
    results = view.results
    said: tuple[Text, ...]
    if answer := results.answer_of(results.primary.layer):
        said = (*_annotated_about(results, results.primary), *_answered(results, answer))
    else:
        said = (*(_annotated_layers(results) or _annotated(results.primary)), *_agreement(results))
    return sentences(
        *said, say("Computed with {tool} {version}.", tool=results.tool.name, version=results.tool.version)
    )


def methods_details(view: ReportView) -> Text:
    """Return what is technical about the paragraph: why this measure, what it is, how intervals were made."""
    results = view.results
    if answer := results.answer_of(results.primary.layer):
        return sentences(_intervals_of(answer), _replacement_test(results))
    return sentences(
        *_primary_coefficient(view),
        *_other_measures(view),
        _intervals(results.primary),
        _replacement_test(results),
    )


def leading(results: Results) -> tuple[str, ...]:
    """Return the measures that the paragraph names, the primary coefficient's first."""
    return base_id(results.coefficient), *ids_with(lambda measure: measure.headline)


def _annotated(unit_set: UnitSet) -> Iterator[str]:
    if not unit_set.annotators:
        return
    ratings_of_each = material.ratings(unit_set)
    named = f" ({unit_set.id})" if unit_set.id not in (unit_set.noun, "items") else ""
    yield say(
        N_("{annotators} gave {each} labels to each of {units} with {categories}.")
        if ratings_of_each
        else N_("{annotators} labelled {units} with {categories}."),
        each=count(ratings_of_each or 0),
        annotators=counted(len(unit_set.annotators), "annotator", "annotators"),
        units=f"{numbers.counted_in(unit_set.units, unit_set.noun)}{named}",
        categories=counted(
            len(unit_set.judged), "label, or several at once", "labels, any number of them at once"
        )
        if unit_set.sets
        else counted(len(unit_set.categories), "category", "categories"),
    )
    yield from _of_units(unit_set)


def _of_units(unit_set: UnitSet) -> Iterator[str]:
    """Yield from how many documents units come, and what unmarked ones count as."""
    if unit_set.documents:
        yield _in_documents(unit_set)
    if unit_set.non_annotated:
        yield say(
            "Where an annotator marked nothing, this counts as the category {category}.",
            category=unit_set.non_annotated,
        )


def _annotated_layers(results: Results) -> tuple[str, ...]:
    """Return who labelled which layers, and how many units of each; nothing where a sentence has no room."""
    primaries = [results.primary_of(layer) for layer in results.layers]
    if not 1 < len(primaries) <= MOST_LAYERS or any(own.sets or not own.annotators for own in primaries):
        return ()
    layers = [
        say(
            "{layer} ({units}, {categories})",
            layer=own.layer,
            units=numbers.counted_in(own.units, own.noun),
            categories=counted(len(own.categories), "category", "categories"),
        )
        for own in primaries
    ]
    said = say(
        "{annotators} labelled {count} layers: {layers}.",
        annotators=counted(
            len({name for own in primaries for name in own.annotators}), "annotator", "annotators"
        ),
        count=count(len(layers)),
        layers=language.listed(layers),
    )
    return said, *_of_units(results.primary)


def _annotated_about(results: Results, unit_set: UnitSet) -> Iterator[str]:
    """Yield who labelled what where the report is not about single labels of annotators alone."""
    if results.subject_of(unit_set.layer) not in {"systems", "judge"}:
        yield from _annotated(unit_set)
        return
    own = results.comparisons.categories(unit_set.layer, unit_set.id) if results.comparisons else ()
    yield say(
        "Labels are those of {people}, on {units} with {categories}.",
        people=material.taking_part(results, unit_set),
        units=numbers.counted_in(unit_set.units, unit_set.noun),
        categories=counted(len(own or unit_set.judged), "category", "categories"),
    )


# What is measured, by subject; of annotators it is agreement.
MEASURED: dict[SubjectId, str] = {
    "crowd": N_("How reliable the labels of a unit are together is measured by {name}."),
    "systems": N_("How near labels come to the reference is measured by {name}."),
    "judge": N_("Whether a model's labels may be used is measured by {name}."),
    "recordings": N_("How alike recordings are cut and labelled is measured by {name}."),
    "stability": N_("Whether people label the same way again is measured by {name}."),
}
OF_MAJORITIES = N_(
    "It is estimated from the labels themselves: the agreement of two majorities of that many "
    "labels, given independently by other people of the same kind."
)


def _answered(results: Results, answer: SubjectFigure) -> Iterator[Text]:
    """Yield the figure that the verdict is about, its value, and what its measure is."""
    layer = results.primary.layer
    subject, value = results.subject_of(layer), answer.value
    alike = [
        (name, own.value)
        for name in results.layers
        if (own := results.answer_of(name)) and (own.figure, own.who) == (answer.figure, answer.who)
    ]
    yield say(MEASURED.get(subject, MEASURED["systems"]), name=answer_name(subject, answer))
    if value.value is not None:
        known = value.interval is not None and value.interval.low is not None
        values = [
            numbers.estimate(own)
            if len(results.layers) == 1
            else say("{value} ({layer})", value=numbers.estimate(own), layer=name)
            for name, own in alike[:MOST_LAYERS]
        ]
        shown = _("; ").join(values)
        yield say_either(known, "It is {values}{, with the 95% interval in brackets|}.", values=shown)
    if subject == "crowd":
        if answer.labels is not None:
            yield _(OF_MAJORITIES)
        single = results.primary.measures.get(results.coefficients[layer])
        if single and single.value is not None:
            yield say(
                "Of single labels, {name} is {value}.",
                name=figure_inside(results, results.coefficients[layer]),
                value=numbers.estimate(single),
            )
    measure = BY_ID[base_id(answer.figure)]
    yield Cited(_(measure.sentence), measure.works)


def _intervals_of(answer: SubjectFigure) -> str:
    interval = answer.value.interval
    if interval is None or interval.low is None:
        return ""
    if interval.method and interval.method.startswith("drawing"):
        return _(
            "The interval comes from drawing units with replacement; it covers the sampling of units, not "
            "the choice of annotators."
        )
    return say_either(answer.documents, OF_INTERVALS)


def _in_documents(unit_set: UnitSet) -> str:
    number, compared = unit_set.documents, unit_set.documents_compared
    what = numbers.noun(unit_set.noun, SEVERAL)
    if compared and compared < number and unit_set.document_groups is None:
        return say_many(
            "The {what} come from {count} {document|documents}, {compared} of them labelled by more than "
            "one annotator.",
            number,
            compared=count(compared),
            what=what,
        )
    return say_many("The {what} come from {count} {document|documents}.", number, what=what)


# What a value means by Krippendorff's thresholds, where its interval tells.
MEANING: dict[Level, str] = {
    "high": N_("The whole interval is above {good}, from where on labels count as reliable."),
    "tentative": N_(
        "The whole interval is above {minimum}, the usual minimum, which allows tentative conclusions; from "
        "{good} on labels count as reliable."
    ),
    "open": N_("Whether it reaches {minimum}, the usual minimum, is undecided: the interval includes it."),
    "low": N_("The whole interval is below {minimum}, the usual minimum for conclusions from labels."),
    "below-chance": N_("Annotators agree less than chance alone would give."),
}


def _agreement(results: Results) -> Iterator[Text]:
    """Yield the primary coefficient with its source, how often labels are the same, and what it means."""
    name = figure_inside(results, results.coefficient)
    measure = BY_ID[base_id(results.coefficient)]
    cited = Cited(name, measure.works)
    values = _("; ").join(_values(results))
    if not values:
        yield phrase("Agreement beyond chance was measured by {name}; it has no value here.", name=cited)
        return
    message = one_of(
        "[" in values,
        "Agreement beyond chance was measured by {name}: it is {values}{, with the 95% confidence interval "
        "in brackets|}.",
    )
    yield phrase(message, name=cited, values=values)
    if len(results.layers) > 1:
        return
    observed = results.primary.measures.get(OBSERVED)
    if observed and observed.value is not None and results.primary.scale in ("nominal", "ordinal"):
        yield say(
            "Two annotators gave the same label in {share} of cases.", share=numbers.percent(observed.value)
        )
    level = next((finding.level for finding in results.findings if finding.level), None)
    if level:
        meaning = say(MEANING[level], minimum=numbers.figure(MINIMUM), good=numbers.pointed(GOOD))
        yield Cited(meaning, BY_ID[ALPHA].works[:1]) if level != "below-chance" else meaning


def _primary_coefficient(view: ReportView) -> Iterator[Text]:
    """Yield the primary coefficient, why it is this one, its values, and what it takes chance from."""
    results = view.results
    choice, measure = results.choice.get(results.primary.layer), results.coefficient.partition("[")[0]
    yield say_either(
        choice and choice.declared,
        "Agreement is measured by {name}, {which the campaign declares as primary|chosen according to "
        "the number of annotators, the scale and whether labels are missing}.",
        name=figure_inside(results, results.coefficient),
    )
    if choice and not choice.declared:
        yield numbers.message(choice.reason, choice.values)
    definition = dict(view.definitions).get(measure)
    if definition:
        yield Cited(definition.sentence, results.catalogue[measure].works)
    for key, entry in view.weightings.items():
        if results.coefficient in results.weightings[key].figures:
            yield Cited(entry.answers, results.weightings[key].works)


def _values(results: Results) -> Iterator[str]:
    """Yield the primary coefficient of each layer that has the same as the first, with its interval."""
    same = [layer for layer in results.layers if results.coefficients[layer] == results.coefficient]
    figures = [(layer, results.primary_of(layer).measures.get(results.coefficient)) for layer in same]
    values = [
        (layer, numbers.estimate(figure)) for layer, figure in figures if figure and figure.value is not None
    ]
    for layer, value in values[:MOST_LAYERS]:
        several_layers = len(results.layers) > 1
        yield say("{value} ({layer})", value=value, layer=layer) if several_layers else value


def _other_measures(view: ReportView) -> Iterator[Text]:
    primary, *others = leading(view.results)
    for name, definition in view.definitions:
        if name in others and name != primary:
            yield Cited(definition.sentence, view.results.catalogue[name].works)
    if len(view.results.primary.annotators) >= SEVERAL:
        yield _(
            "Agreement on a unit is the share of agreeing pairs among its ratings; where ratings are "
            "missing, each measure uses the units stated in its definition."
        )


def _intervals(unit_set: UnitSet) -> str:
    if unit_set.document_groups is not None:
        return _(BY_GROUPS)
    return say_either(unit_set.documents_compared, OF_INTERVALS)


def _replacement_test(results: Results) -> Text | None:
    if not results.replacement:
        return None
    return phrase(
        "Whether a model may take an annotator's place was tested by the alternative annotator test of "
        "{work}, with the false discovery rate of Benjamini and Yekutieli over annotators.",
        work=Cited(TESTED_BY.citation.partition(", ACL")[0], (TESTED_BY,)),
    )


# What each measure is, where the page of measures is not at hand.


def definitions(view: ReportView) -> Details:
    """Return the measures on the page, each with its formula and its source, and what brackets mean."""
    measures = on_the_page(view.results)
    summary = say_many(
        "{Definition|Definitions} of the {count} {measure|measures} on this page", len(measures)
    )
    notation = phrase(
        "The notation is that of Artstein and Poesio (2008): A and D are agreement and disagreement, "
        "observed (o) and expected (e); n is the number of units, q that of categories, c that of "
        "annotators. When to use each and when not, and what other programs return under its name, is "
        "in measures/index.html beside this file, in results.json, and in what {command} prints.",
        command=Code("reportgen explain"),
    )
    defined = (paragraph(_defined(measure), anchor=f"measure-{name}") for name, measure in measures)
    brackets = (paragraph(_defined(weighting)) for weighting in view.weightings.values())
    return Details(summary, (remark(notation), *defined, *brackets))


def _defined(entry: Definition | Weighting) -> Text:
    works = _("; ").join(work.cited for work in entry.works)
    formula = phrase("{name}: {value}", name=Strong(entry.name), value=Code(entry.formula))
    return sentences((*formula, "."), entry.answers, f"{works}." if works else "")


# Where the figures come from, and how to cite them.


def provenance(view: ReportView, *, alone: bool = True) -> Section:
    """Return what computed the figures, from which files, and what to attach to a release."""
    results = view.results
    summary = say_many(
        "The {file|{count} files} that the figures come from, with {its checksum|their checksums}",
        len(results.inputs),
    )
    inputs = Details(summary, tuple(_inputs(results)))
    packed = phrase(
        "{command} packs all of it, with the metadata that archives and catalogues read.",
        command=Code("reportgen bundle"),
    )
    attached = () if alone else (paragraph(_attached(), packed if view.in_site else None),)
    return Section(
        "provenance", _("Provenance"), (paragraph(material.computed_by(results)), *attached, inputs)
    )


def _attached() -> Text:
    up, html = language.edition().data, Link(_("one file"), "report.html")
    return phrase(
        "To attach to a release: the report as {html} or as {markdown}; everything on this page as {json}, "
        "the tables in {tables}, the counts in {counts}, and the checksums of all in {sums}.",
        html=html,
        markdown=Link("Markdown", "report.md"),
        json=Link("results.json", f"{up}results.json"),
        tables=Link("tables/", f"{up}tables/coefficients.csv"),
        counts=Link("counts/", f"{up}counts/ratings.csv"),
        sums=Link("SHA256SUMS", f"{up}SHA256SUMS"),
    )


def _inputs(results: Results) -> Iterator[Block]:
    table = contents.inputs(results)
    if len(table.rows) > MOST_ROWS:
        file = Link("tables/inputs.csv", f"{language.edition().data}tables/inputs.csv")
        yield paragraph(phrase("The checksums are in {file} and in results.json.", file=file))
    else:
        yield TableBlock(table)
    if results.settings:
        settings = phrase(
            "Settings: the parts of campaign.toml about the campaign and about this version (no other "
            "versions), and the rules in [gate] that concern intervals. Their SHA-256 is {digest}.",
            digest=Code(results.settings),
        )
        yield remark(settings)


def cite(view: ReportView, *, alone: bool = True) -> Section:
    """Return how to cite the report, what there is for papers, and the works on the campaign."""
    results = view.results
    bibtex = Markup('<pre tabindex="0">{}</pre>\n').format(html_blocks.text(material.bibtex(results)))
    blocks: list[Block] = [paragraph(material.text(results)), Details("BibTeX", (RawBlock(bibtex),))]
    if not alone:
        tables = Link(_("tables"), "latex/tables.tex")
        methods, bib = Link(_("methods"), "latex/methods.tex"), Link(_("works"), "latex/references.bib")
        files = phrase(
            "For a paper, in LaTeX: the {tables}, the {methods} with their citations, and the "
            "{works} that they cite.",
            tables=tables,
            methods=methods,
            works=bib,
        )
        blocks += [paragraph(files, anchor="latex"), paragraph(_checklists(), elsewhere=True)]
    if results.campaign.references:
        blocks.append(Section("", _("Works on this campaign"), (_references(results),)))
    return Section("cite", _("How to cite"), tuple(blocks))


def _checklists() -> Text:
    """Return where the questions of reviewers are, with what answers them."""
    # A message within the call of another would not be collected.
    page = Link(_("the checklists"), CHECKLIST_PAGE)
    return phrase(
        "For reviewers and catalogues: {page} have what the ACL, Datasheets for Datasets, data statements "
        "and Croissant ask, with what is answered and what is open.",
        page=page,
    )


def _references(results: Results, *, linked: bool = True) -> Items:
    return Items(tuple(reference(work, linked=linked) for work in results.campaign.references))


def reference(work: Reference, *, linked: bool = True) -> Text:
    """Return a work on the campaign as a list of works has it."""
    year = f" ({work.year})" if work.year else ""
    said = f"{', '.join(work.authors)}{year}{'. ' if work.authors else ' '}{work.title}.".lstrip()
    if not work.doi:
        return said
    doi = f"doi:{work.doi}"
    return (said, " ", Link(doi, f"https://doi.org/{work.doi}") if linked else doi)


# methods.md of a bundle.


# What the paragraph on methods calls the logit scale, from the least to the most that a figure can be.
LOGIT = (
    "The logit of a figure x between a and b is ½ ln((x − a) / (b − x)). Shares, such as observed agreement, "
    "precision and F, lie between 0 and 1; kappa, pi, alpha, AC1 and the other coefficients that correct for "
    "chance between −1 and 1, but S of q categories between −1/(q − 1) and 1. Coefficients that are weighted "
    "with distances have no least value: of these it is −ln(1 − x)."
)


def methods_file(view: ReportView) -> tuple[Block, ...]:
    """Return the paragraph on methods, every measure with its works, and the works on the campaign."""
    results = view.results
    date = f", {language.date(results.revision.date)}" if results.revision.date else ""
    blocks: list[Block] = [
        *([] if results.is_unnamed else [paragraph(f"Guidelines {results.guidelines}{date}.")]),
        paragraph(methods_paragraph(view)),
        paragraph(methods_details(view)),
        paragraph(LOGIT),
        Section(
            "", "Measures", (Items(tuple(_defined(definition) for _name, definition in view.definitions)),)
        ),
    ]
    if results.campaign.references:
        blocks.append(Section("", "Works on the campaign", (_references(results, linked=False),)))
    return tuple(blocks)
