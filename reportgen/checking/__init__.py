"""`reportgen check`: the newest version of each campaign is computed from its exports and held to [gate].

`check` answers, `as_text`, `as_json`, `as_junit` and `as_github` say the answer to people and to machines.
"""

from reportgen.checking.check import Checked, Checks, Verdict, check
from reportgen.checking.github import as_github
from reportgen.checking.json import as_json
from reportgen.checking.junit import as_junit
from reportgen.checking.text import as_text

__all__ = ["Checked", "Checks", "Verdict", "as_github", "as_json", "as_junit", "as_text", "check"]
