"""WebAnno TSV 3: marks of rows that belong together, slots, chains, relations, and the text they stand in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.readers import DocumentCopy, Export, ParsedMark, ReaderOptions
from reportgen.readers.webanno import READER
from tests.properties import examples
from tests.readers.generated import told
from tests.readers.write_webanno import TOKEN, write

TOKENS = st.lists(st.text(alphabet="aé😀_|\\.", min_size=1, max_size=4), min_size=1, max_size=5)
VALUES = st.text(alphabet="Aé😀\\[]|_->;*\t\n#", max_size=5)


@st.composite
def marked(draw: st.DrawFn, text: str) -> ParsedMark:
    tokens = [found.span() for found in TOKEN.finditer(text)]
    first = draw(st.integers(0, len(tokens) - 1))
    last = draw(st.integers(first, min(first + 2, len(tokens) - 1)))
    start = draw(st.integers(tokens[first][0], tokens[first][1] - 1))
    end = draw(st.integers(start if first == last else tokens[last][0] + 1, tokens[last][1]))
    features = draw(st.dictionaries(st.sampled_from(["v", "w"]), VALUES))
    return ParsedMark(draw(st.sampled_from(["x.A", "x.B"])), ((start, end),), features)


@st.composite
def campaigns(draw: st.DrawFn) -> list[DocumentCopy]:
    copies = []
    for number in range(draw(st.integers(1, 2))):
        sentences = draw(st.lists(TOKENS, min_size=1, max_size=3))
        text = "\n".join(" ".join([f"d{number}", *tokens]) for tokens in sentences)
        for annotator in ("anna", "ben"):
            marks = draw(st.lists(marked(text), max_size=5))
            copies.append(DocumentCopy(f"d{number}", annotator, "", text, tuple(marks)))
    return copies


@examples(50)
@given(copies=campaigns())
def test_what_was_written_comes_back(
    tmp_path_factory: pytest.TempPathFactory, copies: list[DocumentCopy]
) -> None:
    """Overlapping and adjacent marks, parts of tokens, across sentences, without width; emoji and escapes."""
    export = READER.read(write(copies, tmp_path_factory.mktemp("campaign")), ReaderOptions())
    assert isinstance(export, Export)
    assert told(export.copies, ordered=False) == told(copies, ordered=False)
