"""The session of somebody without a terminal: files that were sent, what was decided of them, and the site.

The folder is the user's alone. It goes at the end; after a crash the next start goes on with it.
"""

import contextlib
import re
import secrets
import shutil
import tomllib
import unicodedata
import zipfile
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path, PurePosixPath
from threading import RLock

import platformdirs
from filelock import FileLock, Timeout
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from reportgen.app.understood import of_version
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, reason, refused
from reportgen.base.site_folder import replacing, write_file
from reportgen.base.system import portable
from reportgen.pipeline.build import build_site
from reportgen.pipeline.export_folder import (
    CONFIGURATION,
    EXPORTS,
    Survey,
    comes_last,
    in_folders,
    slug,
    survey_folder,
)
from reportgen.pipeline.scaffold import Decisions, plan_of, render
from reportgen.readers import ExportFile, recognise
from reportgen.readers.untrusted import is_zip, unpack, unpacked_together
from reportgen.results.model import ONLY

LARGEST_FILE, LARGEST, MOST_FILES = 100 * 1024**2, 500 * 1024**2, 5_000
# Of an archive: who waits before a page sees its answer within a minute.
MOST_MEMBERS = MOST_FILES
# Tables are read several times until it is known what their columns are.
MOST_TABLES, TABLES = 250, (".csv", ".tsv", ".xlsx", ".xls", ".ods", ".parquet")
# Of a path (Windows opens 260 with the folders above), and of folders above a file.
LONGEST_PATH, DEEPEST = 150, 8
# Bytes of a field that is no file.
LONGEST_FIELD = 200
# What campaign.toml takes for a pattern.
UNSAFE = re.compile(r"[\[\]]")
COMMANDS = "The commands of a terminal read files of any size: reportgen init."


def safe_path(name: str) -> PurePosixPath | None:
    """Return a name as a path below a folder, whatever is in it; None for a hidden file, or no name."""
    parts = [UNSAFE.sub("_", unicodedata.normalize("NFC", part)).strip() for part in re.split(r"[/\\]", name)]
    kept = [part for part in parts if part.strip(".")]
    if not kept or kept[-1].startswith(".") or "__MACOSX" in kept:
        return None
    path = PurePosixPath(*(portable(part.lstrip(".")) for part in kept[-DEEPEST:]))
    while len(str(path)) > LONGEST_PATH and path.parent.name:
        path = path.relative_to(path.parts[0])
    return path


def free_place(folder: Path, name: PurePosixPath) -> Path:
    """Return where a file goes in a folder: beside one that is called so already."""
    path = folder / name
    number = 1
    while path.exists():
        number += 1
        path = folder / name.with_name(f"{name.stem}-{number}{name.suffix}")
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


class _Form(MultiPartParser):
    """A form that knows whether it came to its end."""

    has_ended = False

    def on_end(self) -> None:
        """Know that it is whole."""
        self.has_ended = True


async def receive(headers: Headers, stream: AsyncGenerator[bytes], folder: Path) -> Mapping[str, str]:
    """Write the files of a form below a folder; return its fields that are no files.

    Raises BadInput where it is no form with files, or too large.
    """

    async def counted() -> AsyncGenerator[bytes]:
        passed = 0
        async for content in stream:
            passed += len(content)
            if passed > LARGEST:
                raise _too_large("The upload", LARGEST)
            yield content
        if not form.has_ended:
            raise refused("", message="the upload was interrupted.", remedy="Choose the files again.")

    form = _Form(headers, counted(), max_files=MOST_FILES, max_fields=20, max_part_size=LONGEST_FIELD)
    try:
        try:
            parts = (await form.parse()).multi_items()
            files = [part for _, part in parts if isinstance(part, UploadFile)]
            await run_in_threadpool(_write, files, folder)
        except (MultiPartException, KeyError) as error:
            if "Too many files" in str(getattr(error, "message", "")):
                message, remedy = f"has more than {MOST_FILES:,} files.", "Put them into a zip archive."
                raise refused("The upload", message=message, remedy=remedy) from None
            message = "what was sent is not a form with files."
            raise refused("", message=message, remedy="Choose files.") from None
    except BadInput:
        await _drain(stream)
        raise
    except OSError as error:
        message = f"can't be written: {reason(error)}."
        raise refused("The upload", message=message, remedy="Make room on the disk.") from None
    return {name: part.strip() for name, part in parts if isinstance(part, str)}


