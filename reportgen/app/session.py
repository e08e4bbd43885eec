"""A session of somebody without a terminal: files in a folder, what was decided of them, and the site.

The folder is the user's alone. It goes at the end; after a crash the next start goes on with it.
"""

import contextlib
import secrets
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock

import platformdirs
from filelock import FileLock, Timeout
from pydantic import ValidationError

from reportgen.app.uploads import chosen_folder, problems_by_name, unpack_archives
from reportgen.base.errors import BadInput
from reportgen.base.site_folder import write_file
from reportgen.pipeline.build import build_site
from reportgen.pipeline.export_folder import CONFIGURATION, Survey, slug, survey_folder
from reportgen.pipeline.scaffold import Decisions, plan_of, render

DECIDED, CAMPAIGNS, SITE, ARRIVING = "decided.json", "campaigns", "site", "arriving"
LOCKED = ".lock"
# What is made of files in a campaign's folder: its description, and sheets of what was settled.
OURS = (CONFIGURATION, "adjudication")


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
        return self.campaign is not None and (self.folder / "described").exists()

    @property
    def arriving(self) -> Path:
        """Return a new folder for files that come."""
        folder = self.folder / ARRIVING / secrets.token_hex(8)
        folder.mkdir(parents=True)
        return folder

    @property
    def decided(self) -> Decisions:
        """Return what was decided."""
        try:
            return Decisions.model_validate_json((self.folder / DECIDED).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValidationError):
            return Decisions()

    def take(self, arrived: Path, name: str = "") -> None:
        """Make a campaign of files that came, in place of what there is; raise BadInput if unsafe."""
        try:
            unpack_archives(arrived)
        except BadInput as error:
            raise BadInput(problems_by_name(error, arrived)) from None
        top = chosen_folder(arrived)
        files = sorted(path for path in top.rglob("*") if path.is_file())
        if not files:
            return
        name = name or (top.name if top != arrived else files[0].stem)
        with self.lock:
            self.empty()
            target = self.folder / CAMPAIGNS / slug(name, "campaign")
            target.parent.mkdir(exist_ok=True)
            top.rename(target)
            if (target / CONFIGURATION).exists():
                (self.folder / "described").touch()

    def empty(self) -> None:
        """Forget the files, and what was decided of them."""
        for name in (CAMPAIGNS, SITE):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        for name in (DECIDED, "described"):
            (self.folder / name).unlink(missing_ok=True)
        self._survey = None

    def survey(self) -> Survey:
        """Return what is in the files, read as was decided; raise BadInput with all that is in the way."""
        folder, said = self.campaign, self.decided.reading
        if folder is None:
            raise BadInput([])
        with self.lock:
            key = (folder, said)
            if self._survey is None or self._survey[0] != key:
                try:
                    self._survey = key, survey_folder(folder, said, OURS)
                except BadInput as error:
                    raise BadInput(problems_by_name(error, folder)) from None
            return self._survey[1]

    def decide(self, decided: Decisions) -> None:
        """Keep what was decided, and write it into campaign.toml where files can be read so."""
        with self.lock:
            write_file(self.folder / DECIDED, decided.model_dump_json().encode())
            self.write()

    def write(self) -> None:
        """Write campaign.toml as `init` does; raise BadInput with all that is in the way."""
        if self.campaign is not None and not self.is_described:
            write_file(self.campaign / CONFIGURATION, self.described(self.survey(), self.decided).encode())

    def described(self, survey: Survey, decided: Decisions) -> str:
        """Return campaign.toml of what was found and decided, and of what was settled meanwhile."""
        sheets = decided.sheets | dict(self._sheets())
        return render(plan_of(survey, decided.model_copy(update={"sheets": sheets})))

    def _sheets(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the sheets that the screen for settling wrote into campaign.toml, by version."""
        with contextlib.suppress(FileNotFoundError, tomllib.TOMLDecodeError):
            data = tomllib.loads(((self.campaign or Path()) / CONFIGURATION).read_text(encoding="utf-8"))
            for version in data["guidelines"]:
                if sheets := version.get("adjudication"):
                    yield version["version"], (sheets,) if isinstance(sheets, str) else tuple(sheets)

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


@contextlib.contextmanager
def session(above: Path, *, new: bool = False) -> Iterator[Session]:
    """Yield a session in a folder of its own, which goes at the end unless it is to be kept.

    It is the newest of those that ended by a crash, unless a `new` one is asked for; older ones go.
    """
    above.mkdir(parents=True, exist_ok=True, mode=0o700)
    left = _left(above)
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


def _left(above: Path) -> list[Path]:
    """Return the folders of sessions that no program has open any more, the newest first."""
    folders = [path for path in above.iterdir() if path.is_dir() and not path.is_symlink()]
    free = [path for path in folders if _is_free(path)]
    with_files = sorted(free, key=lambda path: path.stat().st_mtime, reverse=True)
    empty = [path for path in with_files if not (path / CAMPAIGNS).is_dir()]
    for path in empty:
        _remove(path)
    return [path for path in with_files if path not in empty]


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
