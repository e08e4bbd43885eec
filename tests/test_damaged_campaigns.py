"""A damaged campaign is read, or refused with a place; a damaged bundle is different. Never a traceback.

What is damaged: campaign.toml and the tables that it names, a bundle whose checksums somebody mended, its zip
file. `make fuzz` tries some hundred times as many.
"""

import os
import random
import tempfile
from collections import Counter
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.campaign import load
from reportgen.pipeline.reading import read_campaign
from reportgen.publish.bundle_files import as_zip
from reportgen.publish.verify import as_text, verify
from reportgen.publish.verify.file_tree import read_archive
from tests.bundles import mended, small
from tests.commands import on_disk
from tests.readers.mutations import DAMAGES, TELLTALE, limited
from tests.slowly import slow_but

CASES = int(os.environ.get("REPORTGEN_FUZZ_CASES", "500"))
PARTS = 5
# To verify a bundle takes a hundred times as long as to read a table.
BUNDLES = max(4, CASES // 100)
TOML = """\
title = "Damaged"
language = ["en", "fr"]
[corpus]
name = "Notes"
documents = 6
[[authors]]
name = "Karën Fort"
orcid = "0000-0002-1825-0097"
[[references]]
title = "A work"
authors = ["A. Nobody"]
year = 1999
[privacy]
annotators = "names"
[task]
categories = ["yes", "no"]
non_annotated = "none"
[annotators.Abe]
role = "reference"
[controls]
file = "controls.csv"
reject_below = 0.7
minimum = 1
[[unit_sets]]
id = "items"
units = "items"
primary = true
why = '''
Everything was
read.'''
[[unit_sets]]
id = "all"
units = "declared"
size = "sizes.csv"
[[distances]]
id = "expert"
file = "expert.csv"
[[distances]]
id = "scores"
file = "scores.txt"
[[distances]]
id = "tree"
taxonomy = "tree.rdf"
[[guidelines]]
version = "1.0"
date = 2020-01-01
columns = { unit = "item", annotator = "who", document = "document", label = "label" }
missing = ["N/A",
  "?"]
[[guidelines]]
version = "1.1"
exports = ["exports/1.1/*.csv"]
merged = { "yes" = "no" }
[gate]
krippendorff_alpha = { value = 0.5, low = 0.2 }
specific_agreement = [{ category = "no", value = 0.7 }]
"""
ROWS = "".join(
    f"d{unit // 2},u{unit},{who},{label}\n"
    for unit in range(12)
    for who, label in (("Zoe", "yes"), ("Ben", "yes" if unit % 3 else "no"), ("Abe", "no"))
)
CLASS = '<owl:Class rdf:about="http://x.example/{}"><rdfs:subClassOf rdf:resource="http://x.example/{}"/></owl:Class>'
RDF = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    'xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#">\n'
    f"{CLASS.format('yes', 'said')}\n{CLASS.format('no', 'said')}\n{CLASS.format('none', 'all')}\n"
    f"{CLASS.format('said', 'all')}\n</rdf:RDF>\n"
)
CAMPAIGN = {
    "campaign.toml": TOML,
    "controls.csv": "unit,label,document\nu1,yes,d0\nu2,yes,d1\n",
    "sizes.csv": "document,size\n" + "".join(f"d{number},40\n" for number in range(6)),
    "expert.csv": ",yes,no,none\nyes,0,0.5,1\nno,0.5,0,1\nnone,1,1,0\n",
    "scores.txt": "##ontology\nkey=yes, response=no, bdm=0.5, msca=said, cp=1\n"
    "key=yes, response=none, bdm=0\nkey=no, response=none, bdm=0.1\n",
    "tree.rdf": RDF,
    "exports/1.0/r.csv": f"document,item,who,label\n{ROWS}",
    "exports/1.1/r.csv": f"document,item,annotator,label\n{ROWS}",
}


def damaged(number: int, files: dict[str, bytes], weighted: str = "") -> tuple[str, dict[str, bytes]]:
    """Return files of which one is damaged, the same ones for each number, and what was done to which.

    Every second time it is the file that is `weighted`.
    """
    chance = random.Random(number)  # noqa: S311 - to be repeated, not to be secret
    file = chance.choice([weighted, chance.choice(sorted(files))] if weighted else sorted(files))
    damage = chance.choice(sorted(DAMAGES))
    return f"{number}: {file}: {damage}", {**files, file: DAMAGES[damage](files[file], chance)}


def see_that_it_helps(refused: BadInput, what: str) -> None:
    assert refused.problems, what
    assert all(each.message and len(str(each)) < 2000 for each in refused.problems), what
    assert not any(TELLTALE.search(each.message) for each in refused.problems), what
    assert all(not each.file or each.file.startswith("c") for each in refused.problems), what


def test_the_campaign_is_read_as_long_as_it_is_whole(tmp_path: Path) -> None:
    folder = on_disk(tmp_path / "c", {name: text.encode() for name, text in CAMPAIGN.items()})
    assert len(read_campaign(load(folder))) == 2


@pytest.mark.slow
@pytest.mark.parametrize("part", slow_but(range(PARTS), 0))
def test_a_damaged_campaign_is_read_or_refused(part: int) -> None:
    whole = {name: text.encode() for name, text in CAMPAIGN.items()}
    outcomes: Counter[str] = Counter()
    for number in range(part, CASES, PARTS):
        what, files = damaged(number, whole, "campaign.toml")
        with tempfile.TemporaryDirectory() as top:
            folder = on_disk(Path(top) / "c", files)
            try:
                with limited():
                    read_campaign(load(folder, "c"))
                outcomes["read"] += 1
            except BadInput as error:
                outcomes["refused"] += 1
                see_that_it_helps(error, what)
            except BaseException as error:
                error.add_note(what)
                raise
    assert min(outcomes["read"], outcomes["refused"]) > CASES / PARTS / 20


@pytest.mark.slow
@pytest.mark.parametrize("number", slow_but(range(BUNDLES), 2))
def test_a_damaged_bundle_is_different_though_all_checksums_are_mended(number: int, tmp_path: Path) -> None:
    whole = dict(small(texts=False, exports=number % 4 == 0))
    weighted = ("report/results.json", "report/counts/counts.json", "report/counts/ratings.csv", "")[
        number % 4
    ]
    what, files = damaged(number, whole, weighted)
    found = verify(on_disk(tmp_path / "b", mended(files)))
    assert (found.verdict != "different") == (mended(files) == whole), what
    lines = [line for _, line in as_text(found)]
    assert lines
    assert not any(map(TELLTALE.search, lines)), what


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_a_damaged_archive_of_a_bundle_is_told(part: int) -> None:
    whole = as_zip({name: content[:2000] for name, content in small(texts=False, exports=False).items()})
    for number in range(part, CASES // 5, PARTS):
        what, files = damaged(number, {"b.zip": whole})
        try:
            faults: object = read_archive(files["b.zip"], "b.zip")[1]
        except BadInput as error:
            faults = error.problems
        except BaseException as error:
            error.add_note(what)
            raise
        assert bool(faults) == (files["b.zip"] != whole), what