def _write(files: Iterable[UploadFile], folder: Path) -> None:
    """Write files below a folder, none without a name; raise BadInput for one that is too large."""
    with contextlib.ExitStack() as opened:
        for file in files:
            opened.enter_context(file.file)
        for file in files:
            if (file.size or 0) > LARGEST_FILE:
                raise _too_large(file.filename or "", LARGEST_FILE)
            if (name := safe_path(file.filename or "")) is not None:
                with free_place(folder, name).open("xb") as out:
                    shutil.copyfileobj(file.file, out)


def _too_large(what: str, most: int) -> BadInput:
    message = f"is larger than {most // 1024**2} MB, and was not taken."
    return refused(what, message=message, remedy=COMMANDS)


async def _drain(stream: AsyncGenerator[bytes]) -> None:
    """Let the rest of a form pass, up to some size: browsers read no answer before they have sent it."""
    passed = 0
    async for content in stream:
        passed += len(content)
        if passed > LARGEST:
            return


def unpack_archives(folder: Path) -> None:
    """Unpack archives that no reader reads as they are; raise BadInput for one that is not safe.

    What is in it takes its place: below a folder that is called after it, or alone.
    """
    with unpacked_together():
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            file = ExportFile(path, path.name)
            if path.suffix.lower() != ".zip" or not is_zip(file) or recognise([file]):
                continue
            with contextlib.suppress(zipfile.BadZipFile), zipfile.ZipFile(path) as archive:
                if (number := len(archive.infolist())) > MOST_MEMBERS:
                    message = f"has {number:,} files; {MOST_MEMBERS:,} are read at most."
                    raise refused(file.name, message=message, remedy=COMMANDS)
            members = unpack(file)
            path.unlink()
            above = path.with_suffix("")
            for member in members:
                name = safe_path(member.name.removeprefix(f"{file.name}/"))
                if name is not None:
                    free_place(above, name).write_bytes(member.content)


def problems_by_name(error: BadInput, folder: Path) -> Iterable[Problem]:
    """Yield problems that call files as they are called below a folder."""
    start = f"{folder.as_posix()}/"
    for problem in error.problems:
        yield Problem(
            problem.file.replace(start, "").replace(str(folder), ""),
            problem.line,
            problem.key,
            problem.message.replace(start, ""),
            problem.remedy.replace(start, ""),
        )


CAMPAIGNS, SITE, ARRIVING = "campaigns", "site", "arriving"
LOCKED = ".lock"
# What was decided, in a campaign's folder: what somebody kept can be taken up again. No export is called so.
DECIDED = "open.decisions"
# What is made of files there: its description, and sheets of what was settled.
OURS = (CONFIGURATION, DECIDED, "adjudication")


def place() -> Path:
    """Return the folder of all sessions of this user."""
    return platformdirs.user_state_path("reportgen", appauthor=False) / "open"


