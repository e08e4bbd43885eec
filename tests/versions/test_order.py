"""The order of guidelines versions: by date and declaration, never by name."""

from pathlib import Path

import pytest

from reportgen.campaign import load


def versions(folder: Path, *declared: tuple[str, str]) -> tuple[str, ...]:
    text = 'title = "A campaign"\n'
    for version, date in declared:
        dated = f"date = {date}\n" if date else ""
        text += f'[[guidelines]]\nversion = "{version}"\n{dated}exports = "e.csv"\n'
    (folder / "campaign.toml").write_text(text, encoding="utf-8")
    (folder / "e.csv").write_text("unit,A1,A2\nu,a,a\n", encoding="utf-8")
    return load(folder).versions


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ([("1.9", ""), ("1.10", "")], "1.9 1.10"),
        ([("1.10", "2026-03-01"), ("1.9", "2026-02-01")], "1.9 1.10"),
        # Without dates as declared, and where dates agree with it too.
        ([("pilot", ""), ("b", ""), ("a", "")], "pilot b a"),
        ([("pilot", ""), ("2", "2026-01-05"), ("1", "2026-01-05"), ("3", "")], "pilot 2 1 3"),
        # One without a date stays behind the one declared before it.
        ([("b", "2026-05-01"), ("b-round-2", ""), ("a", "2026-01-01")], "a b b-round-2"),
    ],
)
def test_versions_are_in_the_order_of_their_dates_and_else_as_declared(
    tmp_path: Path, declared: list[tuple[str, str]], expected: str
) -> None:
    assert " ".join(versions(tmp_path, *declared)) == expected
