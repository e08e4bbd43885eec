"""Which files matter: those of campaigns and templates, but for what programs leave beside them."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from watchfiles import Change, DefaultFilter, watch

from reportgen.files import templates

# Milliseconds without another change after which a change is acted on, and how often it is looked whether a
# folder that was gone is there again.
SETTLED, LOOK = 40, 1000


class Sources(DefaultFilter):
    """Lets changes of sources pass."""

    def __init__(self, site: Path) -> None:
        """Let nothing pass of the site itself, wherever it stands."""
        super().__init__(ignore_paths=[site.resolve()])
        self._beside = f".{site.name}.reportgen-"

    def __call__(self, change: Change, path: str) -> bool:
        """Tell whether a change may be one of a source."""
        own = self._beside in path or path.endswith("/.lock")
        return not own and super().__call__(change, path)


def changes(campaigns: Sequence[Path], site: Path) -> Iterator[Collection[Path]]:
    """Yield the files that changed, again and again; none where some may have changed unseen.

    That is so while nobody watched yet, and where a campaign's folder came or went.
    """
    while True:
        watched, unseen = _there(campaigns), True
        for found in watch(
            *watched,
            watch_filter=Sources(site),
            step=SETTLED,
            rust_timeout=LOOK,
            yield_on_timeout=True,
        ):
            if found or unseen:
                yield {Path(path).resolve() for _, path in found}
            unseen = False
            if _there(campaigns) != watched:
                yield ()
                break


def _there(campaigns: Sequence[Path]) -> list[Path]:
    return [each for each in (templates(), *campaigns) if each.is_dir()]
