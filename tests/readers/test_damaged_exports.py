"""A damaged export is read, or refused with reason and place: no traceback, no words of Python's, no minutes.

`make fuzz` does the same ten thousand times.
"""

import os
from collections import Counter
from pathlib import Path

import pytest

from tests.readers.mutations import DAMAGES, case, originals, outcome

CASES = int(os.environ.get("REPORTGEN_FUZZ_CASES", "500"))
PARTS = 10


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_damaged_exports_are_read_or_refused(part: int, shared_or_none: Path | None) -> None:
    exports = originals(shared_or_none)
    outcomes: Counter[str] = Counter()
    for number in range(part, CASES, PARTS):
        damaged = case(number, exports)
        try:
            outcomes[outcome(damaged)] += 1
        except BaseException as error:
            error.add_note(damaged.what)
            raise
    # Neither outcome may be the only one: then nothing would be tested.
    assert min(outcomes["read"], outcomes["refused"]) > CASES / PARTS / 20


def test_damage_is_the_same_each_time_and_of_every_kind() -> None:
    exports = originals(None)
    assert [case(number, exports) for number in range(50)] == [case(number, exports) for number in range(50)]
    assert {
        damage for number in range(300) for damage in DAMAGES if damage in case(number, exports).what
    } == set(DAMAGES)
