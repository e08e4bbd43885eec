"""Named answers; templates hold the questions.

What reviewers and catalogues ask of a corpus: each checklist is a TOML file here, question by question.

A question names the keys of campaign.toml and the figures of the report that answer it, or says why it is
none for a campaign. Which key answers what is said in these files alone, for pages, `reportgen checklist` and
croissant.json.

What a campaign and its report answer to the questions of checklists, and what is open.

The page of checklists: what reviewers and catalogues ask, what answers it, and what is open.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from reportgen.base.dataclass import dataclass
from reportgen.report import material
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
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.results.model import DeclaredModel, OfData
from reportgen.words import headline, numbers
from reportgen.words.language import N_, _, named_value, say
from reportgen.words.names import figure_name

# In the order in which pages show them.
IDS = ("acl", "datasheet", "data-statement", "croissant-rai")
EITHER = " | "


@dataclass(frozen=True)
class Question:
    """One question, in our words, by the number or name of the original's item.

    - `keys`: what answers it; of each group one key is enough, and all groups are the whole answer.
    - `also`: keys that add to the answer, and are not missed.
    - `figures`: what the report itself says (`answers.FIGURES`).
    - `reason`: why it is no question here, where no key and no figure says anything.
    """

    item: str
    asks: str
    keys: tuple[tuple[str, ...], ...] = ()
    also: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    reason: str = ""

    @property
    def every_key(self) -> tuple[str, ...]:
        """Return all keys that may say something, in order."""
        return tuple(key for group in (*self.keys, self.also) for key in group)


@dataclass(frozen=True)
class QuestionGroup:
    """The questions of a section of a checklist."""

    title: str
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Checklist:
    """A checklist: its name, where the original is, and its questions."""

    id: str
    name: str
    source: str
    groups: tuple[QuestionGroup, ...]

    @property
    def questions(self) -> tuple[Question, ...]:
        """Return all questions."""
        return tuple(question for group in self.groups for question in group.questions)


def _read_checklist(name: str) -> Checklist:
    content = tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))
    groups = (
        QuestionGroup(title, tuple(_question(item, given) for item, given in questions.items()))
        for title, questions in content["sections"].items()
    )
    return Checklist(name, content["name"], content["source"], tuple(groups))


def _question(item: str, given: Mapping[str, Any]) -> Question:
    keys = tuple(tuple(group.split(EITHER)) for group in given.get("keys", ()))
    lists = {name: tuple(given.get(name, ())) for name in ("also", "figures")}
    return Question(item, given["asks"], keys, **lists, reason=given.get("reason", ""))


CHECKLISTS: Mapping[str, Checklist] = {name: _read_checklist(name) for name in IDS}


State = Literal["answered", "partly", "open", "does not apply"]
STATES: Mapping[State, str] = {
    "answered": N_("Answered"),
    "partly": N_("Partly"),
    "open": N_("Open"),
    "does not apply": N_("Does not apply"),
}
# So many claims of findings of one kind say enough.
MOST_CLAIMS = 3
GRAVE = ("problem", "warning")

# What the report itself answers.


def _of_findings(kind: OfData) -> Callable[[Results], str]:
    """Return what gives the gravest claims of one kind that findings make of the data."""

    def claims(results: Results) -> Iterator[str]:
        for finding in results.findings:
            if finding.of_data == kind and (finding.severity in GRAVE or kind == "disagreement"):
                yield numbers.note(finding).claim

    return lambda results: " ".join([*dict.fromkeys(claims(results))][:MOST_CLAIMS])


def _agreement(results: Results) -> str:
    """Return the figure that each layer is judged by, with its interval."""
    several = len(results.layers) > 1
    of_layers = []
    for standing in headline.standings(results):
        answer = results.answer_of(standing.layer)
        name = answer.name if answer else figure_name(results, standing.coefficient)
        figure = numbers.estimate(answer.value if answer else standing.figure)
        where = say("layer {layer}", layer=standing.layer) if several else ""
        of_layers.append(" ".join(filter(None, (_(name), figure, f"({where})" if where else ""))))
    return f"{_('; ').join(of_layers)}."


MODEL: Mapping[str, str] = {
    "model": N_("model"),
    "provider": N_("provider"),
    "version": N_("version"),
    "prompt": N_("prompt"),
    "temperature": N_("temperature"),
    "seed": N_("seed"),
    "date": N_("date"),
    "examples": N_("examples in the prompt"),
}


def _models(results: Results) -> str:
    return " ".join(map(model_in_words, results.campaign.models or ()))


def model_in_words(model: DeclaredModel) -> str:
    """Return what is declared of a model."""
    said = (
        named_value(_(title), material.in_words(declared))
        for name, title in MODEL.items()
        if (declared := getattr(model, name)) is not None
    )
    return named_value(model.annotator, _("; ").join(said) or _("nothing is declared")) + "."


def groups_in_words(results: Results) -> str:
    """Return how many annotators each group has that is told of: in the first layer that has it."""
    of_attributes: dict[str, str] = {}
    for table in results.groups.layers if results.groups else ():
        sizes = [named_value(own.group, numbers.count(own.people)) for own in table.groups]
        if sizes:
            said = say(
                "Annotators by {attribute}: {sizes}.", attribute=table.attribute, sizes=_("; ").join(sizes)
            )
            of_attributes.setdefault(table.attribute, said)
    return " ".join(of_attributes.values())


# What the report says of each thing: its title, where that is, from the version's folder, and the words.
FIGURES: Mapping[str, tuple[str, str, Callable[[Results], str]]] = {
    "scope": (N_("What was annotated"), "index.html#data", material.scope),
    "agreement": (N_("Agreement"), "index.html#verdict", _agreement),
    "limitations": (N_("Findings"), "index.html#limits", _of_findings("limitation")),
    "biases": (N_("Findings"), "index.html#findings", _of_findings("bias")),
    "disagreement": (N_("Findings"), "index.html#findings", _of_findings("disagreement")),
    "models": (N_("Models among the annotators"), "index.html#data", _models),
    "groups": (N_("Groups of annotators"), "index.html#groups", groups_in_words),
    "program": (N_("Provenance"), "index.html#provenance", material.computed_by),
    "citation": (N_("The report"), "index.html#cite", material.text),
}
# What rules find adds to an answer and is none by itself, since other rules may find otherwise.
FOUND = {"limitations", "biases", "disagreement"}

# The answers to a checklist.


@dataclass(frozen=True)
class Said:
    """One answer: the key of campaign.toml or the figure that it comes from, the name of that, its words."""

    source: str
    title: str
    text: str

    @property
    def place(self) -> str:
        """Return the key as campaign.toml has it; empty of a figure."""
        return "" if self.source in FIGURES else material.place(self.source)


@dataclass(frozen=True)
class ChecklistAnswer:
    """What there is to one question: its state, what answers it, and the keys that are open."""

    question: Question
    state: State
    said: tuple[Said, ...]
    open: tuple[str, ...]


def answers(results: Results, checklist: Checklist) -> list[ChecklistAnswer]:
    """Return what there is to each question of a checklist, in order."""
    return [_answer(results, question) for question in checklist.questions]


def _answer(results: Results, question: Question) -> ChecklistAnswer:
    by_key = {key: material.value(results, key) for key in question.every_key}
    said = [Said(key, _(material.TITLES[key]), text) for key, text in by_key.items() if text]
    for name in question.figures:
        title, _href, says = FIGURES[name]
        if text := says(results):
            said.append(Said(name, _(title), text))
    # Of keys one of which is enough, the first is the one to write.
    missing = tuple(group[0] for group in question.keys if not any(by_key[key] for key in group))
    if all(each.source in FOUND for each in said):
        return ChecklistAnswer(question, "open" if question.keys else "does not apply", tuple(said), missing)
    return ChecklistAnswer(question, "partly" if missing else "answered", tuple(said), missing)


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
    keys = commas(Code(material.place(key)) for key in answer.open)
    to_write = phrase("To write: {keys}.", keys=keys) if answer.open else ""
    return head, Items((sentences(state, to_write, reason), *map(_said, answer.said)))


def _said(said: Said) -> Text:
    """Return an answer behind what it is called, and where it comes from."""
    text = said.text if len(said.text) <= MOST_SIGNS else f"{said.text[:MOST_SIGNS].rstrip()}…"
    source: Inline = Code(said.place) if said.place else Link(said.title, FIGURES[said.source][1])
    return phrase("{name}: {value}", name=source, value=" ".join(text.split()))
