"""Where a bundle goes: in the place of a bundle and nothing else, whole or not at all, with its own modes."""

import errno
import os
import shutil
import signal
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.publish.bundle import BundleOptions
from reportgen.publish.bundle_files import as_zip, obstacles, write_bundle
from tests import bundled
from tests.commands import files, not_root, run
from tests.slowly import slow_but

Files = dict[str, bytes]
# A command that is killed when all is written and nothing exchanged.
KILLED = """
import os, pathlib, signal, sys
from reportgen.base import site_folder
from reportgen.publish.bundle_files import write_bundle
def stop(*_):
    os.kill(os.getpid(), signal.SIGKILL)
site_folder._exchange_at_once = site_folder._keep_name = pathlib.Path.replace = stop
write_bundle(pathlib.Path(sys.argv[1]), {"report/index.html": b"new"})
"""


@pytest.fixture(scope="module")
def old() -> Files:
    """A bundle that stands there already."""
    return dict(bundled.kept(BundleOptions()).files)


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """The folder of a campaign."""
    return bundled.campaign(tmp_path / "renaming")


@pytest.fixture(autouse=True)
def nothing_beside(tmp_path: Path) -> Iterator[None]:
    """Hold, after each test, that nothing of ours is left beside a bundle."""
    yield
    assert [path for path in tmp_path.rglob("*") if "reportgen-" in path.name] == []


def unpacked(content: Files, folder: Path) -> Path:
    write_bundle(folder, content)
    return folder


def zipped(content: Files, file: Path) -> Path:
    write_bundle(file, content)
    return file


# A zip file


def test_entries_are_sorted_stored_and_of_no_time(old: Files, tmp_path: Path) -> None:
    with zipfile.ZipFile(zipped(old, tmp_path / "b.zip")) as archive:
        entries = archive.infolist()
    assert [each.filename for each in entries] == sorted(old)
    kept = {(each.compress_type, each.date_time, each.external_attr >> 16, each.extra) for each in entries}
    assert kept == {(zipfile.ZIP_STORED, (1980, 1, 1, 0, 0, 0), stat.S_IFREG | 0o644, b"")}


@pytest.mark.slow
def test_a_zip_file_holds_the_files_of_the_folder(campaign: Path, tmp_path: Path) -> None:
    for out in (tmp_path / "b.zip", tmp_path / "b"):
        assert run("bundle", campaign, "1.0", "--out", out).exit_code == 0
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        assert {each: archive.read(each) for each in archive.namelist()} == files(tmp_path / "b")


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o000])
def test_modes_do_not_hang_on_the_umask(old: Files, tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        unpacked(old, tmp_path / "new/b")
        zipped(old, tmp_path / "new/b.zip")
    finally:
        os.umask(before)
    paths = [tmp_path / "new/b", tmp_path / "new/b.zip", *(tmp_path / "new/b").rglob("*")]
    modes = {(path.is_dir(), stat.S_IMODE(path.stat().st_mode)) for path in paths}
    assert modes == {(True, 0o755), (False, 0o644)}


# What it takes the place of


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", slow_but(["b.zip", "b", "in/new/folders/b.zip", "in/new/folders/b"], "b", "in/new/folders/b.zip")
)
def test_a_bundle_takes_the_place_of_an_older_one(
    campaign: Path, old: Files, tmp_path: Path, name: str
) -> None:
    write_bundle(tmp_path / name, old)
    assert run("bundle", campaign, "0.9", "--out", tmp_path / name).exit_code == 0
    found = tmp_path / name
    now = found.read_bytes() if found.is_file() else files(found)["report/results.json"]
    assert now not in (as_zip(old), old["report/results.json"])


def test_a_link_to_a_zip_file_stays_one(old: Files, tmp_path: Path) -> None:
    zipped(old, tmp_path / "there.zip")
    (tmp_path / "b.zip").symlink_to("there.zip")
    zipped({**old, "README.md": b"new"}, tmp_path / "b.zip")
    assert (tmp_path / "b.zip").is_symlink()
    assert b"new" in (tmp_path / "there.zip").read_bytes()


def of_somebody(folder: Path, _: Files) -> Path:
    with zipfile.ZipFile(folder / "b.zip", "w") as archive:
        archive.writestr("mine.txt", "mine")
    return folder / "b.zip"


def no_zip(folder: Path, _: Files) -> Path:
    (folder / "b.zip").write_text("mine")
    return folder / "b.zip"


def with_another_file(folder: Path, old: Files) -> Path:
    file = zipped(old, folder / "b.zip")
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("mine.txt", "mine")
    return file


def with_a_changed_file(folder: Path, old: Files) -> Path:
    return zipped({**old, "README.md": b"mine"}, folder / "b.zip")


def cut_short(folder: Path, old: Files) -> Path:
    (folder / "b.zip").write_bytes(as_zip(old)[:-100])
    return folder / "b.zip"


