"""A site takes the place of the old one whole, or not at all."""

import contextlib
import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from reportgen.base import site_folder, system
from reportgen.base.errors import BadInput
from reportgen.base.progress import reporting_progress
from tests.commands import MATRIX, files, on_disk, run

PAGE = '<!doctype html><meta name="generator" content="reportgen 0.1.0">'
OLD: Mapping[str, bytes] = {"index.html": (PAGE + "old").encode()}
NEW: Mapping[str, bytes] = {"index.html": (PAGE + "new").encode(), "a/b.html": PAGE.encode()}
# A command that stops between the two renames of a system without an exchange.
KILLED = """
import sys, time, pathlib
from reportgen.base import site_folder
site_folder.exchange_at_once = lambda new, target: False
real = pathlib.Path.rename
def rename(self, other):
    moved = real(self, other)
    if "reportgen-old" in str(other):
        print("between", flush=True)
        time.sleep(60)
    return moved
pathlib.Path.rename = rename
with site_folder.replacing(pathlib.Path(sys.argv[1])) as folder:
    (folder / "index.html").write_text("new")
"""


def replace(out: Path, fault: BaseException | None = None) -> None:
    with site_folder.replacing(out) as folder:
        on_disk(folder, NEW)
        if fault:
            raise fault


@pytest.fixture
def site(tmp_path: Path) -> Path:
    on_disk(tmp_path / "site", OLD)
    return tmp_path / "site"


@pytest.fixture(params=["at once", "by two renames"])
def any_system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "by two renames":
        monkeypatch.setattr(site_folder, "exchange_at_once", lambda *_: False)


@pytest.fixture(autouse=True)
def nothing_beside(tmp_path: Path) -> Iterator[None]:
    """Hold, after each test, that no folder of ours is left beside the site."""
    yield
    assert [path for path in tmp_path.rglob("*") if "reportgen-" in path.name] == []


def test_linux_exchanges_two_folders_in_one_step(tmp_path: Path) -> None:
    on_disk(tmp_path / "one", OLD)
    on_disk(tmp_path / "two", NEW)
    if not system.exchange_at_once(tmp_path / "one", tmp_path / "two"):
        pytest.skip("NOT TESTED: this system can't exchange folders in one step")
    assert (files(tmp_path / "one"), files(tmp_path / "two")) == (NEW, OLD)


@pytest.mark.usefixtures("any_system")
def test_a_site_takes_the_place_of_the_old_one(site: Path) -> None:
    replace(site)
    assert files(site) == NEW


@pytest.mark.usefixtures("any_system")
def test_a_site_stands_in_a_new_or_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for out in (tmp_path / "empty", tmp_path / "new", tmp_path / "far" / "away" / "site"):
        replace(out)
        assert files(out) == NEW


def test_a_site_has_the_permissions_of_its_folder_or_of_any_new_one(site: Path, tmp_path: Path) -> None:
    replace(tmp_path / "new")
    (tmp_path / "plain").mkdir()
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode
    site.chmod(0o750)
    replace(site)
    assert site.stat().st_mode & 0o777 == 0o750


