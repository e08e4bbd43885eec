"""What every part of results.json is made of: frozen parts, figures with their intervals, means."""

from typing import Any, ClassVar, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

Scalar = str | int | float | bool
# What fills a place of a message: a scalar, or names that a sentence lists.
Value = Scalar | tuple[str, ...]


class Part(BaseModel):
    """A part of results.json: frozen, without unknown keys; a key that is absent has no value."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, defer_build=True)
    always: ClassVar[frozenset[str]] = frozenset()

    @model_serializer(mode="wrap")
    def _without_absent(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {key: value for key, value in handler(self).items() if value is not None or key in self.always}


class Interval(Part):
    """A confidence interval, or why there is none."""

    low: float | None = None
    high: float | None = None
    level: float | None = None
    method: str | None = None
    undefined: str | None = None

    @model_validator(mode="after")
    def _has_ends_or_reason(self) -> Self:
        if (self.low is None) == (self.undefined is None):
            message = "an interval has both ends or the reason why not"
            raise ValueError(message)
        return self


class Figure(Part):
    """A figure: its value, or null with the reason in `undefined`.

    `observed` and `expected` are agreements for nominal figures, disagreements for alpha and for every
    weighted figure, variances for Finn's R.
    """

    always = frozenset({"value"})
    value: float | None
    units: int | None = Field(default=None, description="units over which the figure is a mean")
    observed: float | None = None
    expected: float | None = None
    standard_error: float | None = None
    interval: Interval | None = None
    undefined: str | None = None
    farthest: float | None = Field(
        default=None,
        description="AC2: the largest distance of categories, declared or used: weights are 0 there",
    )
    recomputable: bool | None = Field(
        default=None,
        description="false where counts alone do not give the figure and its interval; majorities carry it "
        "too, though ratings.csv gives them",
    )


class Mean(Part):
    """A mean over the pairs of annotators for which the figure is defined."""

    value: float
    pairs: int
