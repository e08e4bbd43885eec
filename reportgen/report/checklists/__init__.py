"""What reviewers and catalogues ask of a corpus: each checklist is a TOML file here, question by question.

A question names the keys of campaign.toml and the figures of the report that answer it, or says why it is
none for a campaign. Which key answers what is said in these files alone, for pages, `reportgen checklist` and
croissant.json.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reportgen.base.dataclass import dataclass

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


def _checklist(name: str) -> Checklist:
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


CHECKLISTS: Mapping[str, Checklist] = {name: _checklist(name) for name in IDS}
