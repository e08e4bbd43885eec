"""What does a folder of exports hold? The answer is what `reportgen init` says and writes down."""

from reportgen.survey.account import account
from reportgen.survey.folder import CONFIGURATION, Survey, survey_folder
from reportgen.survey.versions import VersionFound

__all__ = ["CONFIGURATION", "Survey", "VersionFound", "account", "survey_folder"]
