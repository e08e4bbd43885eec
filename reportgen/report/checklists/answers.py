"""What a campaign and its report answer to the questions of checklists, and what is open."""

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from reportgen.base.dataclass import dataclass
from reportgen.report import citation, declarations, material
from reportgen.report.checklists import CHECKLISTS, Checklist, Question
from reportgen.results import Results
from reportgen.results.facts import DeclaredModel
from reportgen.results.model import OfData
from reportgen.words import headline, language, numbers
from reportgen.words.language import N_, _, named_value, say
from reportgen.words.names import figure_name

State = Literal["answered", "partly", "open", "does not apply"]
STATES: Mapping[State, str] = {
    "answered": N_("Answered"),
    "partly": N_("Partly"),
    "open": N_("Open"),
    "does not apply": N_("Does not apply"),
}
# So many claims of findings of one kind, and so many numbers of labels, say enough.
MOST_CLAIMS, MOST_NUMBERS = 3, 10
GRAVE = ("problem", "warning")

# What the report itself answers.


@dataclass(frozen=True)
class ReportFigure:
    """What the report says of one thing: its title, where that is, from the version's folder, and the words.

    `always`: there is no report that says nothing of it. `found`: it is what rules find in the figures; it
    adds to an answer and is none by itself, since other rules may find otherwise.
    """

    title: str
    href: str
    says: Callable[[Results], str]
    always: bool = False
    found: bool = False


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


def _labels_of_units(results: Results) -> str:
    """Return how many units of each layer how many annotators labelled."""
    of_layers = []
    for layer in results.layers:
        by_number = results.primary_of(layer).units_by_annotators
        ordered = sorted((int(number), units) for number, units in by_number.items() if units)
        shown = [named_value(numbers.count(number), numbers.count(units)) for number, units in ordered]
        more = ["…"] if len(shown) > MOST_NUMBERS else []
        of_layers.append(_("; ").join([*shown[:MOST_NUMBERS], *more]))
    said = language.names(dict.fromkeys(of_layers))
    return say("Units by how many annotators labelled them: {numbers}.", numbers=said)


def _left_out(results: Results) -> str:
    marks = results.marks
    return say(
        "Marks read: {read}; left out: {left_out}, the report says why; missing labels: {missing}.",
        read=numbers.count(marks.read),
        left_out=numbers.count(marks.left_out),
        missing=numbers.count(marks.missing),
    )


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
        named_value(_(title), declarations.in_words(declared))
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


FIGURES: Mapping[str, ReportFigure] = {
    "scope": ReportFigure(N_("What was annotated"), "index.html#data", material.scope, always=True),
    "agreement": ReportFigure(N_("Agreement"), "index.html#verdict", _agreement, always=True),
    "per_item": ReportFigure(N_("Labels of each unit"), "index.html#scatter", _labels_of_units, always=True),
    "limitations": ReportFigure(N_("Findings"), "index.html#limits", _of_findings("limitation"), found=True),
    "biases": ReportFigure(N_("Findings"), "index.html#findings", _of_findings("bias"), found=True),
    "disagreement": ReportFigure(
        N_("Findings"), "index.html#findings", _of_findings("disagreement"), found=True
    ),
    "left_out": ReportFigure(N_("Marks that were left out"), "index.html#marks", _left_out, always=True),
    "models": ReportFigure(N_("Models among the annotators"), "index.html#data", _models),
    "groups": ReportFigure(N_("Groups of annotators"), "index.html#groups", groups_in_words),
    "program": ReportFigure(N_("Provenance"), "index.html#provenance", citation.computed_by, always=True),
    "citation": ReportFigure(N_("The report"), "index.html#cite", citation.text, always=True),
    "glossary": ReportFigure(
        N_("Measures"),
        "measures/index.html",
        lambda _results: _("Each measure of the report is explained on a page of its own."),
        always=True,
    ),
}

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
        return "" if self.source in FIGURES else declarations.place(self.source)


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


def every_answer(results: Results) -> dict[str, list[ChecklistAnswer]]:
    """Return the answers to all checklists, by their ids."""
    return {name: answers(results, checklist) for name, checklist in CHECKLISTS.items()}


def _answer(results: Results, question: Question) -> ChecklistAnswer:
    by_key = {key: declarations.value(results, key) for key in question.every_key}
    by_figure = {name: FIGURES[name].says(results) for name in question.figures}
    said = (
        *(Said(key, _(declarations.TITLES[key]), text) for key, text in by_key.items() if text),
        *(Said(name, _(FIGURES[name].title), text) for name, text in by_figure.items() if text),
    )
    # Of keys one of which is enough, the first is the one to write.
    missing = tuple(group[0] for group in question.keys if not any(by_key[key] for key in group))
    any_said = any(each.source not in FIGURES or not FIGURES[each.source].found for each in said)
    return ChecklistAnswer(question, _state(question, missing, any_said=any_said), said, missing)


def _state(question: Question, missing: tuple[str, ...], *, any_said: bool) -> State:
    if not any_said:
        return "open" if question.keys else "does not apply"
    return "partly" if missing else "answered"


def open_keys(answered: Mapping[str, list[ChecklistAnswer]]) -> dict[str, list[tuple[str, str]]]:
    """Return the keys that are open, those first that most questions ask for, each with who asks.

    Who asks is the id of a checklist and the item of its question.
    """
    asking: dict[str, list[tuple[str, str]]] = {}
    for name, own in answered.items():
        for answer in own:
            for key in answer.open:
                asking.setdefault(key, []).append((name, answer.question.item))
    return dict(sorted(asking.items(), key=lambda item: -len(item[1])))
