"""What a table leaves open: each answer with what it would give, and one key press on a terminal."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

import typer

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, printable
from reportgen.readers import ReaderOptions
from reportgen.readers.table_reading import SeveralQuestions, TableReading, options_of
from reportgen.readers.table_refusals import SeveralReadings, in_words
from reportgen.readers.table_shapes import Shape

MOST = 9
Reading = TypeVar("Reading")


@dataclass(frozen=True)
class Alternative(Generic[Reading]):
    """One way to read a table, what it is in words, and what it gives."""

    reading: Reading
    words: str
    gives: str = ""


def answers_to(error: BadInput, reading: ReaderOptions) -> list[Alternative[ReaderOptions]]:
    """Return the answers to what reading a table by options has left open, none where nothing is asked."""
    if isinstance(error, SeveralQuestions):
        return [
            Alternative(replace(reading, columns={**reading.columns, "label": name}), name)
            for name in error.questions[:MOST]
        ]
    if not isinstance(error, SeveralReadings):
        return []
    found = []
    every = [(shape, label) for shape in error.ways for label in _labels(shape)]
    for way, label in every[:MOST]:
        own = options_of(TableReading(way, questions=(label,) if label else ()))
        options = replace(
            reading,
            columns={**own.columns, **reading.columns},
            path=own.path or reading.path,
            headers=own.headers,
            indicators=own.indicators,
            raters=own.raters,
            turned=own.turned,
        )
        labels = f", labels in {label}" if len(_labels(way)) > 1 else ""
        found.append(Alternative(options, f"{in_words(way)}{labels}"))
    return found


def _labels(shape: Shape) -> Sequence[str]:
    """Return the columns of labels one of which is to be chosen, "" where none is."""
    return shape.labels if shape.is_long and not shape.indicators and not shape.question else ("",)


def tried(
    answers: Sequence[Alternative[ReaderOptions]], give: Callable[[ReaderOptions], str]
) -> list[Alternative[ReaderOptions]]:
    """Return answers with what each gives, or why it gives nothing."""

    def given(answer: Alternative[ReaderOptions]) -> Alternative[ReaderOptions]:
        try:
            return replace(answer, gives=give(answer.reading))
        except SeveralQuestions as error:
            return replace(answer, gives=f"{len(error.questions)} questions")
        except BadInput as error:
            return replace(answer, gives=f"no figure: {error.problems[0].message}" if error.problems else "")

    return [*map(given, answers)]


def with_what_each_gives(problem: Problem, answers: Sequence[Alternative[ReaderOptions]]) -> Problem:
    """Return a problem that says what each answer gives."""
    said = "; ".join(f"({number}) {answer.gives}" for number, answer in enumerate(answers, 1))
    said = f"What each gives: {said}" if len(answers) > 1 else f"Read so, it gives {answers[0].gives}"
    return replace(problem, message=f"{problem.message} {said}.")


def may_ask() -> bool:
    """Say whether somebody is there to press a key."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def asked(problem: Problem, answers: Sequence[Alternative[Reading]]) -> Alternative[Reading] | None:
    """Ask on the terminal which answer is right, and return it; None where no number is pressed."""
    where, what = problem.file.rpartition("/")[2], problem.message
    for list_of_answers in (" What remains:", ": (1)"):  # they are below
        what = what.partition(list_of_answers)[0]
    typer.echo(printable(f"{where}: {what}"), err=True)
    for number, answer in enumerate(answers, 1):
        typer.echo(printable(f"  {number}  {answer.words}: {answer.gives}"), err=True)
    numbers = [str(number) for number, _ in enumerate(answers, 1)]
    keys = " or ".join(part for part in (", ".join(numbers[:-1]), numbers[-1]) if part)
    typer.echo(f"Press {keys} for what is right, or another key to end.", err=True)
    key = typer.getchar()
    return answers[numbers.index(key)] if key in numbers else None
