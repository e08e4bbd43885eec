"""Which tabs of a browser show the application: when the last one is closed, it may end."""

from collections.abc import Callable
from dataclasses import field
from threading import Lock
from time import monotonic

from reportgen.base.dataclass import dataclass

# Seconds after which the last tab that was closed is not about to come back, as on the way to another page;
# and after which a silent tab is not there: browsers wake those behind others once a minute.
GRACE, SILENCE = 20.0, 300.0
# Tabs that are known at most: nobody has more.
MOST = 500


@dataclass
class Tabs:
    """The tabs that were heard of, and since when there is none."""

    clock: Callable[[], float] = monotonic
    _heard: dict[str, float] = field(default_factory=dict)
    _none_since: float | None = None
    _lock: Lock = field(default_factory=Lock)

    def here(self, tab: str) -> None:
        """Know that a tab is there."""
        with self._lock:
            if tab in self._heard or len(self._heard) < MOST:
                self._heard[tab] = self.clock()
            self._none_since = None

    def gone(self, tab: str) -> None:
        """Know that a tab was closed, or leads elsewhere."""
        with self._lock:
            if self._heard.pop(tab, None) is not None and not self._heard:
                self._none_since = self.clock()

    @property
    def are_closed(self) -> bool:
        """Tell whether somebody closed the last one, a while ago."""
        with self._lock:
            return self._none_since is not None and self.clock() - self._none_since > GRACE

    @property
    def are_silent(self) -> bool:
        """Tell whether tabs that nobody closed are silent for long: the browser may have crashed."""
        with self._lock:
            return bool(self._heard) and self.clock() - max(self._heard.values()) > SILENCE