@dataclass
class Session:
    """One session in its folder. `kept` says whether it is to be there at the next start."""

    folder: Path
    kept: bool = False
    lock: RLock = field(default_factory=RLock)
    _survey: tuple[object, Survey] | None = None

    @property
    def site(self) -> Path:
        """Return where the report is."""
        return self.folder / SITE

    @property
    def campaign(self) -> Path | None:
        """Return the campaign's folder, None where no file came yet."""
        found = sorted((self.folder / CAMPAIGNS).glob("*"))
        return found[0] if found else None

    @property
    def is_described(self) -> bool:
        """Say whether the campaign came with its own campaign.toml, so that nothing is to be decided here."""
        return self.campaign is not None and not (self.campaign / DECIDED).exists()

    @property
    def arriving(self) -> Path:
        """Return a new folder for files that come."""
        folder = self.folder / ARRIVING / secrets.token_hex(8)
        folder.mkdir(parents=True)
        return folder

    @property
    def decided(self) -> Decisions:
        """Return what was decided."""
        return decided_in(self.campaign) if self.campaign else Decisions()

    def take(self, arrived: Path) -> None:
        """Make a campaign of files that came, in place of what there is; raise BadInput if unsafe."""
        top, name = _unpacked(arrived)
        if not name:
            return
        with self.lock:
            shutil.rmtree(self.site, ignore_errors=True)
            with self._changed() as new:
                target = new / slug(name, "campaign")
                top.rename(target)
                if not (target / CONFIGURATION).exists():
                    write_decided(target, Decisions())
                elif not _is_of_decisions(target):
                    (target / DECIDED).unlink(missing_ok=True)

    def take_next(self, arrived: Path, version: str) -> None:
        """Make of files that came the next version of the guidelines.

        Raises BadInput where they can't be read, and where the name is not one that comes after the others.
        """
        top, name = _unpacked(arrived)
        if not name or self.campaign is None:
            return
        with self.lock:
            survey = self.survey()
            known, version = [each.id for each in survey.versions], slug(version, "")
            if (
                not version
                or not comes_last(version, known)
                or version.casefold() in map(str.casefold, known)
            ):
                message = f"is not a name that comes after {known[-1]}."
                raise refused(version, message=message, remedy="Count on: 1.0, 1.1, 2.0.")
            with self._changed() as new:
                target = new / self.campaign.name
                shutil.copytree(self.campaign, target)
                for before, after in in_folders(survey):
                    if before != after:
                        (target / after).parent.mkdir(parents=True, exist_ok=True)
                        (target / before).rename(target / after)
                for path in sorted(target.rglob("*"), reverse=True):
                    if path.is_dir() and not any(path.iterdir()):
                        path.rmdir()
                top.rename(target / EXPORTS / version)
                try:
                    _describe(target)
                except BadInput as error:
                    raise BadInput(problems_by_name(error, target / EXPORTS / version)) from None

    def take_back(self) -> None:
        """Let the newest version of the guidelines go, where there are several."""
        with self.lock:
            *known, last = (each.id for each in self.survey().versions)
            if self.campaign is None or not known or not (self.campaign / EXPORTS / last).is_dir():
                return
            decided = self.decided
            with self._changed() as new:
                target = new / self.campaign.name
                shutil.copytree(self.campaign, target)
                shutil.rmtree(target / EXPORTS / last)
                kept = {
                    name: {
                        version: said for version, said in getattr(decided, name).items() if version != last
                    }
                    for name in ("readings", "rows", "changes", "sheets")
                }
                write_decided(target, Decisions.model_validate(decided.model_dump() | kept))
                _describe(target)

    @contextlib.contextmanager
    def _changed(self) -> Iterator[Path]:
        """Yield a new folder for the campaign; it takes the place of the old one at once, or never."""
        with replacing(self.folder / CAMPAIGNS, strangers=lambda _: None) as new:
            yield new
        self._survey = None

    def survey(self) -> Survey:
        """Return what is in the files, read as was decided; raise BadInput with all that is in the way."""
        folder, decided = self.campaign, self.decided
        if folder is None:
            raise BadInput([])
        with self.lock:
            key = (folder, decided.readings, decided.rows)
            if self._survey is None or self._survey[0] != key:
                try:
                    self._survey = key, survey_folder(folder, decided.readings, OURS, decided.rows)
                except BadInput as error:
                    raise BadInput(problems_by_name(error, folder)) from None
            return self._survey[1]

    def files_of(self, version: str) -> list[ExportFile]:
        """Return the files of a version, also where they can't be read."""
        folder = self.campaign or Path()
        inside = folder / EXPORTS / version
        within = inside if inside.is_dir() else folder
        paths = sorted(path for path in within.rglob("*") if path.is_file())
        names = [(path, path.relative_to(folder)) for path in paths]
        return [ExportFile(path, at.as_posix()) for path, at in names if at.parts[0] not in OURS]

    def version(self, name: str) -> str:
        """Return the version of a name, else the newest, also where files can't be read as decided."""
        folder = self.campaign
        if folder is None or self.is_described:
            return name
        for look in (self.survey, lambda: survey_folder(folder, {}, OURS)):
            with contextlib.suppress(BadInput):
                return of_version(look(), name).id
        return name or ONLY

    def decide(self, decided: Decisions) -> None:
        """Keep what was decided, and write it into campaign.toml where files can be read so."""
        with self.lock:
            if self.campaign is not None and not self.is_described:
                write_decided(self.campaign, decided)
                self.write()

    def write(self) -> None:
        """Write campaign.toml as `init` does; raise BadInput with all that is in the way."""
        if self.campaign is not None and not self.is_described:
            write_file(self.campaign / CONFIGURATION, described(self.survey(), self.decided).encode())

    def build(self) -> None:
        """Build the report; raise BadInput with all that is in the way."""
        with self.lock:
            if self.campaign is None:
                raise BadInput([])
            self.write()
            try:
                build_site([self.campaign], self.site, every=True, prune=True)
            except BadInput as error:
                raise BadInput(problems_by_name(error, self.campaign)) from None


def decided_in(campaign: Path) -> Decisions:
    """Return what was decided of a campaign."""
    try:
        return Decisions.model_validate_json((campaign / DECIDED).read_bytes())
    except (FileNotFoundError, ValidationError):
        return Decisions()


def write_decided(campaign: Path, decided: Decisions) -> None:
    """Write what was decided of a campaign."""
    write_file(campaign / DECIDED, decided.model_dump_json().encode())


