"""How many examples a property is tried on: a tenth in quick tests, half of them in `make test-all`."""

from typing import Any

import hypothesis

# What Hypothesis tries where a test says nothing. A run has the same examples and no time limit on each,
# wherever and however busy the machine.
ALL = 100
hypothesis.settings.register_profile("quick", derandomize=True, deadline=None, max_examples=ALL // 10)
hypothesis.settings.register_profile("thorough", derandomize=True, deadline=None, max_examples=ALL // 2)
hypothesis.settings.register_profile("all", derandomize=True, deadline=None, max_examples=ALL)
FEWEST = 4


def examples(number: int, **more: Any) -> hypothesis.settings:  # noqa: ANN401 - what Hypothesis takes
    """Return settings for so many examples in all, in the profile's share of them (4 at least)."""
    here = hypothesis.settings.default
    assert here is not None
    share = number * here.max_examples // ALL
    return hypothesis.settings(max_examples=max(min(number, FEWEST), share), **more)
