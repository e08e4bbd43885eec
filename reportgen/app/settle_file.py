"""The screen as one page for a colleague without a terminal, who sends back the sheet that it saves."""

from pathlib import Path
from typing import Any

from reportgen.annotators.adjudication_sheets import NOTE, SILENT
from reportgen.app.desk import OPEN, Answer, Desk, Disputed, DisputedUnit, as_one, digest
from reportgen.app.served_site import template
from reportgen.app.settle import in_words, shared_values
from reportgen.report import page
from reportgen.words import language


def settle_file(folder: Path, version: str) -> tuple[str, int]:
    """Return the page with what is open in a version, and how much that is.

    Raises BadInput with all that is wrong in the campaign.
    """
    found = Desk(folder, version).look()
    read, disputed = found.disputed, found.open
    with language.writing(language.editions(read.campaign.language)[0]):
        text = page.screen(
            "app/settle-file.html.j2",
            template("settle.css"),
            template("settle.js") + template("settle-file.js"),
            campaign=read.campaign,
            version=read.version.id,
            all=len(disputed),
            disputed=disputed,
            head=[*read.head, NOTE],
            file=f"adjudication-{read.version.id}.csv",
            kept=digest("kept by unit", *(each.key for each in disputed)),
            asked={each.key: _asked(each, read) for each in disputed},
            nothing=OPEN,
            silent=SILENT,
            **shared_values(read),
        )
    return text, len(disputed)


def _asked(each: DisputedUnit, read: Disputed) -> dict[str, Any]:
    """Return what the page saves of a disagreement: its rows, and what each answer decides of them."""
    both = read.both_right(each, OPEN)
    together = as_one(each, both)
    return {
        "rows": [unit.row for unit in each.together],
        "options": {
            option.value: {"decisions": option.decisions, "words": in_words(each, Answer(option.words))}
            for option in each.options
        },
        "both": {
            "decisions": [answer.decision for answer in both],
            "words": together.decision,
            "cause": together.cause,
            "note": together.note,
        },
    }
