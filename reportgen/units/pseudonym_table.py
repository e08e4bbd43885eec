"""Who and what is called what, a row for each name: the table that campaigns keep and bundles attach."""

from collections.abc import Iterator, Mapping
from dataclasses import astuple

from reportgen.base.errors import BadInput, Problem, quoted
from reportgen.base.files import as_csv, from_cell, numbered_rows
from reportgen.units.pseudonymising import KINDS, Pseudonyms, called, number_in

HEAD = ("kind", "name", "pseudonym")


def pseudonyms_csv(names: Pseudonyms) -> str:
    """Return the table, each kind in the order in which its names are given."""
    by_kind = zip(KINDS, astuple(names), strict=True)
    listed = ((kind, name, pseudonym) for kind, shown in by_kind for name, pseudonym in shown.items())
    # Versions of Python differ in what else has to be quoted.
    return as_csv((HEAD, *listed), quote_all=True)


def read_pseudonyms(text: str, file: str) -> Pseudonyms:
    """Return the pseudonyms of a table; raises BadInput with every row that is wrong.

    No name is there twice, and no pseudonym is given to two: that is what comes of two clones of a campaign
    that added somebody each.
    """
    rows = numbered_rows(text, ",")
    if not rows or tuple(rows[0][1]) != HEAD:
        line = rows[0][0] if rows else 0
        message = f"is not a table of pseudonyms: its first row is not {','.join(HEAD)}."
        raise BadInput([Problem(file, line, "", message, "Restore it from a copy, or rename it.")])
    content: dict[str, dict[str, str]] = {kind: {} for kind in KINDS}
    problems: list[Problem] = []
    lines: dict[tuple[str, str], int] = {}
    for line, row in rows[1:]:
        if wrong := _wrong(row):
            problems.append(Problem(file, line, "", *wrong))
            continue
        kind, name, pseudonym = map(from_cell, row)
        if name in content[kind]:
            message = f"{quoted(name)} has a pseudonym already, in line {lines[kind, content[kind][name]]}."
            problems.append(Problem(file, line, "", message, "Keep the one that was published."))
        elif (kind, pseudonym) in lines:
            problems.append(_given_twice(file, line, lines[kind, pseudonym], row, content[kind]))
        else:
            content[kind][name] = pseudonym
            lines[kind, pseudonym] = line
    if problems:
        raise BadInput(problems)
    return Pseudonyms(*content.values())


def _wrong(row: list[str]) -> tuple[str, str] | None:
    """Return what is wrong with a row by itself, and what to do about it."""
    remedy = "Where versions of this file were merged, keep the rows of both, without the marks between them."
    if len(row) != len(HEAD):
        return f"a row of {', '.join(HEAD)} was expected.", remedy
    kind, name, pseudonym = row
    if kind not in KINDS:
        return f"{quoted(kind)} is not a kind; {', '.join(KINDS)} are.", "Correct it."
    if not name or not number_in(pseudonym, kind):
        example = called(1, kind)
        return f"{quoted(pseudonym)} is not a pseudonym of {quoted(name)}.", f"Write one such as {example}."
    return None


def _given_twice(file: str, line: int, first: int, row: list[str], others: Mapping[str, str]) -> Problem:
    kind, name, pseudonym = row
    message = f"{quoted(pseudonym)} is given to {quoted(name)} here, and in line {first} to somebody else."
    free = called(1 + max(_numbers(others, kind)), kind)
    remedy = f"Leave it to the one who was published under it, and give the other a new one, such as {free}."
    return Problem(file, line, "", message, remedy)


def _numbers(names: Mapping[str, str], kind: str) -> Iterator[int]:
    return (number_in(pseudonym, kind) for pseudonym in names.values())
