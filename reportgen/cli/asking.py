"""What a table leaves open: each answer with what it would give, and one key press on a terminal."""

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

import typer

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, printable, quoted
from reportgen.readers import ReaderOptions
from reportgen.readers.scales import FoundScale, spellings
from reportgen.readers.table_reading import SeveralQuestions, TableReading, options_of
from reportgen.readers.table_refusals import SeveralReadings, in_words
from reportgen.readers.table_rows import NO_HEADER
from reportgen.readers.table_shapes import Shape

MOST = 9
Reading = TypeVar("Reading")


@dataclass(frozen=True)
class Alternative(Generic[Reading]):
    """One way to read a table, what it is in words, and what it gives."""

    reading: Reading
    words: str
    gives: str = ""


class LabelsInDoubt(BadInput):
    """Labels that may be others, or none; `answers` say which."""

    def __init__(self, problem: Problem, answers: "Sequence[Alternative[ReaderOptions]]") -> None:
        """Take what is said of them, and what may be chosen."""
        super().__init__([problem])
        self.answers = answers


def doubt_labels(labels: Mapping[str, int], found: FoundScale, reading: ReaderOptions, file: str) -> None:
    """Raise LabelsInDoubt where labels differ by capitals or blanks alone, or may stand for a missing one.

    Nothing is asked of labels that are renamed, if only to themselves.
    """
    said = {*reading.labels, *reading.labels.values()}
    absent = [label for label in found.coded if label not in said]
    same = {label: other for label, other in spellings(labels).items() if label not in said | {*absent}}
    if found.scale not in ("nominal", "ordinal") or reading.normalise:
        same = {}
    doubted = list(same) or absent
    if not doubted:
        return
    times = sum(labels[label] for label in doubted)
    kept = replace(reading, labels={**reading.labels, **{label: label for label in doubted}})
    line = ", ".join(f"{quoted(label)} = {quoted(label)}" for label in doubted)
    as_it_is = f"labels = {{ {line} }} (agree: --reading FILE, a file with this line)"
    if same:
        pairs = ", ".join(f"{quoted(label)} and {quoted(other)}" for label, other in same.items())
        message = f"has labels that differ by capitals or blanks alone: {pairs}."
        ways = [way for way, differs in SPELT.items() if any(map(differs, same, same.values()))]
        together = replace(reading, normalise=(*ways,))
        line = f"normalise = [{', '.join(map(quoted, ways))}] (agree: --reading FILE, a file with this line)"
        words = ("they are one label each", "they are different labels")
    else:
        listed = ", ".join(map(quoted, absent))
        message = f"has {listed} {times:,} times among other labels, which may stand for a missing label."
        together = replace(reading, missing=(*reading.missing, *absent))
        options = " ".join(f"--missing {shlex.quote(label)}" for label in absent)
        line = f"missing = [{listed}] (agree: {options})"
        words = (f"{listed} stands for a missing label", f"{listed} is a label")
    remedy = f"Say which: (1) {words[0]}: {line}; (2) {words[1]}: {as_it_is}."
    answers = [Alternative(own, said) for own, said in zip((together, kept), words, strict=True)]
    raise LabelsInDoubt(Problem(file, message=message, remedy=remedy), answers)


SPELT: Mapping[str, Callable[[str, str], bool]] = {
    "lowercase": lambda one, other: " ".join(one.split()) != " ".join(other.split()),
    "strip": lambda one, other: one.casefold() != other.casefold(),
}


def answers_to(error: BadInput, reading: ReaderOptions) -> list[Alternative[ReaderOptions]]:
    """Return the answers to what reading a table by options has left open, none where nothing is asked."""
    if isinstance(error, LabelsInDoubt):
        return [*error.answers]
    if error.problems[0].key == "header" and not reading.header:
        return [Alternative(replace(reading, header=NO_HEADER), "columns have no names")]
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
