"""Pseudonyms, put in before anything is rendered, so that pages, results, paths and inputs agree."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

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
            replace(each, annotators=tuple(names.get(name, name) for name in each.annotators))
            for each in study.unit_sets
        ),
        left_out=tuple(
            replace(
                each, annotator=names.get(each.annotator, each.annotator), file=hide_in_path(each.file, names)
            )
            for each in study.left_out
        ),
    )


def hide_in_path(file: str, names: Mapping[str, str]) -> str:
    """Return a path with pseudonyms for the folders and file names that are an annotator's name."""
    return "/".join(_hide(part, names) for part in PurePosixPath(file).parts)


def _hide(part: str, names: Mapping[str, str]) -> str:
    stem, dot, suffix = part.partition(".")
    return names.get(part) or names.get(stem, stem) + dot + suffix
