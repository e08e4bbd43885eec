"""Whatever is edited in a campaign and what pages are made from, a rebuild is what building anew would be.

`make fuzz` tries more campaigns than two.
"""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.base.site_folder import PSEUDONYMS
from reportgen.pipeline.build import build_site
from tests.commands import files
from tests.own_templates import own_templates, read_again
from tests.test_incremental import ratings

CAMPAIGNS = int(os.environ.get("REPORTGEN_FUZZ_CAMPAIGNS", "2"))
PEOPLE = (("Zoe", "Ben"), ("Ben", "Abe"), ("Zoe", "Ben", "tagger"))
TOMLS = (
    "",
    '[privacy]\nannotators = "names"\n',
    '[privacy]\ntexts = "withhold"\n',
    "[gate]\ncohen_kappa = { value = 0.5 }\n",
    '[[distances]]\nid = "expert"\nfile = "distances.csv"\n',
    '[[unit_sets]]\nid = "all"\nunits = "declared"\nsize = "sizes.csv"\n',
    '[task]\nnon_annotated = "none"\n[[unit_sets]]\nid = "all"\nunits = "declared"\nsize = 90\n',
    '[controls]\nfile = "controls.csv"\n',
    '[annotators.tagger]\nrole = "system"\n',
    '[annotators.Zoe]\nrole = "reference"\n[annotators.tagger]\nsystem = "t"\nrelease = "2"\n',
)
VERSIONS = (
    "",
    "date = 2020-01-01\n",
    "date = 2021-01-01\n",
    'changes = "yes is sharper"\n',
    'merged = { "yes" = "no" }\n',
    'document = "guidelines.md"\n',
    'scale = "ordinal"\ncategories = ["no", "yes"]\n',
    'annotators = ["Ben", "Zoe", "Abe"]\n',
)
LANGUAGES = ("", 'language = "fr"\n', 'language = ["en", "fr"]\n', 'language = ["fr", "en"]\n')
# What pages are made from, as somebody edits it: a file of templates/, and what stands in it by then.
PAGES: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
    ("base.html.j2", lambda text: text),
    ("base.html.j2", lambda text: text.replace(b"</body>", b"<p>Edited.</p></body>")),
    ("style.css", lambda text: text + b"\nbody { outline: 3px solid }\n"),
    ("script.js", lambda text: text + b"\nlet edited;\n"),
    ("report.md.j2", lambda text: text + b"\nEdited.\n"),
    ("locale/fr/LC_MESSAGES/reportgen.mo", lambda text: text.replace(b"annotateur", b"Annotateur")),
)
BESIDE = {
    "guidelines.md": "Say {}.\n",
    "distances.csv": ",yes,no\nyes,0,0.{}\nno,0.{},0\n",
    "sizes.csv": "document,size\nd0,4{}\nd1,40\nd2,40\nd3,40\nd4,40\nd5,40\n",
    "controls.csv": "unit,label,document\nu{},yes,d0\n",
}


@dataclass(frozen=True)
class Version:
    """One guidelines version: its table in campaign.toml, and what its export is drawn by."""

    toml: str
    people: tuple[str, ...]
    turned: int


@dataclass(frozen=True)
class Edited:
    """A campaign at one moment: its versions in the order of the file, and a number in files beside them.

    `pages` says which file of templates/ somebody has edited by then.
    """

    toml: str
    versions: dict[str, Version]
    number: int
    language: str
    pages: int


version = st.builds(Version, st.sampled_from(VERSIONS), st.sampled_from(PEOPLE), st.sampled_from((5, 7)))
names = st.lists(st.sampled_from("abc"), min_size=1, max_size=3, unique=True)
campaigns = st.builds(
    Edited,
    st.sampled_from(TOMLS),
    names.flatmap(lambda known: st.fixed_dictionaries(dict.fromkeys(known, version))),
    st.integers(1, 3),
    st.sampled_from(LANGUAGES),
    st.sampled_from(range(len(PAGES))),
)


@st.composite
def histories(draw: st.DrawFn) -> list[Edited]:
    """Draw a campaign and what becomes of it: of each next one, one part is another."""
    found = [draw(campaigns)]
    for _ in range(2):
        other = draw(campaigns)
        part = draw(st.sampled_from(("toml", "versions", "number", "language", "pages", "one version")))
        if part == "one version":
            name = draw(st.sampled_from(sorted(found[-1].versions)))
            versions = found[-1].versions | {name: draw(version)}
            found.append(replace(found[-1], versions=versions))
        else:
            found.append(replace(found[-1], **{part: getattr(other, part)}))
    return found


def write(folder: Path, campaign: Edited) -> None:
    # Nobody edits the table of pseudonyms: where it is lost, the first build says so, and the next does not.
    table = folder / PSEUDONYMS
    known = table.read_bytes() if table.exists() else None
    shutil.rmtree(folder, ignore_errors=True)
    tables = [f'[[guidelines]]\nversion = "{name}"\n{each.toml}' for name, each in campaign.versions.items()]
    own = campaign.toml if "[task]" in campaign.toml else f'[task]\nnon_annotated = "none"\n{campaign.toml}'
    beside = {name: text.replace("{}", str(campaign.number)) for name, text in BESIDE.items()}
    exports = {
        f"exports/{name}/r.csv": ratings(each.people, each.turned) for name, each in campaign.versions.items()
    }
    written = {
        "campaign.toml": "".join(['title = "Edited"\n', campaign.language, own, *tables]),
        **beside,
        **exports,
    }
    for name, text in written.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    if known is not None:
        table.write_bytes(known)


@contextlib.contextmanager
def edited(templates: Path, pages: int) -> Iterator[None]:
    """Have a file of templates/ edited meanwhile."""
    name, edit = PAGES[pages]
    before = (templates / name).read_bytes()
    (templates / name).write_bytes(edit(before))
    read_again()
    yield
    (templates / name).write_bytes(before)


def refused(folder: Path, out: str, *, fresh: bool = False) -> str:
    """Build a site; return what is wrong with the campaign, nothing where nothing is."""
    try:
        build_site([folder / "c"], folder / out, fresh=fresh, prune=True)
    except BadInput as error:
        return str(error)
    return ""


@pytest.mark.slow
@given(histories())
@settings(max_examples=CAMPAIGNS, suppress_health_check=[HealthCheck.too_slow])
def test_a_rebuild_after_any_edit_is_what_building_anew_would_be(history: list[Edited]) -> None:
    with tempfile.TemporaryDirectory() as name, own_templates(Path(name)) as templates:
        folder = Path(name)
        for moment in history:
            write(folder / "c", moment)
            with edited(templates, moment.pages):
                again = refused(folder, "site")
                assert again == refused(folder, "anew", fresh=True)
                assert again or files(folder / "site") == files(folder / "anew")


def test_every_edit_of_what_pages_are_made_from_changes_one(tmp_path: Path) -> None:
    with own_templates(tmp_path) as templates:
        for name, edit in PAGES[1:]:
            before = (templates / name).read_bytes()
            assert edit(before) != before
