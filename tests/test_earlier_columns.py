"""What a guidelines version says of columns holds for those after it, in whose tables they are."""

from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.campaign import Campaign, load
from reportgen.pipeline.reading import LastRead, VersionExports, read_campaign, read_version
from tests.commands import on_disk, run

TABLE = "nr,series,Anna,Ben\n" + "".join(
    f"{n},t{n % 4},{'ab'[n % 2]},{'ab'[n % 3 % 2]}\n" for n in range(1, 25)
)
LONG = "nr,who,said,series\n" + "".join(
    f"{n},{who},{'ab'[(n * k) % 3 % 2]},t{n % 4}\n"
    for n in range(1, 25)
    for k, who in ((1, "anna"), (2, "ben"))
)
VERSIONS = """title = "Two versions"

[[guidelines]]
version = "1.0"
exports = "one.csv"
{first}

[[guidelines]]
version = "2.0"
exports = "two.csv"
{second}
"""


def made(folder: Path, first: str, second: str, table: str = TABLE) -> Campaign:
    """Return a campaign of two versions with these keys, the second of another table."""
    files = {"campaign.toml": VERSIONS.format(first=first, second=second), "one.csv": TABLE, "two.csv": table}
    return load(on_disk(folder / "c", files))


def newest(campaign: Campaign) -> VersionExports:
    return read_version(campaign, campaign.version("2.0"))


def test_a_column_of_an_older_version_has_its_role_in_the_next(tmp_path: Path) -> None:
    campaign = made(tmp_path, 'columns = { document = "series" }', "")
    reads = read_campaign(campaign)
    assert [len(read.annotations[0].content.documents) for read in reads] == [4, 4]
    answer = run("compare", campaign.folder, "1.0", "2.0")
    assert "4 documents" in answer.stdout
    assert "no unit is in both versions" not in answer.stdout


@pytest.mark.parametrize(
    ("second", "table", "documents"),
    [
        # What the version says itself counts.
        ('columns = { document = "nr" }', TABLE, 24),
        ('columns = { unit = "series" }', TABLE, 0),
        # Where the table has no such column, nothing is said of it.
        ("", TABLE.replace("series", "text"), 0),
        ("", LONG.replace("nr,who", "item,who"), 4),
    ],
)
def test_what_is_not_said_otherwise_holds(second: str, table: str, documents: int, tmp_path: Path) -> None:
    read = newest(made(tmp_path, 'columns = { unit = "nr", document = "series" }', second, table))
    assert len(read.annotations[0].content.documents) == documents


def test_what_is_wrong_in_the_next_version_is_said_as_it_is_declared(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        newest(made(tmp_path, 'columns = { document = "series" }', 'columns = { unit = "none" }'))
    (problem,) = caught.value.problems
    assert 'there is no column "none"' in problem.message
    with pytest.raises(BadInput, match="is empty"):
        newest(made(tmp_path / "e", 'columns = { document = "series" }', "", " \n"))


def test_what_was_read_last_is_read_again_where_an_older_version_says_more(tmp_path: Path) -> None:
    last = LastRead()
    for said, documents in (("", 0), ('columns = { document = "series" }', 4)):
        campaign = made(tmp_path, said, "")
        read = read_version(campaign, campaign.version("2.0"), last)
        assert len(read.annotations[0].content.documents) == documents


def test_a_bundle_of_the_next_version_alone_reads_as_it_was_read(tmp_path: Path) -> None:
    campaign = made(tmp_path, 'columns = { document = "series" }', "")
    bundle = tmp_path / "b.zip"
    assert run("bundle", campaign.folder, "2.0", "--with-exports", "--out", bundle).exit_code == 0
    assert run("verify", bundle).exit_code == 0
