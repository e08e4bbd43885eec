"""What the tests of formats share: exports written for the test, and what is read from them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.errors import BadInput, Problem
from reportgen.readers import NO_DOCUMENT, Annotations, ReaderOptions, read_export
from tests.readers.content import ratings_of

Content = str | bytes
Mark = tuple[str, str, str, str, int]


@pytest.fixture
def export(tmp_path: Path) -> Callable[..., Annotations]:
    """Write the files, given as {name: content}, and read them as one export under the options."""

    def read(contents: dict[str, Content], **options: Any) -> Annotations:  # noqa: ANN401 - options differ in type
        for name, content in contents.items():
            raw = content if isinstance(content, bytes) else content.encode()
            (tmp_path / name).write_bytes(raw)
        return read_export([(tmp_path / name, name) for name in contents], ReaderOptions(**options))

    return read


@pytest.fixture
def refused(export: Callable[..., Annotations]) -> Callable[..., tuple[Problem, ...]]:
    """Write and read the files as `export` does, and return the problems for which they are refused."""

    def problems(contents: dict[str, Content], **options: Any) -> tuple[Problem, ...]:  # noqa: ANN401 - as above
        with pytest.raises(BadInput) as caught:
            export(contents, **options)
        return caught.value.problems

    return problems


@pytest.fixture(scope="session")
def marks() -> Callable[[Annotations], list[Mark]]:
    """Return each mark in the order of the file, in names: document, unit, annotator, label and pass."""

    def named(annotations: Annotations) -> list[Mark]:
        ratings = ratings_of(annotations)
        documents = [
            "" if code == NO_DOCUMENT else ratings.documents[code] for code in ratings.document.tolist()
        ]
        codes = zip(ratings.unit, ratings.annotator, ratings.label, ratings.mark_pass, strict=True)
        return [
            (
                documents[unit],
                ratings.unit_names[unit],
                ratings.annotators[who],
                ratings.labels[label],
                int(turn),
            )
            for unit, who, label, turn in codes
        ]

    return named


@pytest.fixture(scope="session")
def accounted() -> Callable[[Annotations], bool]:
    """Say whether marks read are marks handed on and marks left out."""

    def adds_up(annotations: Annotations) -> bool:
        ratings = ratings_of(annotations)
        used = int(ratings.weight[ratings.unit].sum())
        return annotations.marks_read == used + sum(left.marks for left in annotations.left_out)

    return adds_up
