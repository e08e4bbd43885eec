"""methods.md: how agreement was measured, in the catalogue's own sentences, with the works behind them."""

from reportgen.release.released import Released
from reportgen.release.sentences import in_english
from reportgen.report.page import markdown
from reportgen.report.view import ReportView


@in_english
def write(released: Released) -> str:
    """Return the paragraph on methods that the report has, for a paper or the description of a corpus."""
    results = released.results
    return markdown("methods.md.j2", view=ReportView(results), results=results)
