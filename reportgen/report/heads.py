"""Heads of tables, and the names of people in them, in the language that is written."""

from collections.abc import Iterable
from dataclasses import replace

from reportgen.report.language import N_, _, say
from reportgen.report.numbers import pointed
from reportgen.report.tables import Column
from reportgen.results.spans import SpanPair

ANNOTATOR = "annotator"
# What people are beside annotators.
ROLES = {"reference": N_("reference"), "system": N_("system"), "model": N_("model")}


def heads(columns: Iterable[Column]) -> tuple[Column, ...]:
    """Return columns whose titles are messages, in the language that is written."""
    return tuple(replace(each, title=_(each.title)) for each in columns)


def role_in_words(role: str) -> str:
    """Return what a role is called."""
    return _(ROLES.get(role, role))


def not_independent(name: str) -> str:
    """Return the name of a reference that was made from the marks of those whom it judges."""
    return say("{name}, not independent", name=name)


def roles(pair: SpanPair) -> tuple[str, str]:
    """Return the roles of two people; a reference that was made from the other's marks too says so."""
    first, second = map(_in_words, pair.roles)
    return (not_independent(first) if pair.independent is False else first), second


def _in_words(role: str) -> str:
    return role if role == ANNOTATOR else role_in_words(role)


def named(name: str, role: str) -> str:
    """Return a name with its role, where it is not an annotator's."""
    return name if role == ANNOTATOR else f"{name} ({role})"


def setting(value: float) -> str:
    """Return a number that somebody set, with the decimals that it was given."""
    return pointed(f"{value:g}")
