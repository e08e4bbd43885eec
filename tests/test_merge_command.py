"""`reportgen merge` as publishers run it: nothing is written that was not shown, named and agreed to."""

import json
import shutil
import stat
import warnings
from collections.abc import Mapping
from pathlib import Path

import pytest

from reportgen.campaign import load
from reportgen.cli import release
from reportgen.publish import bundle
from reportgen.publish.bundle import BundleOptions
from reportgen.publish.bundle_archive import as_zip
from reportgen.publish.croissant import CONTEXT
from tests.campaigns import GENE_RENAMING
from tests.commands import run

CARD = "---\nlicense: mit\ntags:\n- biology # ours\n---\n\n# Corpus\n\n## Uses\n\nMany.\n"
CROISSANT = {
    "@context": {key: each for key, each in CONTEXT.items() if key not in {"rai", "measure", "annotation"}},
    "@type": "sc:Dataset",
    "conformsTo": "http://mlcommons.org/croissant/1.0",
    "name": "corpus",
}
CITATION = "cff-version: 1.2.0\nmessage: Please cite.\ntitle: Corpus\nauthors:\n  - name: Us\n"
NAMES = ("README.md", "croissant.json", "CITATION.cff")


@pytest.fixture(scope="module")
def bundled() -> Mapping[str, bytes]:
    return bundle.bundled(load(GENE_RENAMING), "1.0", BundleOptions()).files


@pytest.fixture
def home(bundled: Mapping[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A publisher's folder with a bundle, as a file and unpacked."""
    for name, content in bundled.items():
        path = tmp_path / "agreement" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (tmp_path / "agreement.zip").write_bytes(as_zip(bundled))
    for name, text in zip(NAMES, (CARD, json.dumps(CROISSANT, indent=2), CITATION), strict=True):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in NAMES}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["agreement", "agreement.zip"])
def test_a_second_run_has_nothing_to_change(home: Path, name: str) -> None:
    first = run("merge", name, *NAMES, "--yes")
    assert first.exit_code == 0, first.output
    assert first.stdout.endswith("README.md: written\ncroissant.json: written\nCITATION.cff: written\n")
    after = bytes_of(home)
    second = run("merge", name, *NAMES)
    assert (second.exit_code, second.stdout.count("nothing to change"), second.stderr) == (0, 3, "")
    assert bytes_of(home) == after


@pytest.mark.slow
def test_what_is_merged_is_valid(home: Path) -> None:
    import mlcroissant
    from cffconvert import Citation
    from huggingface_hub import DatasetCard

    assert run("merge", "agreement", *NAMES, "--yes").exit_code == 0
    card = (home / "README.md").read_text(encoding="utf-8")
    assert DatasetCard(card).data.get("tags") == ["biology"]
    assert card.startswith(CARD)
    Citation((home / "CITATION.cff").read_text(encoding="utf-8")).validate()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what its libraries say to each other
        dataset = mlcroissant.Dataset(str(home / "croissant.json"))
    assert not dataset.metadata.ctx.issues.errors
    assert dataset.metadata.data_annotation_analysis[0].startswith("Inter-annotator agreement")


def test_links_lead_from_the_card_to_the_report(home: Path) -> None:
    run("merge", "agreement", "README.md", "--yes")
    assert "[agreement report](agreement/report/index.html)" in (home / "README.md").read_text(
        encoding="utf-8"
    )
    run("merge", "agreement.zip", "README.md", "--yes")
    named = "agreement report (`report/index.html` in the bundle `agreement.zip`)"
    assert named in (home / "README.md").read_text(encoding="utf-8")
    run("merge", "agreement", "README.md", "--yes", "--link", "https://x.invalid/a b)")
    assert "(https://x.invalid/a%20b%29)" in (home / "README.md").read_text(encoding="utf-8")
    (home / "cards").mkdir()
    shutil.move("README.md", "cards/README.md")
    run("merge", "agreement", "cards/README.md", "--yes")
    assert "in the bundle `agreement`" in (home / "cards/README.md").read_text(encoding="utf-8")


def test_nothing_is_written_where_nobody_agrees(home: Path) -> None:
    before = bytes_of(home)
    done = run("merge", "agreement", *NAMES)
    assert done.exit_code == 1
    assert done.stderr == "Nothing was written: --yes writes it.\n"
    assert done.stdout.startswith("--- README.md (as it is)\n+++ README.md (merged)\n@@")
    assert bytes_of(home) == before


@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("n\n", 1)])
def test_on_a_terminal_it_asks(home: Path, monkeypatch: pytest.MonkeyPatch, answer: str, status: int) -> None:
    from typer.testing import CliRunner

    from reportgen.cli import app

    before = bytes_of(home)
    monkeypatch.setattr(release, "_on_terminal", lambda: True)
    done = CliRunner().invoke(app, ["merge", "agreement", "CITATION.cff"], input=answer)
    assert done.exit_code == status
    assert "Write 1 file? [y/N]" in done.output
    assert (bytes_of(home) == before) == (status == 1)


