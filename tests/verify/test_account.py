"""What `verify --json` writes of a difference."""

from types import SimpleNamespace
from typing import Any, cast

from reportgen.publish.verify import account
from reportgen.publish.verify.differences import Discrepancy


def test_what_a_difference_does_not_have_is_left_out() -> None:
    difference = Discrepancy("a.csv", "differs", "pages", found="2")
    outcome = SimpleNamespace(
        files=1, numbers=2, pages=3, rounded=[], unchecked=[], differences=[difference], verdict="different"
    )
    verified = SimpleNamespace(path="site", kind="site", verdict="different", outcome=outcome)
    assert account(cast("Any", verified))["differences"] == [
        {"file": "a.csv", "what": "differs", "check": "pages", "found": "2"}
    ]
