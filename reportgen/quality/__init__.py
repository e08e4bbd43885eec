"""Who is good, and what is hard? The quality of annotators and items, which is not agreement."""

from reportgen.quality.beside import Beside
from reportgen.quality.controls import Accuracy, accuracies, rejected
from reportgen.quality.drift import Block, Drift
from reportgen.quality.errors import Erring, Errors, NotFitted
from reportgen.quality.items import Difficulty, HardUnit
from reportgen.quality.layer import LayerQuality, Subject, assess
from reportgen.quality.patterns import Labelled
from reportgen.quality.standing import Standing
from reportgen.quality.truth import Truth, dawid_skene
from reportgen.quality.twice import Twice
from reportgen.quality.wilson import wilson

__all__ = [
    "Accuracy",
    "Beside",
    "Block",
    "Difficulty",
    "Drift",
    "Erring",
    "Errors",
    "HardUnit",
    "Labelled",
    "LayerQuality",
    "NotFitted",
    "Standing",
    "Subject",
    "Truth",
    "Twice",
    "accuracies",
    "assess",
    "dawid_skene",
    "rejected",
    "wilson",
]
