"""What is to be done with a new campaign.toml."""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

from reportgen.errors import Problem
from reportgen.scaffold.text import to_do
from reportgen.survey import CONFIGURATION, Survey

PAIR = 2
SITE = "site"


def next_steps(survey: Survey, text: str) -> list[str]:
    """Return what is to be done before the report can be built, and what makes it a better one."""
    file = (Path(survey.name) / CONFIGURATION).as_posix()
    return [*_columns(survey, file, text), *_mending(survey), *_people(survey), _reasons(file)]


def _columns(survey: Survey, file: str, text: str) -> Iterator[str]:
    versions = [version.id for version in survey.versions if version.found.to_choose]
    for version, line in zip(versions, to_do(text), strict=True):
        yield f'{file}:{line}: choose the columns of version "{version}", and take the "#" away.'


def _mending(survey: Survey) -> Iterator[str]:
    for version in survey.versions:
        for problem in version.found.problems:
            yield str(_with_folder(problem, survey.name))


def _with_folder(problem: Problem, folder: str) -> Problem:
    file = (Path(folder) / problem.file).as_posix() if problem.file else f"version {folder}"
    return Problem(file, problem.line, problem.key, problem.message, problem.mend)


def _people(survey: Survey) -> Iterator[str]:
    for version in survey.versions:
        if len(version.found.annotators) < PAIR and not version.found.to_choose:
            yield f'Version "{version.id}" has a single annotator: agreement needs two.'


def _reasons(file: str) -> str:
    return f"{file}: say why these units count (why = …), and what else is known of the campaign."


def command(folder: Path) -> str:
    """Return the command that builds the report, from where the user is."""
    words = ["reportgen", "build", str(folder)]
    if Path(SITE).resolve().is_relative_to(folder.resolve()):
        words += ["--out", os.path.relpath(folder.resolve().parent / SITE)]
    return shlex.join(words)
