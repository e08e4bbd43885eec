"""The quality of one layer's annotators and items."""

from collections.abc import Mapping
from dataclasses import dataclass

from reportgen.agreement import Estimate, Setting, Whole
from reportgen.campaign import ControlItems
from reportgen.counts import Counts
from reportgen.quality.beside import Beside, beside
from reportgen.quality.controls import Accuracy, accuracies
from reportgen.quality.drift import Drift, drifts
from reportgen.quality.errors import Errors, NotFitted, errors
from reportgen.quality.items import Difficulty, difficulty
from reportgen.quality.ratings import has_documents, ratings_of
from reportgen.quality.standing import Standing, standings
from reportgen.quality.twice import Twice, agreement_with_oneself
from reportgen.quality.without import without
from reportgen.study import CodedUnits, Study

OBSERVED = "observed_agreement"
SEVERAL = 3


@dataclass(frozen=True, eq=False)
class Subject:
    """What is asked about: a layer without rejected annotators, and with everybody.

    `units`, `counts` and `setting` are those of the primary unit set; `everybody` is None where nobody was
    rejected; `figure` is the primary coefficient.
    """

    study: Study
    units: CodedUnits
    counts: Counts
    setting: Setting
    figure: str
    rule: ControlItems | None = None
    everybody: tuple[CodedUnits, Setting] | None = None


@dataclass(frozen=True, eq=False)
class LayerQuality:
    """The quality of one layer's annotators and items: never agreement.

    `standings` and `drifts` are in the order of the annotators of `units`, and empty where there are only
    two. `without` has the primary coefficient without some of them, by their codes. `by_document` says
    whether drift is over documents, or over units in their order.
    """

    units: CodedUnits
    rule: ControlItems | None
    items: int
    absent: tuple[int, ...]
    accuracies: tuple[Accuracy, ...]
    beside: Mapping[str, Beside]
    errors: Errors | NotFitted
    difficulty: Difficulty | None
    standings: tuple[Standing, ...]
    without: Mapping[int, Estimate]
    drifts: tuple[Drift | None, ...]
    by_document: bool
    twice: tuple[Twice, ...]


def assess(subject: Subject) -> LayerQuality:
    """Return the quality of one layer."""
    study, units = subject.study, subject.units
    ratings = ratings_of(units)
    several = len(units.annotators) >= SEVERAL
    standing = tuple(standings(ratings)) if several else ()
    controls, passes = study.controls, study.passes
    return LayerQuality(
        units=units,
        rule=subject.rule if controls else None,
        items=len(controls.truth) if controls else 0,
        absent=controls.absent if controls else (),
        accuracies=tuple(accuracies(controls, subject.rule)) if controls and subject.rule else (),
        beside=_beside(subject),
        errors=errors(units, controls),
        difficulty=difficulty(Whole(units, subject.counts, subject.setting)),
        standings=standing,
        without=without(units, subject.setting, subject.figure, standing),
        drifts=tuple(drifts(ratings)) if several else (),
        by_document=has_documents(ratings),
        twice=tuple(agreement_with_oneself(passes, subject.setting, subject.figure)) if passes else (),
    )


def _beside(subject: Subject) -> dict[str, Beside]:
    if subject.everybody is None:
        return {}
    return beside(subject.everybody, (subject.units, subject.setting), (subject.figure, OBSERVED))
