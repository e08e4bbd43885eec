"""Where candidates are: the stretches that marks of a type or layer cover, whoever made them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from reportgen.errors import BadInput, Problem
from reportgen.formats.annotations import Regions
from reportgen.formats.copies import Copy, Export
from reportgen.formats.sources import Source, find_candidates


def candidate_sources(export: Export, asked: Mapping[str, str | None]) -> dict[str, Source]:
    """Return the marks that layers of candidates consist of, by the key that asks for them.

    Raises BadInput, which names the key, for each that the export does not have.
    """
    problems: list[Problem] = []
    found: dict[str, Source] = {}
    for key, name in asked.items():
        try:
            found[key] = find_candidates(export, name)
        except BadInput as error:
            problems += [replace(problem, key=key) for problem in error.problems]
    if problems:
        raise BadInput(problems)
    return found


def regions(copies: Iterable[Copy], documents: Sequence[str], source: Source) -> Regions:
    """Return where anybody's marks of a source stand in the texts of `documents`."""
    code = {name: place for place, name in enumerate(documents)}
    marks = [
        (copy, mark)
        for copy in copies
        if copy.document in code
        for mark in copy.marks
        if mark.spans and source.holds(mark)
    ]
    spans = [(number, *span) for number, (_, mark) in enumerate(marks) for span in mark.spans]
    columns = np.array(spans, dtype=np.int64).reshape(-1, 3)
    document = np.array([code[copy.document] for copy, _ in marks], dtype=np.int64)
    return Regions(document, columns[:, 0], columns[:, 1], columns[:, 2])
