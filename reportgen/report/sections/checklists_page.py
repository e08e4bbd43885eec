"""The page of checklists: what reviewers and catalogues ask, what answers it, and what is open."""

from collections import Counter

from reportgen.report import declarations
from reportgen.report.blocks import (
    Code,
    Details,
    FactsBlock,
    Inline,
    Items,
    Link,
    Section,
    SectionPage,
    Strong,
    Text,
    commas,
    paragraph,
    phrase,
    remark,
    sentences,
)
from reportgen.report.checklists import CHECKLISTS, Checklist
from reportgen.report.checklists.answers import FIGURES, STATES, ChecklistAnswer, Said, answers
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.words.language import _, named_value

# The page, from the version's folder, and the same as Markdown.
CHECKLIST_PAGE = "checklists/index.html"
CHECKLIST_MARKDOWN = "checklists.md"
# Longer answers are whole in campaign.toml and results.json.
MOST_SIGNS = 600


def checklists_page(view: ReportView) -> SectionPage:
    """Return the four checklists with what this campaign answers."""
    markdown = phrase("The same as {markdown}.", markdown=Link("Markdown", CHECKLIST_MARKDOWN))
    sections = [checklist_section(view.results, checklist) for checklist in CHECKLISTS.values()]
    lead = _(
        "What reviewers and catalogues ask of a corpus, in short words, and what campaign.toml and this "
        "report answer. Nothing is inferred: what nobody wrote is open."
    )
    return SectionPage(_("Checklists"), (paragraph(markdown, elsewhere=True), *sections), lead)


def checklist_section(results: Results, checklist: Checklist) -> Section:
    """Return a checklist, question by question, and how many of each part are answered."""
    by_question = {answer.question: answer for answer in answers(results, checklist)}
    groups = []
    for group in checklist.groups:
        own = [by_question[question] for question in group.questions]
        counts = Counter(answer.state for answer in own)
        states = [f"{_(title).lower()} {counts[state]}" for state, title in STATES.items() if counts[state]]
        title = f"{_(group.title)} ({', '.join(states)})"
        groups.append(Details(title, (FactsBlock(tuple(map(_fact, own))),)))
    original = remark(phrase("The original: {source}.", source=Link(checklist.source, checklist.source)))
    return Section(checklist.id, _(checklist.name), (original, *groups))


def _fact(answer: ChecklistAnswer) -> tuple[str, Items]:
    question = answer.question
    head = named_value(question.item.removeprefix("rai:"), _(question.asks))
    state = Strong(f"{_(STATES[answer.state])}.")
    reason = _(question.reason) if answer.state == "does not apply" else ""
    keys = commas(Code(declarations.place(key)) for key in answer.open)
    to_write = phrase("To write: {keys}.", keys=keys) if answer.open else ""
    return head, Items((sentences(state, to_write, reason), *map(_said, answer.said)))


def _said(said: Said) -> Text:
    """Return an answer behind what it is called, and where it comes from."""
    text = said.text if len(said.text) <= MOST_SIGNS else f"{said.text[:MOST_SIGNS].rstrip()}…"
    source: Inline = Code(said.place) if said.place else Link(said.title, FIGURES[said.source][1])
    return phrase("{name}: {value}", name=source, value=" ".join(text.split()))
