"""The data behind a report: how much there is, what is declared of it, what was left out, how to cite it."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from reportgen.report.escaping import field
from reportgen.report.tables import (
    ColumnOf,
    Record,
    ReportTable,
    as_declared,
    columns_of,
    table_if,
    table_of,
)
from reportgen.results import Results, Scalar, UnitSet
from reportgen.results.versions import VersionComparison
from reportgen.words import language, numbers
from reportgen.words.language import N_, _, names, pgettext, say, say_either, say_many, set_apart
from reportgen.words.names import reason

# Longer lists are in the CSV alone.
MOST_LEFT_OUT = 40


def amounts(results: Results) -> ReportTable | None:
    """Return how much each layer has; None where no export carries documents."""
    if not any(layer.documents for layer in results.material):
        return None
    in_texts = N_(
        "What was annotated. Tokens are separated by whitespace; a mark of ten tokens counts once. "
        "Marks per document and per 1,000 tokens are means over annotators and the documents that "
        "each saw."
    )
    tokens = any(layer.tokens for layer in results.material)
    counts = {
        "documents": _("Documents"),
        "documents_unmarked": _("Seen, marked by nobody"),
        "tokens": _("Tokens"),
        "marks": _("Marks"),
    }
    means = {
        "marks_per_document": _("Marks per document"),
        "marks_per_1000_tokens": _("Marks per 1,000 tokens"),
    }
    return _by_layer(
        results,
        "material",
        _(in_texts) if tokens else _("What was annotated."),
        [(layer.layer, layer) for layer in results.material],
        *columns_of(counts, "count", lambda row, key: getattr(row[1], key)),
        *columns_of(means, "decimal", lambda row, key: getattr(row[1], key)),
        what="How much was annotated, and how densely.",
    )


def shares(results: Results) -> ReportTable:
    """Return how many marks each category has, and its share, the most frequent first."""
    return _by_layer(
        results,
        "shares",
        _("Marks by category, of all annotators together."),
        [
            (layer.layer, name, marks, layer.shares[name])
            for layer in results.material
            for name, marks in sorted(layer.labels.items(), key=lambda item: (-item[1], item[0]))
        ],
        ("category", _("Category"), "text", lambda row: row[1]),
        ("marks", _("Marks"), "count", lambda row: row[2]),
        ("share", _("Share"), "percent", lambda row: row[3]),
        what="How many marks each category has, and which share of all that is.",
    )


def attendance(results: Results) -> ReportTable | None:
    """Return what each annotator did with how many documents; None where the export does not tell."""
    caption = _(
        "What each annotator did with the documents. Only documents that the annotator saw count, "
        "including those in which they marked nothing."
    )
    table = _by_layer(
        results,
        "attendance",
        caption,
        [(layer.layer, who) for layer in results.material for who in layer.attendance],
        ("annotator", _("Annotator"), "text", lambda row: row[1].annotator),
        ("marked", _("Documents marked"), "count", lambda row: row[1].marked),
        ("empty", _("Seen, nothing marked"), "count", lambda row: row[1].empty),
        ("skipped", _("Skipped"), "count", lambda row: row[1].skipped),
        ("unseen", _("Not seen"), "count", lambda row: row[1].unseen),
        what="What each annotator did with the documents: marked, left empty, skipped, not seen.",
    )
    return table if table.rows else None


def raters(results: Results) -> ReportTable:
    """Return how many units were rated by how many annotators."""
    return _by_layer(
        results,
        "units-by-annotators",
        _("Units by the number of annotators who rated them."),
        [
            (unit_set.layer, unit_set.id, int(number), units)
            for unit_set in results.unit_sets
            for number, units in sorted(unit_set.units_by_annotators.items(), key=lambda item: int(item[0]))
        ],
        ("unit_set", _("Unit set"), "text", lambda row: row[1]),
        ("annotators", _("Annotators"), "count", lambda row: row[2]),
        ("units", _("Units"), "count", lambda row: row[3]),
        what="How many units were rated by how many annotators.",
    )


def _by_layer(
    results: Results,
    name: str,
    caption: str,
    records: Iterable[Record],
    *columns: ColumnOf[Record],
    what: str,
) -> ReportTable:
    """Return a table of records that start with their layer, which is left out where there is only one."""
    layer: ColumnOf[Record] = ("layer", _("Layer"), "text", lambda row: row[0])  # type: ignore[index]
    several_layers = len(results.material) > 1
    shown = (layer if several_layers else None, *columns)
    return table_of(name, caption, records, *shown, file=f"{name}.csv", what=what)


def scatter(results: Results) -> list[ReportTable]:
    """Return the tables of how scattered the marks are, and who saw which documents."""
    tables = (amounts(results), raters(results), attendance(results))
    return [table for table in tables if table is not None]


def reasons(results: Results) -> ReportTable | None:
    """Return how many marks were left out for which reason; None where none was."""
    marks: Counter[str] = Counter()
    annotators: dict[str, set[str]] = {}
    for group in results.left_out:
        marks[group.reason] += group.marks
        annotators.setdefault(group.reason, set()).update([group.annotator] if group.annotator else [])
    return table_if(
        "left-out-reasons",
        _("Marks that were read and not used, by reason."),
        marks.most_common(),
        ("reason", _("Reason"), "text", lambda row: reason(row[0])),
        ("marks", _("Marks"), "count", lambda row: row[1]),
        ("annotators", _("Annotators"), "count", lambda row: len(annotators[row[0]])),
    )


def left_out(results: Results) -> ReportTable | None:
    """Return the marks that were read and not used, each with its place; None where there is none."""
    return table_if(
        "left-out",
        _("Where they are."),
        results.left_out,
        ("annotator", _("Annotator"), "text", lambda group: group.annotator),
        ("reason", _("Reason"), "text", lambda group: reason(group.reason)),
        ("marks", _("Marks"), "count", lambda group: group.marks),
        ("file", _("File"), "text", lambda group: group.file),
        ("line", _("Line or record"), "count", lambda group: group.line or None),
        file="left-out.csv",
        what="Marks that were read and not used, and why.",
    )


def different_texts(results: Results) -> ReportTable | None:
    """Return the documents whose copies have different texts, and where these differ; None without any."""
    return table_if(
        "different-texts",
        _("Documents that are left out, and the first character in which the texts of their copies differ."),
        results.different_texts or (),
        ("document", _("Document"), "text", lambda left: left.document),
        ("file", _("File"), "text", lambda left: left.file),
        ("other", _("File with another text"), "text", lambda left: left.other),
        ("character", _("Character"), "count", lambda left: left.character),
        ("marks", _("Marks"), "count", lambda left: left.marks),
    )


# How much a report is about, in words: annotators, units, documents and categories.

# More names than these say little at the head of a page.
MOST_ANNOTATORS, MOST_LAYERS, MOST_CATEGORIES = 6, 4, 8


def scope(results: Results) -> str:
    """Return what the report is about as one sentence; of several layers, what they have in common."""
    sets = [results.primary_of(layer) for layer in results.layers]
    said = [of_layers(results.layers)] if len(sets) > 1 else []
    for say_of in SAYS:
        shared = {say_of(results, unit_set) for unit_set in sets}
        said += shared if len(shared) == 1 else ()
    return f"{', '.join(filter(None, said))}."


def of_layers(names_of: Sequence[str]) -> str:
    """Return how many layers there are, and which where they are few."""
    number = numbers.counted(len(names_of), "layer", "layers")
    return f"{number} ({names(names_of)})" if len(names_of) <= MOST_LAYERS else number


def _role_in_words(role: str, number: int, people: str) -> str:
    if role == "reference":
        return say_many("{count} {reference|references} ({names})", number, names=people)
    if role == "system":
        return say_many("{count} {system|systems} ({names})", number, names=people)
    if role == "model":
        return say_many("{count} {model|models} ({names})", number, names=people)
    return say_many("{count} {annotator|annotators} ({names})", number, names=people)


def taking_part(results: Results, unit_set: UnitSet) -> str:
    """Return who took part: annotators, and where the report is about others these too."""
    about_others = results.subject_of(unit_set.layer) in {"systems", "judge"}
    everybody = results.comparisons.people(unit_set.layer) if results.comparisons and about_others else {}
    if not everybody:
        return annotators(unit_set)
    shown = {pair.other: pair.shown_name for pair in results.comparisons.pairs} if results.comparisons else {}
    return ", ".join(
        _role_in_words(role, len(people), names(_few([shown.get(name, name) for name in people])))
        for role, people in everybody.items()
    )


def _few(people: Sequence[str]) -> list[str]:
    return [*people[:MOST_ANNOTATORS], *(["…"] if len(people) > MOST_ANNOTATORS else [])]


def annotators(unit_set: UnitSet) -> str:
    """Return how many annotators there are, and who where they are few."""
    number = len(unit_set.annotators)
    if not number:  # where control items rejected everybody
        return _("no annotators")
    if number > MOST_ANNOTATORS:
        return numbers.counted(number, "annotator", "annotators")
    return say_many("{count} {annotator|annotators} ({names})", number, names=names(unit_set.annotators))


def units(unit_set: UnitSet) -> str:
    """Return how many units there are, how many more than one annotator rated, or how many each rating."""
    labels_of_each, counted_units = ratings(unit_set), numbers.counted_in(unit_set.units, unit_set.noun)
    if labels_of_each is not None:
        return say_many(
            "{units} ({each} {ratings|ratings each})",
            unit_set.units,
            units=counted_units,
            each=numbers.count(labels_of_each),
        )
    if unit_set.units_compared >= unit_set.units or not unit_set.units_compared:
        return counted_units
    compared = numbers.count(unit_set.units_compared)
    return say("{units} ({compared} rated by more than one)", units=counted_units, compared=compared)


def ratings(unit_set: UnitSet) -> int | None:
    """Return how many of the annotators labelled each unit, None where all did or the number varies."""
    raters = {int(number) for number, units_of in unit_set.units_by_annotators.items() if units_of}
    return raters.pop() if len(raters) == 1 and 1 < min(raters) < len(unit_set.annotators) else None


def documents(unit_set: UnitSet) -> str:
    """Return how many documents there are, and how many several annotators saw; empty without any."""
    if not unit_set.documents:
        return ""
    known = unit_set.document_groups is None
    if known and unit_set.documents_compared and unit_set.documents_compared < unit_set.documents:
        return say_many(
            "{count} {document|documents} ({compared} by more than one annotator)",
            unit_set.documents,
            compared=numbers.count(unit_set.documents_compared),
        )
    return numbers.counted(unit_set.documents, "document", "documents")


def categories(results: Results, unit_set: UnitSet) -> str:
    """Return how many categories there are, of sets how many labels, and which where they are few.

    That nothing is marked is no category here, unless it is the only one.
    """
    words = unit_set.judged if unit_set.sets else unit_set.categories
    if not unit_set.annotators and results.comparisons:  # of references and systems alone
        words = results.comparisons.categories(unit_set.layer, unit_set.id) or words
    words = tuple(name for name in words if name != unit_set.non_annotated) or words
    number, in_words = len(words), names(set_apart(words))
    few = 0 < number <= MOST_CATEGORIES
    if unit_set.sets and few:
        return say_many("sets of {count} {label|labels} ({names})", number, names=in_words)
    if unit_set.sets:
        return say_many("sets of {count} {label|labels}", number)
    if few:
        return say_many("{count} {category|categories} ({names})", number, names=in_words)
    return numbers.counted(number, "category", "categories")


# What is said of a unit set, in this order; of several layers what is the same of all.
SAYS: tuple[Callable[[Results, UnitSet], str], ...] = (
    taking_part,
    lambda _results, unit_set: units(unit_set),
    lambda _results, unit_set: documents(unit_set),
    categories,
)


# What each key is called. Those of the report are on its own page, all of them on that of checklists.
OF_REPORT: Mapping[str, str] = {
    "corpus.name": N_("Corpus"),
    "corpus.version": N_("Corpus: version"),
    "corpus.language": N_("Corpus: language"),
    "corpus.documents": N_("Corpus: documents"),
    "corpus.tokens": N_("Corpus: tokens"),
    "corpus.sampled": N_("Corpus: how it was sampled"),
    "corpus.licence": N_("Corpus: licence"),
    "corpus.doi": N_("Corpus: DOI"),
    "corpus.url": N_("Corpus: address"),
    "protocol.tool": N_("Annotation tool"),
    "protocol.independent": N_("Annotators worked independently"),
    "protocol.pre_annotated_by": N_("Pre-annotated by"),
    "protocol.training": N_("Training"),
    "protocol.recruitment": N_("Recruitment"),
    "protocol.pay": N_("Pay"),
    "protocol.pay_amount": N_("Pay, the amount"),
    "protocol.pay_minimum": N_("Local minimum wage"),
    "protocol.language_proficiency": N_("Annotators’ knowledge of the language"),
    "protocol.expertise": N_("Annotators’ expertise"),
    "protocol.demographics": N_("Who the annotators are, as reported"),
    "protocol.instructions": N_("Instructions"),
    "protocol.instructions_version": N_("Version of the instructions"),
    "protocol.risks": N_("Risks for annotators"),
    "protocol.consent": N_("Consent of annotators"),
    "protocol.ethics": N_("Ethics board"),
    "protocol.began": N_("Annotation began"),
    "protocol.ended": N_("Annotation ended"),
    "protocol.software": N_("Other programs"),
    "protocol.assistants": N_("AI assistants"),
    "protocol.adjudication": N_("Adjudication"),
    "protocol.in_order": N_("Exports are in the order of the work"),
    "protocol.minutes_per_document": N_("Minutes per document"),
}
TITLES: Mapping[str, str] = {
    **OF_REPORT,
    "authors": N_("Authors of the report"),
    "references": N_("Works on this campaign"),
    "guidelines.document": N_("Guidelines, the document"),
    "guidelines.released": N_("Released on"),
    "guidelines.again": N_("Why it was released again"),
    "corpus.purpose": N_("Purpose"),
    "corpus.creators": N_("Made by"),
    "corpus.funding": N_("Funding and conflicts of interest"),
    "corpus.contents": N_("What documents are"),
    "corpus.source": N_("Where the texts come from"),
    "corpus.collection": N_("How they were collected"),
    "corpus.collection_type": N_("Kind of collection"),
    "corpus.collected": N_("When they were collected"),
    "corpus.varieties": N_("Language varieties"),
    "corpus.speakers": N_("Who wrote or spoke them"),
    "corpus.situation": N_("In which situation"),
    "corpus.preprocessing": N_("Preprocessing"),
    "corpus.raw": N_("Raw data"),
    "corpus.quality": N_("Errors and noise"),
    "corpus.missing": N_("What is missing"),
    "corpus.splits": N_("Training, development and test"),
    "corpus.personal": N_("Personal and sensitive data"),
    "corpus.anonymised": N_("Anonymisation"),
    "corpus.offensive": N_("What may offend"),
    "corpus.consent": N_("Consent of those whose texts they are"),
    "corpus.impact": N_("Effects on people"),
    "corpus.limitations": N_("Limitations"),
    "corpus.biases": N_("Biases"),
    "corpus.uses": N_("Uses"),
    "corpus.misuses": N_("What it is not for"),
    "corpus.distribution": N_("Distribution"),
    "corpus.restrictions": N_("Rights and restrictions"),
    "corpus.maintenance": N_("Maintenance"),
    "corpus.contact": N_("Contact"),
    "corpus.errata": N_("Errata"),
    "corpus.comments": N_("Other"),
}
DAYS = ("protocol.began", "protocol.ended")
# Amounts, and what is said with them.
AMOUNTS = ("protocol.pay_amount", "protocol.pay_minimum")
IN_AMOUNTS = ("protocol.pay_currency", "protocol.pay_per")
# What the keys of other tables say.
ELSEWHERE: Mapping[str, Callable[[Results], str | None]] = {
    "authors": lambda results: language.names(author.name for author in results.campaign.authors),
    "references": lambda results: _("; ").join(work.title for work in results.campaign.references),
    "guidelines.document": lambda results: results.revision.document,
    "guidelines.released": lambda results: language.date(results.revision.released or ""),
    "guidelines.again": lambda results: results.revision.again,
}


def value(results: Results, key: str) -> str:
    """Return what the campaign says under a key such as "protocol.pay", in words; empty where nothing."""
    if key in ELSEWHERE:
        return ELSEWHERE[key](results) or ""
    said = _raw(results, key)
    if said is None:
        return ""
    if key in AMOUNTS:
        currency, per = (_raw(results, name) or "" for name in IN_AMOUNTS)
        return f"{in_words(said)} {currency} / {per}"
    return language.date(str(said)) if key in DAYS else in_words(said)


def declared(results: Results) -> list[tuple[str, str]]:
    """Return what the page of the report has of it, each under its name."""
    said = ((title, value(results, key)) for key, title in OF_REPORT.items())
    return [(_(title), words) for title, words in said if words]


def place(key: str) -> str:
    """Return where a key is written: "[protocol] pay", "[[authors]]"."""
    table, _dot, name = key.partition(".")
    head = f"[{table}]" if table in {"corpus", "protocol"} else f"[[{table}]]"
    return f"{head} {name}".rstrip()


def _raw(results: Results, key: str) -> Scalar | None:
    table, _dot, name = key.partition(".")
    return (results.campaign.corpus if table == "corpus" else results.campaign.protocol).get(name)


def in_words(said: Scalar) -> str:
    """Return a value of campaign.toml as a page has it."""
    if isinstance(said, bool):
        return _("yes") if said else _("no")
    if isinstance(said, int):
        return numbers.count(said)
    return as_declared(said) if isinstance(said, float) else said


# Entries of BibTeX, whose fields nothing from a campaign can close or run.

# A digital object identifier in which nothing is an order of LaTeX; others are in a note, escaped.
DOI = re.compile(r"10\.\d{4,9}/[A-Za-z0-9._;()/:-]+")
# A name with at most one comma that parts it is one of a person; whatever else there is stays as it is.
PERSON = re.compile(r"(?!The )[^,]*[^, ](, [^, ][^,]*)?")
SEVERAL = re.compile(r"\sand\s|^and\s|\sand$|^others$", re.IGNORECASE)


def entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    """Return an entry; what is empty is left out."""
    lines = (f"  {name} = {{{value}}}," for name, value in fields.items() if value)
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])


def title(text: str) -> str:
    """Return a title whose capitals stay as they are."""
    return f"{{{field(text)}}}"


def people(names: Iterable[str]) -> str:
    """Return authors; a name that is none of a person, or would be taken for several, stays as it is."""
    return " and ".join(_person(name) for name in names if name.strip())


def _person(name: str) -> str:
    shown = field(name)
    return shown if PERSON.fullmatch(shown) and not SEVERAL.search(shown) else f"{{{shown}}}"


def identifier(doi: str) -> dict[str, str]:
    """Return the field of a digital object identifier, a note where it is none."""
    if DOI.fullmatch(doi):
        return {"doi": doi}
    return {"note": field(f"doi:{doi}")} if doi else {}


# The report itself: what computed it, and how it is cited, in one sentence and in BibTeX.


def computed_by(of: Results | VersionComparison) -> str:
    """Return which program and which libraries computed the figures."""
    libraries = ", ".join(f"{name} {version}" for name, version in sorted(of.tool.libraries.items()))
    return say(
        "Computed by {tool} {version} with {libraries}.",
        tool=of.tool.name,
        version=of.tool.version,
        libraries=libraries,
    )


def _year(results: Results) -> str:
    return (results.revision.released or "")[:4]


def text(results: Results) -> str:
    """Return one sentence that cites the report."""
    authors = ", ".join(author.name for author in results.campaign.authors)
    year = f" ({_year(results)})" if _year(results) else ""
    title, made_with = report_title(results), f"{_made(results)}."
    return f"{authors}{year}. {title}. {made_with}" if authors else f"{title}{year}. {made_with}"


def report_title(results: Results) -> str:
    """Return what the report is called where it is cited."""
    return say_either(
        results.is_unnamed,
        "{campaign}: agreement report{|, guidelines {version}}",
        campaign=results.campaign.title,
        version=results.guidelines,
    )


def _made(results: Results) -> str:
    message = pgettext("citation", "Made with {tool} {version}")
    return message.format(tool=results.tool.name, version=results.tool.version)


def key(results: Results) -> str:
    """Return what papers cite the report by."""
    return re.sub(r"[^A-Za-z0-9-]", "-", f"{results.campaign.id}-{results.guidelines}-agreement")


def bibtex(results: Results) -> str:
    """Return a BibTeX entry for the report, its values made harmless for LaTeX."""
    authors = people(author.name for author in results.campaign.authors)
    fields = {
        "author": authors,
        "title": title(report_title(results)),
        "year": _year(results),
        "note": field(_made(results)),
        # What an entry without authors is sorted by.
        "key": "" if authors else title(results.campaign.title),
    }
    return entry("misc", key(results), fields)