def compressed(folder: Path, old: Files) -> Path:
    with zipfile.ZipFile(folder / "b.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in old.items():
            archive.writestr(name, content)
    return folder / "b.zip"


def a_folder_like_a_file(folder: Path, _: Files) -> Path:
    (folder / "b.zip").mkdir()
    return folder / "b.zip"


def a_file_like_a_folder(folder: Path, _: Files) -> Path:
    (folder / "b").write_text("mine")
    return folder / "b"


def a_pipe(folder: Path, _: Files) -> Path:
    os.mkfifo(folder / "b.zip")
    return folder / "b.zip"


def a_folder_of_somebody(folder: Path, _: Files) -> Path:
    (folder / "b").mkdir()
    (folder / "b/mine.txt").write_text("mine")
    return folder / "b"


def a_bundle_with_another_file(folder: Path, old: Files) -> Path:
    (unpacked(old, folder / "b") / "report/mine.txt").write_text("mine")
    return folder / "b"


def a_bundle_with_an_edited_file(folder: Path, old: Files) -> Path:
    (unpacked(old, folder / "b") / "README.md").write_text("mine")
    return folder / "b"


def a_bundle_with_a_link(folder: Path, old: Files) -> Path:
    (unpacked(old, folder / "b") / "link").symlink_to("/")
    return folder / "b"


def a_version_of_a_site(folder: Path, old: Files) -> Path:
    return unpacked(old, folder / "b") / "report"


def a_site(folder: Path, _: Files) -> Path:
    (folder / "site").mkdir()
    (folder / "site/.reportgen.json").write_text("{}")
    return folder / "site"


def in_a_site(folder: Path, old: Files) -> Path:
    return a_site(folder, old) / "b.zip"


def in_a_bundle(folder: Path, old: Files) -> Path:
    return unpacked(old, folder / "b") / "c.zip"


def in_the_campaign(folder: Path, _: Files) -> Path:
    return folder / "renaming/in/1.0/b.zip"


def around_the_campaign(folder: Path, _: Files) -> Path:
    return folder


def below_a_file(folder: Path, _: Files) -> Path:
    (folder / "file").write_text("mine")
    return folder / "file/b.zip"


def of_too_long_a_name(folder: Path, _: Files) -> Path:
    return folder / ("b" * 300 + ".zip")


@pytest.mark.parametrize(
    "stands",
    [
        of_somebody,
        no_zip,
        with_another_file,
        with_a_changed_file,
        cut_short,
        compressed,
        a_folder_like_a_file,
        a_file_like_a_folder,
        a_pipe,
        a_folder_of_somebody,
        a_bundle_with_another_file,
        a_bundle_with_an_edited_file,
        a_bundle_with_a_link,
        a_version_of_a_site,
        a_site,
        in_a_site,
        in_a_bundle,
        in_the_campaign,
        around_the_campaign,
        below_a_file,
        of_too_long_a_name,
    ],
)
def test_nothing_else_is_replaced(
    stands: Callable[[Path, Files], Path], campaign: Path, old: Files, tmp_path: Path
) -> None:
    out = stands(tmp_path, old)
    before = files(tmp_path)
    done = run("bundle", campaign, "1.0", "--out", out)
    assert (done.exit_code, done.stdout) == (2, "")
    problem, count = done.stderr.splitlines()
    assert problem.startswith(str(out))
    assert problem.endswith(".")
    assert count == "1 problem; nothing was written."
    assert files(tmp_path) == before


def test_all_that_is_wrong_is_said_at_once(campaign: Path, tmp_path: Path) -> None:
    with (campaign / "campaign.toml").open("a") as toml:
        toml.write('[privacy]\ntexts = "withhold"\n')
    done = run("bundle", campaign, "7.0", "--out", a_file_like_a_folder(tmp_path, {}), "--with-texts")
    assert done.stderr.splitlines()[-1] == "3 problems; nothing was written."


def test_a_place_that_can_not_be_written_is_told(anybodys: Path) -> None:
    campaign = bundled.campaign(anybodys / "renaming")
    closed = anybodys / "closed"
    closed.mkdir(mode=0o555)
    for name in ("b.zip", "b"):
        with not_root():
            done = run("bundle", campaign, "1.0", "--out", closed / name)
        assert "can't be written: permission denied" in done.stderr


# Nothing half-written


@pytest.mark.parametrize("name", ["b.zip", "b", "new/b.zip", "new/b"])
def test_a_full_disk_leaves_what_was_there(
    old: Files, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "/" not in name:
        write_bundle(tmp_path / name, old)
    before = files(tmp_path)

    def full(path: Path, *_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(Path, "chmod", full)
    with pytest.raises(BadInput, match="no space left"):
        write_bundle(tmp_path / name, {**old, "README.md": b"new"})
    assert files(tmp_path) == before
    assert not (tmp_path / "new").exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["b.zip", "b"])
def test_a_killed_command_leaves_the_old_bundle_and_the_next_one_tidies_up(
    old: Files, tmp_path: Path, name: str
) -> None:
    write_bundle(tmp_path / name, old)
    before = files(tmp_path)
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / name)], check=False)
    assert killed.returncode == -signal.SIGKILL
    left = [path for path in tmp_path.iterdir() if "reportgen-" in path.name]
    assert left
    assert {key: content for key, content in files(tmp_path).items() if "reportgen-" not in key} == before
    write_bundle(tmp_path / name, old)
    assert files(tmp_path) == before
    assert not any(path.exists() for path in left)


def test_what_is_at_hand_is_no_obstacle(campaign: Path, old: Files, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (unpacked(old, tmp_path / "b") / ".DS_Store").write_text("litter")
    for name in ("new.zip", "new", "empty", "b"):
        assert obstacles(tmp_path / name, campaign) == []
    shutil.rmtree(tmp_path / "b")


def test_a_pipe_in_the_place_of_a_bundle_is_named_and_not_read(
    campaign: Path, old: Files, tmp_path: Path
) -> None:
    folder = unpacked(old, tmp_path / "out")
    os.mkfifo(folder / "a-pipe")
    assert ["a-pipe" in str(problem) for problem in obstacles(folder, campaign)] == [True]
