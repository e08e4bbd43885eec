"""What a campaign and its report answer to the questions of checklists, and what is open."""

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from reportgen.base.dataclass import dataclass
from reportgen.report import citation, declarations, material
from reportgen.report.checklists import Checklist, Question
from reportgen.results import Results
from reportgen.results.facts import DeclaredModel
from reportgen.results.model import OfData
from reportgen.words import headline, numbers
from reportgen.words.language import N_, _, named_value, say
from reportgen.words.names import figure_name

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


# What the report says of each thing: its title, where that is, from the version's folder, and the words.
FIGURES: Mapping[str, tuple[str, str, Callable[[Results], str]]] = {
    "scope": (N_("What was annotated"), "index.html#data", material.scope),
    "agreement": (N_("Agreement"), "index.html#verdict", _agreement),
    "limitations": (N_("Findings"), "index.html#limits", _of_findings("limitation")),
    "biases": (N_("Findings"), "index.html#findings", _of_findings("bias")),
    "disagreement": (N_("Findings"), "index.html#findings", _of_findings("disagreement")),
    "models": (N_("Models among the annotators"), "index.html#data", _models),
    "groups": (N_("Groups of annotators"), "index.html#groups", groups_in_words),
    "program": (N_("Provenance"), "index.html#provenance", citation.computed_by),
    "citation": (N_("The report"), "index.html#cite", citation.text),
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


def _answer(results: Results, question: Question) -> ChecklistAnswer:
    by_key = {key: declarations.value(results, key) for key in question.every_key}
    said = [Said(key, _(declarations.TITLES[key]), text) for key, text in by_key.items() if text]
    for name in question.figures:
        title, _href, says = FIGURES[name]
        if text := says(results):
            said.append(Said(name, _(title), text))
    # Of keys one of which is enough, the first is the one to write.
    missing = tuple(group[0] for group in question.keys if not any(by_key[key] for key in group))
    if all(each.source in FOUND for each in said):
        return ChecklistAnswer(question, "open" if question.keys else "does not apply", tuple(said), missing)
    return ChecklistAnswer(question, "partly" if missing else "answered", tuple(said), missing)