@pytest.mark.usefixtures("any_system")
@pytest.mark.parametrize("fault", [KeyboardInterrupt, RuntimeError, SystemExit])
def test_the_old_site_stands_where_building_fails(site: Path, fault: type[BaseException]) -> None:
    for out in (site, site.parent / "far" / "away" / "site"):
        with pytest.raises(fault):
            replace(out, fault())
    assert files(site.parent) == {f"site/{name}": text for name, text in OLD.items()}
    assert [*site.parent.iterdir()] == [site]


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.ENOSPC, "no space left on device. Make room there."), (errno.EIO, "input/output error. Choose")],
)
def test_a_full_disk_is_bad_input_and_not_a_traceback(site: Path, number: int, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        replace(site, OSError(number, os.strerror(number)))
    assert files(site) == OLD


def test_an_error_about_another_file_is_passed_on(site: Path) -> None:
    with pytest.raises(FileNotFoundError), site_folder.replacing(site):
        Path("/nowhere/template").read_bytes()
    assert files(site) == OLD


@pytest.mark.parametrize("which", ["first", "second"])
def test_a_failed_rename_restores_the_old_site(
    site: Path, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.rename

    def rename(path: Path, target: Path) -> Path:
        if "-old-" in target.name if which == "first" else "-new-" in path.name:
            raise OSError(errno.EBUSY, "Device or resource busy", str(path))
        return real(path, target)

    monkeypatch.setattr(site_folder, "exchange_at_once", lambda *_: False)
    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(BadInput, match="device or resource busy"):
        replace(site)
    assert files(site) == OLD


def test_a_kill_between_the_renames_is_mended_by_the_next_command(site: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(site)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "between\n"
        process.send_signal(signal.SIGKILL)
        process.wait(30)
    assert not site.exists()
    # The old site, the new one, and the lock of who was killed.
    assert len(list(tmp_path.iterdir())) == 3
    with pytest.raises(KeyboardInterrupt), site_folder.replacing(site):
        raise KeyboardInterrupt  # even one that fails mends it
    assert files(site) == OLD


def other(command: str, site: Path) -> "subprocess.Popen[str]":
    """Return another command that is the only one to write a site, and goes on when it gets a line."""
    program = (
        "import sys; from pathlib import Path; from reportgen.base.site_folder import alone, replacing\n"
        "out = Path(sys.argv[1])\n"
        f"{command}"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(site)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "alone\n"
    return process


HOLDS = "with alone(out):\n    print('alone', flush=True)\n    sys.stdin.readline()\n"
BUNDLES = f"""{HOLDS}
    with replacing(out) as new:
        (new / "README.md").write_text("a bundle")
"""


def test_a_command_that_writes_a_site_is_waited_for_with_a_sentence(site: Path) -> None:
    process, told = other(HOLDS, site), list[str]()
    with pytest.raises(BadInput, match=r"is being pulled\."), site_folder.alone(site, "is being pulled."):
        pass

    def hear(step: str) -> None:
        told.append(step)
        process.communicate("\n", timeout=60)

    with reporting_progress(hear):
        replace(site)
    assert told == [f"{site} is being written by another command: waiting for it"]
    assert files(site) == NEW


@pytest.mark.parametrize("place", ["site", "new", "far/away"])
def test_what_was_killed_while_it_was_the_only_one_holds_up_nobody(tmp_path: Path, place: str) -> None:
    process = other(HOLDS, tmp_path / place)
    process.kill()
    process.communicate(timeout=60)
    replace(tmp_path / place)
    assert files(tmp_path / place) == NEW


def test_what_who_was_waited_for_wrote_is_refused_where_it_is_none_of_ours(site: Path) -> None:
    process = other(BUNDLES, site)

    def go_on(_: str) -> None:
        process.communicate("\n", timeout=60)

    with reporting_progress(go_on), pytest.raises(BadInput, match=r"README\.md"):
        replace(site)
    assert files(site) == {"README.md": b"a bundle"}


def test_many_commands_at_once_each_add_to_what_the_others_wrote(tmp_path: Path) -> None:
    program = """
import pathlib, sys
from reportgen.base.site_folder import alone, write_file
number = pathlib.Path(sys.argv[1])
for round in range(15):
    with alone(number):
        written = int(number.read_text()) if number.exists() else 0
        write_file(number, str(written + 1).encode())
"""
    command = [sys.executable, "-c", program, str(tmp_path / "far" / "number")]
    running = [subprocess.Popen(command) for _ in range(4)]
    assert [process.wait(60) for process in running] == [0] * 4
    assert files(tmp_path) == {"far/number": b"60"}


# What is refused


def refused(out: Path) -> str:
    before = files(out.parent)
    with pytest.raises(BadInput) as caught:
        replace(out)
    assert [str(problem) for problem in site_folder.refusals(out)] == [str(caught.value)]
    assert files(out.parent) == before
    return str(caught.value)


PAGE_OF_OURS = OLD["index.html"]
# What lies in a folder, and which of it is named.
OF_OTHERS: Sequence[tuple[Mapping[str, bytes], str]] = (
    ({"thesis.tex": b"years"}, "thesis.tex"),
    ({"index.html": b"<!doctype html><title>My page"}, "index.html"),
    ({"index.html": b""}, "index.html"),
    ({**OLD, "CNAME": b"example.org"}, "CNAME"),
    ({**OLD, "notes/mine.html": b"<title>mine"}, "notes/mine.html"),
    ({**OLD, ".git/HEAD": b"ref"}, ".git/HEAD"),
    ({**OLD, "c/.reportgen.json": b"{}"}, "c/.reportgen.json"),
    ({"index.html": b"<title>My page", ".reportgen.json": b"{}"}, ".reportgen.json"),
    ({**OLD, "c/feed.xml": b"<feed/>", "c/index.html": PAGE_OF_OURS}, "c/feed.xml"),
    ({**OLD, "c/history.json": b"{}"}, "c/history.json"),
    ({**OLD, "c/SHA256SUMS": b"0  mine.txt\n", "c/mine.txt": b"x"}, "c/SHA256SUMS"),
    ({**OLD, "c/1/index.html": PAGE_OF_OURS, "c/1/SHA256SUMS": b"0  ../../a\n", "a": b"x"}, "a"),
)


@pytest.mark.parametrize(("content", "foreign"), OF_OTHERS)
def test_files_of_others_are_refused(tmp_path: Path, content: Mapping[str, bytes], foreign: str) -> None:
    on_disk(tmp_path / "out", content)
    said = refused(tmp_path / "out")
    assert f"out: contains {foreign}, which reportgen did not write. Choose an empty or new folder" in said


def test_links_in_a_site_are_not_ours(site: Path, tmp_path: Path) -> None:
    on_disk(tmp_path / "precious", {"file": b"kept"})
    (site / "linked").symlink_to(tmp_path / "precious")
    assert "contains linked" in refused(site)
    assert files(tmp_path / "precious") == {"file": b"kept"}


def test_what_file_managers_and_killed_commands_left_is_no_reason_to_refuse(site: Path) -> None:
    (site / ".DS_Store").write_bytes(b"\0")
    on_disk(site.with_name(".site.reportgen-new-0badcafe"), {"half": b"written"})
    on_disk(site.with_name(".site.reportgen-old-0badcafe"), OLD)
    replace(site)
    assert files(site) == NEW
    # Other checksums above it do not make it a part of a site.
    release = on_disk(site.parent / "release", {"SHA256SUMS": "0  corpus.zip\n", "index.html": "<title>C"})
    replace(release / "site")
    assert files(release / "site") == NEW


def test_a_whole_site_is_ours_and_a_part_of_it_is_refused(tmp_path: Path) -> None:
    exports = {f"exports/{name}/m.csv": MATRIX for name in "12"}
    versions = "".join(f'[[guidelines]]\nversion = "{name}"\n' for name in "12")
    on_disk(tmp_path / "one", {**exports, "campaign.toml": f'title = "T"\n{versions}'})
    site = tmp_path / "site"
    assert run("build", tmp_path / "one", "--out", site).exit_code == 0
    ours = {".reportgen.json", "one/SHA256SUMS", "one/badge.svg", "one/compare/1...2/SHA256SUMS"}
    assert ours <= set(files(site))
    for part in ("one", "one/1", "one/1/tables", "one/new", "one/compare"):
        assert "is one part of a site" in refused(site / part)
    on_disk(site, {"one/compare/mine.txt": "notes"})
    assert "contains one/compare/mine.txt, which reportgen did not write" in refused(site)
    (site / "one/compare/mine.txt").unlink()
    replace(site)


def test_places_that_can_not_be_replaced_are_refused(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_disk(site.parent, {"file": b"text"})
    assert "file: is not a folder." in refused(site.parent / "file")
    assert "file is not a folder." in refused(site.parent / "file" / "below")
    with monkeypatch.context() as patch:
        patch.setattr(os.path, "ismount", lambda path: path == site)
        assert "is where a disk is mounted" in refused(site)
    (site.parent / "a").symlink_to(site.parent / "b")
    (site.parent / "b").symlink_to(site.parent / "a")
    with pytest.raises(BadInput, match="a: can't be used: "):
        replace(site.parent / "a")
    (site / "below").mkdir()
    monkeypatch.chdir(site / "below")
    assert "contains the folder that you are in" in refused(site)


def test_a_name_that_no_system_takes_is_refused(tmp_path: Path) -> None:
    assert "file name too long" in refused(tmp_path / ("x" * 300))
    with pytest.raises(BadInput, match="file name too long"):  # ours beside it has a longer one
        replace(tmp_path / ("x" * 250))
    assert "can't be used: embedded null byte" in refused(Path(f"{tmp_path}/a\0b"))


# Links


@pytest.mark.usefixtures("any_system")
@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path: Path, *, there: bool) -> None:
    if there:
        on_disk(tmp_path / "disk" / "real", OLD)
    (tmp_path / "site").symlink_to(tmp_path / "disk" / "real")
    replace(tmp_path / "site")
    assert (tmp_path / "site").is_symlink()
    assert files(tmp_path / "disk" / "real") == NEW


# Temporary folders


def test_a_temporary_folder_of_a_killed_command_goes_with_the_next(tmp_path: Path) -> None:
    code = (
        "import pathlib, sys, time\n"
        "from reportgen.base.site_folder import scratch_folder\n"
        "with scratch_folder('ours-', pathlib.Path(sys.argv[1])) as folder:\n"
        "    (folder / 'f').write_text('x'); print(folder, flush=True); time.sleep(60)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout
        theirs = Path(process.stdout.readline().strip())
        with site_folder.scratch_folder("ours-", tmp_path) as ours:
            assert theirs.exists()
        process.kill()
        process.wait()
    assert [theirs, ours.exists()] == [*tmp_path.iterdir(), False]
    (tmp_path / "ours-link").symlink_to(theirs)
    (tmp_path / "other").mkdir()
    with site_folder.scratch_folder("ours-", tmp_path):
        assert not theirs.exists()
    assert {path.name for path in tmp_path.iterdir()} == {"ours-link", "other"}


def test_a_temporary_folder_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that was killed before it held its folder leaves it empty: it goes with the next one too."""
    (tmp_path / "ours-empty").mkdir()
    taken, held = list[Path](), system.held

    def late(folder: Path) -> contextlib.AbstractContextManager[bool]:
        if not taken and folder.name != "ours-empty":
            taken.append(folder)
            folder.rmdir()
        return held(folder)

    monkeypatch.setattr(site_folder, "held", late)
    with site_folder.scratch_folder("ours-", tmp_path) as ours:
        assert [*tmp_path.iterdir()] == [ours]
        assert taken != [ours]
    assert [*tmp_path.iterdir()] == []
