"""What is sent to a server, shown before: a line for each change, and how to make it."""

from collections.abc import Callable, Sequence
from pathlib import Path

from reportgen.base.dataclass import dataclass
from reportgen.campaign import AnnotationSource, Campaign
from reportgen.servers.credentials import credentials_for
from reportgen.servers.decided import DecidedVersion
from reportgen.servers.requests import AnnotationServer
from reportgen.servers.snapshot import Tell


@dataclass(frozen=True)
class ServerChange:
    """One thing that is sent: in words, and how."""

    what: str
    send: Callable[[], object]


@dataclass(frozen=True)
class PushRequest:
    """One push: what was decided of which version, from where its exports (a folder) came.

    `who` is the user whom decisions are sent as, `predictions` the model where they are sent as predictions.
    """

    campaign: Campaign
    version: str
    source: AnnotationSource
    exports: Path
    decided: DecidedVersion
    who: str
    predictions: str
    tell: Tell

    @property
    def project(self) -> str:
        """Return the project's number."""
        return self.source.project or ""

    @property
    def unit_column(self) -> str | None:
        """Return the field that names documents, None where their id does."""
        return self.campaign.version(self.version).reading.columns.unit

    def server(self, *, with_password: bool = False) -> AnnotationServer:
        """Return the server with who asks it."""
        url = self.source.url or ""
        return AnnotationServer(self.campaign.file, url, credentials_for(url, with_password=with_password))


@dataclass(frozen=True)
class PushPlan:
    """What a push changes: of `same` documents nothing, `unknown` ones are not on the server.

    `who` is whose annotations, or which model's predictions, they are there.
    """

    who: str
    changes: Sequence[ServerChange]
    same: int
    unknown: Sequence[str] = ()
