"""How close concepts are by the balanced distance metric (BDM): GATE's scores, or those of a taxonomy."""

from reportgen.campaign.bdm.closeness import Closeness, Origin, Score
from reportgen.campaign.bdm.gate import is_scores, read_scores
from reportgen.campaign.bdm.metric import BalancedDistance
from reportgen.campaign.bdm.read import is_taxonomy, read_taxonomy
from reportgen.campaign.bdm.taxonomy import Taxonomy

__all__ = [
    "BalancedDistance",
    "Closeness",
    "Origin",
    "Score",
    "Taxonomy",
    "is_scores",
    "is_taxonomy",
    "read_scores",
    "read_taxonomy",
]
