"""What a tool's module is asked to fetch, and where it goes."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import refused
from reportgen.base.site_folder import held
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

    @contextmanager
    def one_at_a_time(self) -> Iterator[Path]:
        """Yield the file of what is fetched, which stays where the pull is ended before it is whole.

        Raises BadInput where another command is fetching the same.
        """
        whose = hashlib.sha256(f"{self.source.url}\n{self.project}".encode()).hexdigest()[:8]
        store = self.last.parent / f"{UNFINISHED}-{self.last.name}-{whose}.jsonl"
        store.parent.mkdir(parents=True, exist_ok=True)
        store.touch()
        with held(store) as free:
            if not free:
                message = "is being pulled by another command."
                raise refused(str(self.last), message=message, remedy="Wait for it, or end it.")
            yield store
            store.unlink(missing_ok=True)
