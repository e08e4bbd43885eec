"""Pseudonyms, put in before anything is rendered, so that pages, results, paths and inputs agree."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from reportgen.study.coded import Study

WIDTH = 2


def pseudonyms(versions: Iterable[Iterable[str]]) -> dict[str, str]:
    """Return A01, A02, … for each annotator, numbered by guidelines version and then by name.

    A later version changes no earlier number.
    """
    ordered = dict.fromkeys(name for names in versions for name in sorted(names))
    return {name: f"A{place:0{WIDTH}}" for place, name in enumerate(ordered, 1)}


def with_pseudonyms(study: Study, names: Mapping[str, str]) -> Study:
    """Return the study with other names for its annotators."""
    return replace(
        study,
        unit_sets=tuple(
            replace(
                each,
                annotators=tuple(names.get(name, name) for name in each.annotators),
                candidates=each.candidates
                and replace(each.candidates, file=hide_in_path(each.candidates.file, names)),
            )
            for each in study.unit_sets
        ),
        left_out=tuple(
            replace(
                each, annotator=names.get(each.annotator, each.annotator), file=hide_in_path(each.file, names)
            )
            for each in study.left_out
        ),
        material=replace(
            study.material,
            attendance=tuple(
                replace(each, annotator=names.get(each.annotator, each.annotator))
                for each in study.material.attendance
            ),
        ),
        spans=study.spans and replace(study.spans, people=_renamed(study.spans.people, names)),
        compared=tuple(
            replace(
                each,
                units=replace(each.units, annotators=_renamed(each.units.annotators, names)),
                derived=_renamed(each.derived, names),
            )
            for each in study.compared
        ),
        controls=study.controls
        and replace(
            study.controls,
            units=replace(study.controls.units, annotators=_renamed(study.controls.units.annotators, names)),
        ),
        passes=study.passes and replace(study.passes, people=_renamed(study.passes.people, names)),
    )


def _renamed(people: Iterable[str], names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(names.get(name, name) for name in people)


def hide_in_path(file: str, names: Mapping[str, str]) -> str:
    """Return a path with pseudonyms for the annotators' names in it, where they stand as words of their own.

    The longest name is taken where several begin at one place: "A1" in "A1_doc3.csv", not in "A10.csv".
    """
    return _any_of(names).sub(lambda found: names[found.group()], file) if names else file


def names_in_paths(files: Iterable[str], names: Mapping[str, str]) -> set[str]:
    """Return the names that `hide_in_path` finds in any of some paths."""
    if not names:
        return set()
    pattern = _any_of(names)
    return {found for file in files for found in pattern.findall(file)}


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    """Return what finds names where they stand as words of their own, the longest of several."""
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    word = "|".join(re.escape(name) for name in longest_first)
    return re.compile(rf"(?<![^\W_])(?:{word})(?![^\W_])")
