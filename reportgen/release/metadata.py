"""Every file of a bundle that is written from the others: what machines and archives read."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from reportgen.release import card, cff, crate, croissant, methods, names, package, paragraph, readme
from reportgen.release.released import Released

# In the order of writing: a later one may describe those before it, and the crate describes all.
WRITERS: Mapping[str, Callable[[Released], str]] = {
    names.PARAGRAPH: paragraph.write,
    names.METHODS: methods.write,
    names.CARD: card.write,
    names.CITATION: cff.write,
    names.CROISSANT: croissant.write,
    names.PACKAGE: package.write,
    names.README: readme.write,
    names.CRATE: crate.write,
}


def with_metadata(released: Released) -> Released:
    """Return a release with its metadata; the same whenever, and on whatever machine, it is written anew."""
    for name, write in WRITERS.items():
        released = replace(released, files={**released.files, name: write(released).encode()})
    return released
