"""The page of checklists: what reviewers and catalogues ask, what answers it, and what is open."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from reportgen.report import declarations
from reportgen.report.blocks import (
    Block,
    Code,
    Details,
    FactsBlock,
    Inline,
    Items,
    Link,
    Section,
    SectionPage,
    Strong,
    TableBlock,
    Text,
    commas,
    paragraph,
    phrase,
    remark,
    sentences,
)
from reportgen.report.checklists import CHECKLISTS, Checklist
from reportgen.report.checklists.answers import (
    FIGURES,
    STATES,
    ChecklistAnswer,
    Said,
    every_answer,
    open_keys,
)
from reportgen.report.tables import ReportTable, columns_of, table_of
from reportgen.report.view import ReportView
from reportgen.words.language import N_, _, named_value, say_many

# The page, from the version's folder, and the same as Markdown.
CHECKLIST_PAGE = "checklists/index.html"
CHECKLIST_MARKDOWN = "checklists.md"
# More open keys are folded; longer answers are whole in campaign.toml and results.json.
MOST_KEYS, MOST_SIGNS = 12, 600
SHORT: Mapping[str, str] = {
    "acl": N_("ACL"),
    "datasheet": N_("Datasheet"),
    "data-statement": N_("Data statement"),
    "croissant-rai": N_("Croissant"),
}


def checklists_page(view: ReportView) -> SectionPage:
    """Return the four checklists with what this campaign answers."""
    answered = every_answer(view.results)
    blocks = (
        TableBlock(_numbers(answered)),
        paragraph(
            phrase("The same as {markdown}.", markdown=Link("Markdown", CHECKLIST_MARKDOWN)), elsewhere=True
        ),
        *_open(answered),
        *(_checklist(checklist, answered[name]) for name, checklist in CHECKLISTS.items()),
    )
    lead = _(
        "What reviewers and catalogues ask of a corpus, in short words, and what campaign.toml and this "
        "report answer. Nothing is inferred: what nobody wrote is open."
    )
    return SectionPage(_("Checklists"), blocks, lead)


def _numbers(answered: Mapping[str, Sequence[ChecklistAnswer]]) -> ReportTable:
    """Return how many questions of each checklist are answered, partly, open, and none here."""
    return table_of(
        "checklists",
        _("How many questions of each list are answered."),
        [(name, Counter[str](answer.state for answer in own)) for name, own in answered.items()],
        ("checklist", _("Checklist"), "text", lambda row: _(SHORT[row[0]])),
        *columns_of(
            {state: _(title) for state, title in STATES.items()}, "count", lambda row, state: row[1][state]
        ),
        href=lambda row: f"#{row[0]}",
    )


def _open(answered: Mapping[str, list[ChecklistAnswer]]) -> Iterator[Block]:
    """Yield the keys that are open, with the questions that each would answer."""
    keys = open_keys(answered)
    if not keys:
        return
    rows = []
    for key, asked in keys.items():
        items: dict[str, list[str]] = {}
        for name, item in asked:
            items.setdefault(name, []).append(item.removeprefix("rai:"))
        asking = _("; ").join(f"{_(SHORT[name])} {', '.join(own)}" for name, own in items.items())
        rows.append((declarations.place(key), _(declarations.TITLES[key]), asking))
    blocks: list[Block] = [TableBlock(_keys("open", rows[:MOST_KEYS]), _("Key of campaign.toml"))]
    if more := rows[MOST_KEYS:]:
        summary = say_many("{count} more {key|keys}", len(more))
        blocks.append(Details(summary, (TableBlock(_keys("open-more", more), summary),)))
    said = _("Each key of campaign.toml that is open, those first that answer most questions.")
    yield Section("open", _("What to write"), (remark(said), *blocks))


def _keys(name: str, rows: Sequence[tuple[str, str, str]]) -> ReportTable:
    return table_of(
        name,
        "",
        rows,
        ("key", _("Key of campaign.toml"), "text", lambda row: row[0]),
        ("says", _("What it says"), "text", lambda row: row[1]),
        ("asked", _("Who asks"), "text", lambda row: row[2]),
    )


def _checklist(checklist: Checklist, answered: Sequence[ChecklistAnswer]) -> Section:
    by_question = {answer.question: answer for answer in answered}
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
    source: Inline = Code(said.place) if said.place else Link(said.title, FIGURES[said.source].href)
    return phrase("{name}: {value}", name=source, value=" ".join(text.split()))
