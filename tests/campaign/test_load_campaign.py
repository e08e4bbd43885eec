"""From a campaign's folder to its Campaign."""

import shutil
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput, Problem
from reportgen.campaign import load
from tests.commands import not_root

Make = Callable[..., Path]
OnlyProblem = Callable[..., Problem]
Whole = tuple[str, Mapping[str, str]]


def test_the_smallest_campaign_has_all_defaults(make: Make, smallest: str) -> None:
    """A title and one guidelines version with exports are enough."""
    campaign = load(make(smallest))
    assert (campaign.id, campaign.title, campaign.language) == ("gene-renaming", "Smallest", ("en",))
    assert (campaign.privacy.annotators, campaign.privacy.texts) == ("pseudonyms", "show")
    assert campaign.privacy.documents is None
    assert (campaign.task.scale, campaign.task.categories, campaign.task.non_annotated) == (
        "nominal",
        (),
        None,
    )
    assert (campaign.corpus.name, campaign.protocol.independent, campaign.controls) == (None, None, None)
    assert (campaign.authors, campaign.references, campaign.annotators, campaign.gate) == ((), (), {}, {})


def test_exports_default_to_the_folder_of_the_version(make: Make) -> None:
    """Without `exports` those of version 1.0 are in exports/1.0."""
    campaign = load(make('title = "T"\n[[guidelines]]\nversion = "1.0"\n'))
    assert campaign.guidelines[0].exports == ("exports/1.0",)
    assert [file.name for file in campaign.version("1.0").exports] == ["exports/1.0/ratings.csv"]


def test_the_whole_campaign_toml_loads(make: Make, whole: Whole) -> None:
    """Every key of the design is known and keeps its value."""
    campaign = load(make(*whole))
    assert campaign.language == ("en", "fr")
    assert campaign.references[1].authors == ("Klaus Krippendorff",)
    assert campaign.guidelines[0].date == date(2009, 6, 1)
    assert campaign.guidelines[0].columns.pass_ == "round"  # noqa: S105 - no password but a column
    assert campaign.annotators["A3"].same_as == "A1"
    assert campaign.gate["krippendorff_alpha"][0].fall == "significant"
    assert campaign.gate["specific_agreement"][0].annotators == ("A1", "A2")
    strict = campaign.gate["f_measure[strict]"][0]
    assert (strict.margin, strict.at) == (0.05, 0.1)


def test_an_annotator_with_a_system_is_a_system(make: Make, whole: Whole) -> None:
    """The release of a system is no annotator unless it is said to be one."""
    campaign = load(make(*whole))
    assert (campaign.annotators["T2"].role, campaign.annotators["A3"].role) == ("system", "annotator")


def test_a_date_in_quotes_is_a_date(make: Make, smallest: str) -> None:
    """Whoever quotes a date means the same day."""
    campaign = load(make(f'{smallest}date = "2009-06-01"\n'))
    assert campaign.guidelines[0].date == date(2009, 6, 1)


def test_a_campaign_cannot_be_changed(make: Make, smallest: str) -> None:
    """What was asked stays what was asked."""
    campaign = load(make(smallest))
    with pytest.raises(ValueError, match="frozen"):
        campaign.title = "Other"  # type: ignore[misc]  # the point of the test


def test_a_byte_order_mark_is_no_part_of_the_text(make: Make, smallest: str) -> None:
    """Editors that mark UTF-8 files are welcome."""
    assert load(make(b"\xef\xbb\xbf" + smallest.encode())).title == "Smallest"


def test_the_id_of_the_folder_one_stands_in_is_its_name(
    make: Make, smallest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A campaign called "." has the name of its folder all the same."""
    monkeypatch.chdir(make(smallest))
    campaign = load(Path())
    assert (campaign.id, campaign.file) == ("gene-renaming", "campaign.toml")


def _refusal(folder: Path) -> Problem:
    with pytest.raises(BadInput) as raised:
        load(folder, "c")
    (problem,) = raised.value.problems
    return problem


def test_a_folder_without_campaign_toml_is_refused(tmp_path: Path) -> None:
    """The error says which file is missing."""
    assert str(_refusal(tmp_path)) == (
        "c: has no campaign.toml. Name a campaign's folder, which has a campaign.toml."
    )


def test_a_file_of_a_similar_name_is_pointed_out(tmp_path: Path) -> None:
    """A mistyped file name is found."""
    (tmp_path / "Campaign.toml").touch()
    assert _refusal(tmp_path).remedy == 'Did you mean "Campaign.toml"?'


def test_a_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    """The error says that there is no folder."""
    assert str(_refusal(tmp_path / "nowhere")) == "c: there is no such folder. Check the name."


def test_a_file_is_not_a_campaign(tmp_path: Path) -> None:
    """The error says that a folder was expected."""
    (tmp_path / "file").touch()
    assert _refusal(tmp_path / "file").message == "is a file; a campaign's folder was expected."


def test_a_campaign_toml_without_permission_is_refused(
    make: Make, smallest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the file and the system's reason."""

    def refuse(_file: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    folder = make(smallest)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert str(_refusal(folder)).startswith("c/campaign.toml: can't be read: permission denied.")


def test_the_system_refuses_a_folder_without_permission(make: Make, smallest: str, anybodys: Path) -> None:
    """A folder that nobody may read is refused with a sentence."""
    folder = shutil.copytree(make(smallest), anybodys / "gene-renaming")
    folder.chmod(0)
    with not_root():
        assert "permission denied" in _refusal(folder).message


@pytest.mark.parametrize("name", ["two words", "Index.html", "compare", "-x", "line\n"])
def test_the_folders_name_must_be_an_id(make: Make, smallest: str, name: str) -> None:
    """The folder's name is the campaign's id and stands in the site's addresses."""
    folder = make(smallest)
    problem = _refusal(folder.rename(folder.with_name(name)))
    assert (problem.file, problem.remedy) == ("c", "Rename the folder.")


def test_a_campaign_toml_that_is_not_utf_8_names_the_line(problem: OnlyProblem) -> None:
    """The first byte that is not UTF-8 is located."""
    found = problem(b'title = "T"\n# \xe9t\xe9\n')
    assert (found.file, found.line) == ("c/campaign.toml", 2)
    assert found.remedy == "Save the file as UTF-8."


def test_errors_of_all_tables_come_at_once(make: Make, whole: Whole) -> None:
    """Wrong distances and wrong sizes are told together, under the names that the user would type."""
    text, files = whole
    wrong = dict(files) | {"distances/second.csv": ",A\nA,1\n", "sizes.csv": "document,size\none,few\n"}
    with pytest.raises(BadInput) as raised:
        load(make(text, wrong), "campaigns/c")
    assert {problem.file for problem in raised.value.problems} == {
        "campaigns/c/distances/second.csv",
        "campaigns/c/sizes.csv",
    }
