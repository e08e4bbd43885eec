"""The order of guidelines versions: by date and declaration, never by name."""

from pathlib import Path

from reportgen.campaign import load


def versions(folder: Path, *declared: tuple[str, str]) -> tuple[str, ...]:
    text = 'title = "A campaign"\n'
    for version, date in declared:
        dated = f"date = {date}\n" if date else ""
        text += f'[[guidelines]]\nversion = "{version}"\n{dated}exports = "e.csv"\n'
    (folder / "campaign.toml").write_text(text, encoding="utf-8")
    (folder / "e.csv").write_text("unit,A1,A2\nu,a,a\n", encoding="utf-8")
    return load(folder).versions


def test_version_1_10_comes_after_1_9(tmp_path: Path) -> None:
    assert versions(tmp_path, ("1.9", ""), ("1.10", "")) == ("1.9", "1.10")
    assert versions(tmp_path, ("1.10", "2026-03-01"), ("1.9", "2026-02-01")) == ("1.9", "1.10")


def test_without_dates_versions_stand_as_declared(tmp_path: Path) -> None:
    assert versions(tmp_path, ("pilot", ""), ("b", ""), ("a", "")) == ("pilot", "b", "a")


def test_dates_that_agree_with_the_declaration_change_nothing(tmp_path: Path) -> None:
    declared = ("pilot", ""), ("2", "2026-01-05"), ("1", "2026-01-05"), ("3", "")
    assert versions(tmp_path, *declared) == ("pilot", "2", "1", "3")


def test_a_version_without_a_date_stays_behind_the_one_declared_before_it(tmp_path: Path) -> None:
    declared = ("0", ""), ("b", "2026-05-01"), ("b-round-2", ""), ("a", "2026-01-01"), ("c", "2026-09-01")
    assert versions(tmp_path, *declared) == ("0", "a", "b", "b-round-2", "c")
