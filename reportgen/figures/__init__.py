"""What is looked at? Figures by matplotlib, one function each from results to Axes: for pages and papers.

Each draws on the axes that it is given, else on those of a new figure, and returns them; where there is
nothing to draw it returns None. `drawing` makes the SVG of a page.
"""

from reportgen.figures.agreement import agreement_by_layer, documents, pairs, specific_agreement
from reportgen.figures.bars import boundary_distances, disagreement_flow
from reportgen.figures.curve import size_curve
from reportgen.figures.drawings import FONT, Drawing, drawing, rules, standalone
from reportgen.figures.heatmaps import agreement_with_others, confusion_matrix, pairwise_agreement
from reportgen.figures.people import annotators, causes, drift, histogram, winning_rates
from reportgen.figures.versions import agreement_over_versions, categories_over_versions, f_over_versions

__all__ = [
    "FONT",
    "Drawing",
    "agreement_by_layer",
    "agreement_over_versions",
    "agreement_with_others",
    "annotators",
    "boundary_distances",
    "categories_over_versions",
    "causes",
    "confusion_matrix",
    "disagreement_flow",
    "documents",
    "drawing",
    "drift",
    "f_over_versions",
    "histogram",
    "pairs",
    "pairwise_agreement",
    "rules",
    "size_curve",
    "specific_agreement",
    "standalone",
    "winning_rates",
]