def test_check_writes_nothing_even_where_it_is_told_yes(home: Path) -> None:
    before = bytes_of(home)
    assert run("merge", "agreement", *NAMES, "--check", "--yes").exit_code == 1
    assert bytes_of(home) == before
    run("merge", "agreement", *NAMES, "--yes")
    assert run("merge", "agreement", *NAMES, "--check").exit_code == 0


def test_json_says_what_changes_and_what_stays(home: Path) -> None:
    own = CROISSANT | {"rai:annotationsPerItem": "three"}
    (home / "croissant.json").write_text(json.dumps(own), encoding="utf-8")
    done = run("merge", "agreement", *NAMES, "--json", "--yes")
    said = json.loads(done.stdout)
    assert [each["kind"] for each in said] == ["dataset card", "Croissant", "CITATION.cff"]
    assert all(each["changed"] and each["written"] for each in said)
    assert said[1]["kept"][0].startswith("rai:annotationsPerItem is there already")
    assert "\\ No newline at end of file" in said[1]["difference"]


def test_a_byte_order_mark_a_mode_and_a_link_stay(home: Path) -> None:
    real = home / "real.md"
    real.write_bytes(b"\xef\xbb\xbf# Corpus\r\n")
    real.chmod(0o640)
    (home / "link.md").symlink_to("real.md")
    assert run("merge", "agreement", "link.md", "--yes").exit_code == 0
    assert (home / "link.md").is_symlink()
    assert real.read_bytes().startswith(b"\xef\xbb\xbf# Corpus\r\n\r\n## Dataset Creation\r\n")
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert run("merge", "agreement", "link.md", "--check").exit_code == 0
    assert not [name for name in home.iterdir() if "reportgen" in name.name]


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("none.md", None, "none.md: can't be read: no such file or directory."),
        ("latin.md", b"a\n\xe9\n", "latin.md:2: is not UTF-8."),
        ("head.md", b"---\na: 1\nb: [\n---\n", "head.md:4: is not YAML"),
        ("bad.json", b'{\n "@context": {},\n}', "bad.json:3: is not JSON"),
        ("deep.json", b"[" * 100_000, "deep.json: is JSON that can't be read."),
        ("plain.json", b'{"a": 1}', 'plain.json:1: is not Croissant: it has no "@context"'),
        (
            "crate.json",
            b'{"@context": {}, "@graph": []}',
            'crate.json:1: has a "@graph", as an RO-Crate does',
        ),
        ("bad.cff", b"a: 1\n b: 2\n", "bad.cff:2: is not YAML"),
        ("what.txt", b"text", "what.txt: is of no kind that is known"),
        ("agreement/dataset-card.md", None, "is a part of the bundle, which stays as it is."),
        ("./README.md", CARD.encode(), "README.md: is named twice."),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(
    home: Path, name: str, content: bytes | None, complaint: str
) -> None:
    if content is not None:
        (home / name).write_bytes(content)
    before = bytes_of(home)
    done = run("merge", "agreement", "README.md", name, "--yes")
    assert done.exit_code == 2
    assert complaint in done.stderr
    assert done.stderr.endswith("1 problem; nothing was written.\n")
    assert "Traceback" not in done.output
    assert bytes_of(home) == before


def test_a_bundle_that_was_changed_is_refused(home: Path) -> None:
    card = home / "agreement/dataset-card.md"
    card.write_text(card.read_text(encoding="utf-8").replace("0.801", "0.901"), encoding="utf-8")
    done = run("merge", "agreement", "README.md", "--yes")
    assert done.exit_code == 2
    assert "agreement: dataset-card.md: is not as SHA256SUMS says: it was changed." in done.stderr


@pytest.mark.parametrize("name", ["README.md", "nothing.zip", "report"])
def test_what_is_no_bundle_is_refused(home: Path, name: str) -> None:
    (home / "report").mkdir()
    done = run("merge", name, "CITATION.cff", "--yes")
    assert done.exit_code == 2
    assert done.stderr.endswith("1 problem; nothing was written.\n")
    assert (home / "CITATION.cff").read_text(encoding="utf-8") == CITATION


def test_a_file_that_can_not_be_written_is_left_as_it_was(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_self: Path, _target: Path) -> None:
        raise PermissionError(13, "Permission denied", "README.md")

    monkeypatch.setattr(Path, "replace", refuse)
    before = bytes_of(home)
    done = run("merge", "agreement", "README.md", "--yes")
    assert done.exit_code == 2
    assert "README.md: can't be written: permission denied." in done.stderr
    assert bytes_of(home) == before
    assert not [name for name in home.iterdir() if "reportgen" in name.name]


def test_text_of_a_file_does_not_steer_the_terminal(home: Path) -> None:
    (home / "README.md").write_text("# A\n\x1b[31mred\n", encoding="utf-8")
    assert "\x1b" not in run("merge", "agreement", "README.md").output