def described(survey: Survey, decided: Decisions) -> str:
    """Return campaign.toml of what was found and decided, and of what was settled meanwhile."""
    sheets = decided.sheets | dict(_sheets(survey.folder))
    return render(plan_of(survey, decided.model_copy(update={"sheets": sheets})))


def _describe(campaign: Path) -> None:
    """Write campaign.toml of what was decided; raise BadInput with all that is in the way."""
    decided = decided_in(campaign)
    text = described(survey_folder(campaign, decided.readings, OURS, decided.rows), decided)
    write_file(campaign / CONFIGURATION, text.encode())


def _sheets(campaign: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the sheets that the screen for settling wrote into campaign.toml, by version."""
    with contextlib.suppress(FileNotFoundError, tomllib.TOMLDecodeError):
        data = tomllib.loads((campaign / CONFIGURATION).read_text(encoding="utf-8"))
        for version in data["guidelines"]:
            if sheets := version.get("adjudication"):
                yield version["version"], (sheets,) if isinstance(sheets, str) else tuple(sheets)


def _is_of_decisions(campaign: Path) -> bool:
    """Tell whether campaign.toml says what was decided here, and nothing that somebody wrote."""
    decided = decided_in(campaign)
    try:
        text = described(survey_folder(campaign, decided.readings, OURS, decided.rows), decided)
    except (BadInput, KeyError, TypeError):
        return False
    return (campaign / DECIDED).exists() and text.encode() == (campaign / CONFIGURATION).read_bytes()


def _unpacked(arrived: Path) -> tuple[Path, str]:
    """Return the folder that has what came, archives unpacked, and its name, empty where nothing came.

    Of what somebody kept here before, it is the campaign. Raises BadInput for an archive that is unsafe.
    """
    try:
        unpack_archives(arrived)
    except BadInput as error:
        raise BadInput(problems_by_name(error, arrived)) from None
    # The folder that somebody chose, where that is all that arrived. Folders in it stay, also a single one:
    # it may be a document's.
    inside = list(arrived.iterdir())
    top = inside[0] if len(inside) == 1 and inside[0].is_dir() else arrived
    kept = [file.parent for file in top.glob(f"{CAMPAIGNS}/*/{CONFIGURATION}")]
    if len(kept) == 1:
        return kept[0], kept[0].name
    files = sorted(path for path in top.rglob("*") if path.is_file())
    if not files:
        return top, ""
    # Raise BadInput for more tables than are read while somebody waits.
    number = sum(path.suffix.lower() in TABLES for path in files)
    if number > MOST_TABLES:
        message = f"has {number:,} tables; {MOST_TABLES:,} are read at most."
        raise refused("The upload", message=message, remedy=COMMANDS)
    return top, top.name if top != arrived else files[0].stem


@contextlib.contextmanager
def session(above: Path, *, new: bool = False) -> Iterator[Session]:
    """Yield a session in a folder of its own, which goes at the end unless it is to be kept.

    It is the newest of those that ended by a crash, unless a `new` one is asked for; older ones go.
    """
    above.mkdir(parents=True, exist_ok=True, mode=0o700)
    # The folders of sessions that no program has open any more, the newest first.
    folders = [path for path in above.iterdir() if path.is_dir() and not path.is_symlink()]
    free = [path for path in folders if _is_free(path)]
    with_files = sorted(free, key=lambda path: path.stat().st_mtime, reverse=True)
    empty = [path for path in with_files if not (path / CAMPAIGNS).is_dir()]
    for path in empty:
        _remove(path)
    left = [path for path in with_files if path not in empty]
    for old in left[1:]:
        _remove(old)
    again = left[0] if left and not new else None
    own = again or above / secrets.token_hex(8)
    lock = FileLock(f"{own}{LOCKED}", timeout=0)
    try:
        lock.acquire()
    except Timeout:  # another program was faster
        own = above / secrets.token_hex(8)
        lock = FileLock(f"{own}{LOCKED}", timeout=0)
        lock.acquire()
    own.mkdir(exist_ok=True, mode=0o700)
    made = Session(own)
    try:
        shutil.rmtree(own / ARRIVING, ignore_errors=True)
        yield made
    finally:
        if not made.kept:
            shutil.rmtree(own, ignore_errors=True)
        lock.release()
        if not made.kept:
            Path(f"{own}{LOCKED}").unlink(missing_ok=True)


def _is_free(folder: Path) -> bool:
    lock = FileLock(f"{folder}{LOCKED}", timeout=0)
    try:
        with lock:
            return True
    except Timeout:
        return False


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    Path(f"{folder}{LOCKED}").unlink(missing_ok=True)
