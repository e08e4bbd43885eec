"""What is in these files? Whoever sets up a campaign sees it before saying how they are to be read."""

from reportgen.formats.survey.columns import TO_FILL_IN, Columns
from reportgen.formats.survey.found import Found, LayerFound
from reportgen.formats.survey.labels import IN_SETS, separator_of
from reportgen.formats.survey.look import look
from reportgen.formats.survey.recognise import Recognised, recognise

__all__ = [
    "IN_SETS",
    "TO_FILL_IN",
    "Columns",
    "Found",
    "LayerFound",
    "Recognised",
    "look",
    "recognise",
    "separator_of",
]
