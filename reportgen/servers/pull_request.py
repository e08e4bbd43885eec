"""What a tool's module is asked to fetch, and where it goes."""

import glob
import hashlib
from pathlib import Path

from reportgen.base.dataclass import dataclass
from reportgen.campaign import AnnotationSource
from reportgen.servers.credentials import credentials_for
from reportgen.servers.requests import AnnotationServer
from reportgen.servers.snapshot import UNFINISHED, Tell


@dataclass(frozen=True)
class PullRequest:
    """One pull: `out` is a new empty folder, `last` what the last one wrote, which `out` will replace.

    `place` is the campaign.toml, as errors call it, `folder` the campaign's.
    """

    place: str
    folder: Path
    source: AnnotationSource
    last: Path
    out: Path
    tell: Tell

    @property
    def project(self) -> str:
        """Return the project's number or name."""
        return self.source.project or ""

    def server(self, *, with_password: bool = False) -> AnnotationServer:
        """Return the server with who asks it. Raises BadInput where nobody is named in the environment."""
        url = self.source.url or ""
        return AnnotationServer(self.place, url, credentials_for(url, with_password=with_password))

    @property
    def store(self) -> Path:
        """Return the file of what is fetched, which stays where the pull is ended before it is whole."""
        whose = hashlib.sha256(f"{self.source.url}\n{self.project}".encode()).hexdigest()[:8]
        return self.last.parent / f"{UNFINISHED}-{self.last.name}-{whose}.jsonl"

    def forget(self, *, own: bool) -> None:
        """Remove what earlier pulls of the version fetched from elsewhere, or from here as well (`own`)."""
        name = f"{UNFINISHED}-{glob.escape(self.last.name)}-{'[0-9a-f]' * 8}.jsonl"
        for store in self.last.parent.glob(name):
            if own or store != self.store:
                store.unlink(missing_ok=True)
