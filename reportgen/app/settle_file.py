"""The screen as one page for a colleague without a terminal, who sends back the sheet that it saves."""

from pathlib import Path

from reportgen.annotators.adjudication_sheets import AMBIGUOUS, NOTE, SILENT
from reportgen.app.desk import BOTH_RIGHT, OPEN, Desk, digest
from reportgen.app.served_site import template
from reportgen.app.settle import shared_values
from reportgen.report import page
from reportgen.words import language


def settle_file(folder: Path, version: str) -> tuple[str, int]:
    """Return the page with what is open in a version, and how much that is.

    Raises BadInput with all that is wrong in the campaign.
    """
    found = Desk(folder, version).look()
    read, disputed = found.disputed, found.open
    together = {each.key: read.both_right(each, OPEN).decision for each in disputed}
    with language.writing(language.editions(read.campaign.language)[0]):
        text = page.screen(
            "app/settle-file.html.j2",
            template("settle.css"),
            template("settle.js") + template("settle-file.js"),
            campaign=read.campaign,
            version=read.version.id,
            all=len(disputed),
            disputed=disputed,
            together=together,
            head=[*read.head, NOTE],
            file=f"adjudication-{read.version.id}.csv",
            kept=digest("kept", *(each.key for each in disputed)),
            nothing=OPEN,
            silent=SILENT,
            ambiguous=AMBIGUOUS,
            both=BOTH_RIGHT,
            **shared_values(read),
        )
    return text, len(disputed)
