"""What the campaign says of its corpus and of how it was annotated, key by key, in words."""

from collections.abc import Callable, Mapping

from reportgen.report.tables import setting
from reportgen.results import Results, Scalar
from reportgen.words import language, numbers
from reportgen.words.language import N_, _

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
    return setting(said) if isinstance(said, float) else said
