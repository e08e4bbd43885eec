"""The table of campaign.toml that asks for gamma."""

from typing import Annotated

from pydantic import Field

from reportgen.campaign.circumstances import Table
from reportgen.campaign.values import Weight

MOST_SAMPLES = 100_000
MOST_SEEDS = 2**32

Samples = Annotated[int, Field(ge=2, le=MOST_SAMPLES)]
Seed = Annotated[int, Field(ge=0, lt=MOST_SEEDS)]
Precision = Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False)]


class Unitizing(Table):
    """Whether gamma is computed beside the other unitizing figures, and how."""

    gamma: bool = Field(
        default=False,
        description="Whether gamma, gamma-cat and gamma-k are computed: slow, sampled, and only where the "
        "package pygamma-agreement is installed.",
    )
    samples: Samples = Field(default=30, description="How many random continua a document has.")
    seed: Seed = Field(default=20150901, description="Where the random numbers begin.")
    precision: Precision | None = Field(
        default=None,
        description="The relative error of the expected disorder to be reached at 95%, such as 0.02: more "
        "samples are drawn as it takes.",
    )
    alpha: Weight = Field(default=1.0, description="How much the places of units weigh.")
    beta: Weight = Field(default=1.0, description="How much their types weigh.")
    delta_empty: Weight = Field(default=1.0, description="What a unit costs that has no partner.")
