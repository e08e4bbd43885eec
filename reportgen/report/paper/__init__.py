"""For papers: the report's tables, methods and references as LaTeX and BibTeX."""

from collections.abc import Iterator

from reportgen.report.paper.bibliography import references_bib
from reportgen.report.paper.methods import methods_tex, works
from reportgen.report.paper.tables import tables_tex
from reportgen.report.view import ReportView


def paper(view: ReportView) -> Iterator[tuple[str, str]]:
    """Yield the files for a paper by their names from the edition's folder."""
    yield "latex/tables.tex", tables_tex(view)
    yield "latex/methods.tex", methods_tex(view)
    yield "latex/references.bib", references_bib(view.results, works(view))
