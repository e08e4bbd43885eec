"""The quality of one layer's annotators and items: never agreement."""

from collections.abc import Mapping
from dataclasses import dataclass

from reportgen.annotators.annotator_errors import errors
from reportgen.annotators.annotator_vs_rest import OBSERVED, has_documents, ratings_of, standings
from reportgen.annotators.controls import beside, control_results, without
from reportgen.annotators.crowds import crowd_tables, is_crowd, shown
from reportgen.annotators.difficulty import difficulty
from reportgen.annotators.drift import drifts
from reportgen.annotators.intra_annotator import agreement_with_oneself
from reportgen.campaign import ControlItems
from reportgen.counts import Counts
from reportgen.measures import Setting, Whole
from reportgen.results import Quality
from reportgen.results.annotators import Controls, Standing
from reportgen.units import CodedUnits, Study

SEVERAL = 3


@dataclass(frozen=True, eq=False)
class Subject:
    """What is asked about: a layer without rejected annotators, and with everybody.

    `units`, `counts` and `setting` are those of the primary unit set; `everybody` is None where nobody was
    rejected; `coefficient` is the primary one.
    """

    study: Study
    units: CodedUnits
    counts: Counts
    setting: Setting
    coefficient: str
    rule: ControlItems | None = None
    everybody: tuple[CodedUnits, Setting] | None = None


@dataclass(frozen=True)
class LayerQuality:
    """The quality of one layer, and by path the CSV of what is too large for results."""

    quality: Quality
    tables: Mapping[str, str]


def assess(subject: Subject) -> LayerQuality:
    """Return the quality of one layer; of a crowd results have the worst, and tables everybody."""
    units, passes = subject.units, subject.study.passes
    model, confusions = errors(units, subject.study.controls, matrices=not is_crowd(units.annotators))
    people, by_document = _standings(subject)
    everybody = Quality(
        layer=units.layer,
        unit_set=units.id,
        controls=_controls(subject),
        dawid_skene=model,
        difficulty=difficulty(Whole(units, subject.counts, subject.setting)),
        by_document=by_document,
        annotators=people,
        annotators_in_all=len(units.annotators),
        intra_annotator=tuple(agreement_with_oneself(passes, subject.setting, subject.coefficient))
        if passes
        else (),
    )
    tables = dict(crowd_tables(everybody))
    if confusions is not None:
        tables[f"tables/dawid-skene.{units.layer}.csv"] = confusions
    return LayerQuality(shown(everybody), tables)


def _controls(subject: Subject) -> Controls | None:
    controls, rule = subject.study.controls, subject.rule
    if controls is None or rule is None:
        return None
    kept, wanted = (subject.units, subject.setting), (subject.coefficient, OBSERVED)
    agreement = beside(subject.everybody, kept, wanted) if subject.everybody else {}
    return control_results(controls, rule, agreement)


def _standings(subject: Subject) -> tuple[tuple[Standing, ...], bool]:
    """Return each of three annotators or more beside the others, and whether drift is over documents."""
    units, ratings = subject.units, ratings_of(subject.units)
    by_document = has_documents(ratings)
    if len(units.annotators) < SEVERAL:
        return (), by_document
    found = standings(ratings)
    kept = without(units, subject.setting, subject.coefficient, found)
    people = [
        each.model_copy(update={"without": kept.get(each.annotator), "drift": drift})
        for each, drift in zip(found, drifts(ratings), strict=True)
    ]
    return tuple(people), by_document
