"""The site built again and again: what is looked at first, then all of it; else what is wrong."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from types import TracebackType

from jinja2 import TemplateSyntaxError

from reportgen import campaign as asked
from reportgen import program
from reportgen.build import build_site
from reportgen.errors import BadInput, printable
from reportgen.files import templates
from reportgen.memory import Remembered, data_intact, recall
from reportgen.progress import Progress
from reportgen.serving.standing import INDEX, Standing, Trouble

BUILDING = Trouble("The report is being built", status=HTTPStatus.SERVICE_UNAVAILABLE)
WRONG = "Nothing was built: the campaign has to be mended"
BROKEN = "Nothing was built: a template or the program has to be mended"
TEMPLATE = ".j2"
Say = Callable[[str], None]
# Who shows how far a build is, while it lasts.
Showing = Callable[[], AbstractContextManager[Progress]]


@dataclass
class Workshop:
    """Campaigns, the site that is built from them, and what is shown of it."""

    campaigns: Sequence[Path]
    site: Path
    standing: Standing
    say: Say
    progress: Showing
    looked_at: Callable[[], list[str]] = field(default=lambda: [])  # noqa: PIE807 - of a type that is known

    def build(self, changed: Collection[Path] | None = None) -> None:
        """Build the site after some files changed; show what is wrong where that can't be.

        Where none is known to have changed since it was built last, only what is new is told.
        """
        start, before = time.perf_counter(), self.standing.trouble
        of_templates = templates().resolve()
        program.forget()
        if any(path.is_relative_to(of_templates) for path in changed or ()):
            self._look_ahead()
        try:
            with self.progress() as progress:
                made = build_site(self.campaigns, self.site, progress)
        except BadInput as error:
            self._complain(Trouble(WRONG, error.problems), before)
        except Exception as error:  # noqa: BLE001 - whoever edits a template mends it and goes on
            self._complain(Trouble(BROKEN, [in_short(error)]), before)
        else:
            self.standing.stand()
            written = sum(len(each.written) for each in made.campaigns)
            if written or changed or changed is None:
                for problem in made.notices:
                    self.say(str(problem))
                self.say(_built(written, time.perf_counter() - start))

    def _complain(self, trouble: Trouble, before: Trouble | None) -> None:
        """Show what is wrong, and tell it where it is not what was wrong before."""
        self.standing.stand(trouble)
        if trouble != before:
            for each in trouble.problems:
                self.say(str(each))

    def _look_ahead(self) -> None:
        """Render the pages that somebody looks at from the results that stand, before all others."""
        from reportgen.report.page import forget

        forget()
        try:
            ahead = dict(self._rendered())
        except Exception as error:  # noqa: BLE001 - as above
            self.standing.stand(Trouble(BROKEN, [in_short(error)]))
        else:
            if ahead:
                self.standing.stand(ahead=ahead)

    def _rendered(self) -> Iterator[tuple[str, bytes]]:
        """Yield the pages that are looked at, by their paths in the site."""
        from reportgen.rendering import page_of

        memory = recall(self.site)
        for path in dict.fromkeys(self.looked_at()):
            page = path.strip("/") + (f"/{INDEX}" if path.endswith("/") else "")
            found = next(_places(page, memory.campaigns), None)
            folder = next((each for each in self.campaigns if found and each.name == found[0]), None)
            if found is None or folder is None:
                continue
            campaign, name, wanted = found
            made, place = memory.campaigns[campaign].folders[name], self.site / campaign / name
            text = data_intact(place, made) and page_of(place, made.data, asked.load(folder).language, wanted)
            if text:
                yield page, text.encode()


def _places(page: str, known: Mapping[str, Remembered]) -> Iterator[tuple[str, str, str]]:
    """Yield the campaign and folder in which a page may stand, and its name there: inner folders first."""
    campaign, _, rest = page.partition("/")
    if campaign in known:
        for name in sorted(known[campaign].folders, key=len, reverse=True):
            if not name or rest.startswith(f"{name}/"):
                yield campaign, name, rest.removeprefix(f"{name}/") if name else rest


def _built(written: int, seconds: float) -> str:
    if not written:
        return "Nothing changed in the site."
    return f"Built: {written} folder{'' if written == 1 else 's'} made anew in {seconds:.1f} s."


def in_short(error: BaseException) -> str:
    """Return what went wrong, and the line of the template or program where it did."""
    places = [
        (Path(each.tb_frame.f_code.co_filename).name, each.tb_lineno) for each in _steps(error.__traceback__)
    ]
    if isinstance(error, TemplateSyntaxError):
        places.append((error.name or "", error.lineno))
    template = [each for each in places if each[0].endswith(TEMPLATE)] or places
    name, line = template[-1]
    return printable(f"{name}:{line}: {type(error).__name__}: {error}")


def _steps(found: TracebackType | None) -> Iterator[TracebackType]:
    while found:
        yield found
        found = found.tb_next
