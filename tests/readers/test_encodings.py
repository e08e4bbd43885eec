"""Texts that are not Unicode are read where they make sense in an old Western encoding, and that is said."""

from pathlib import Path

import pytest

from reportgen.base.files import western_codec
from reportgen.readers import read_export

CROWD = "HITId,WorkerId,Answer.mood\n" + "".join(f"h{n % 3},w{n % 2},It\xb4s fine\n" for n in range(6))


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("hôtel", "cp1252"),
        ("It\xb4s 5 € – “fine”", "cp1252"),
        ("créée à Noël, ÉTÉ", "cp1252"),
        ("hôtel", "mac_roman"),
        ("schön, größer, ähm", "mac_roman"),
        ("créée à Noël, ÉTÉ", "mac_roman"),
    ],
)
def test_western_texts_are_told_apart_by_their_words(text: str, codec: str) -> None:
    assert western_codec(text.encode(codec)) == codec


@pytest.mark.parametrize(
    "content",
    [
        "привет".encode("cp1251"),  # three accents in a row
        "książka".encode("cp1250"),  # a sign within a word
        "hÙtelÙ".encode("cp1252"),  # a capital after a small letter, in both
        "é and é".encode() + "é".encode("cp1252"),  # UTF-8 of which a byte is broken
        "<a>é</a>".encode("latin-1"),  # markup says its encoding itself
        b"\0\xe9",
        b"a\x81b",
    ],
)
def test_what_makes_no_sense_is_no_western_text(content: bytes) -> None:
    assert western_codec(content) is None


def test_an_older_encoding_is_said_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(CROWD.encode("cp1252"))
    found = read_export([(path, "results.csv")])
    assert [(each.file, each.message) for each in found.warnings] == [
        ("results.csv", "is not UTF-8 and was read as Windows-1252.")
    ]
    path.write_text(CROWD, encoding="utf-8")
    assert not read_export([(path, "results.csv")]).warnings
