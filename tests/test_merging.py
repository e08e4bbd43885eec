"""A report's words go into publishers' files; every other byte stays, and a second time nothing changes."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.publish import citation_cff, croissant, dataset_card, merge_croissant
from reportgen.publish.bundle_files import Merged, Offered
from reportgen.publish.dataset_card import PLACES, begin, end, page
from reportgen.publish.merge_croissant import top
from tests.properties import examples

EXAMPLES = examples(40)
CONFORMS = ("http://mlcommons.org/croissant/1.1", croissant.CONFORMS)


def offer(version: str = "1.0", campaign: str = "genes", biases: str = "") -> Offered:
    """What a small bundle has for publishers."""
    sign = f"[agreement report {campaign} {version}]"
    whose = f"<!-- agreement report {campaign} {version} -->"
    said: dict[str, str | list[str]] = {
        "rai:annotationsPerItem": f"2 {sign}",
        "rai:dataAnnotationAnalysis": [f"Kappa is 0.8 under {version}. {sign}", f"Ünits: 12. {sign}"],
        "rai:dataLimitations": [f"Few documents. {sign}"],
        "rai:dataBiases": [f"{biases} {sign}"] if biases else [],
    }
    return Offered(
        campaign=campaign,
        version=version,
        name="bundle.zip",
        blocks={"iaa": f"{whose}\n\nAgreement: 0.8.\n\n| a |\n| - |", "iaa-annotators": f"{whose}\n\nTwo."},
        fields={key: value for key, value in said.items() if value},
        conforms=CONFORMS,
        reference={
            "type": "report",
            "title": f"Genes: agreement report, guidelines {version}",
            "authors": [{"name": "Genes"}],
            "notes": f"Agreement report of the campaign {campaign}, made with reportgen 0.1.0.",
        },
    )


def merge(
    by: Callable[..., Merged], text: str, offered: Offered | None = None, *, replace: bool = False
) -> Merged:
    """Merge twice: the second time nothing changes, and the same is kept."""
    offered = offered or offer()
    once = by(text, offered, "FILE", replace=replace)
    twice = by(once.text, offered, "FILE", replace=replace)
    assert twice.text == once.text
    return once


def complaint(by: Callable[..., Merged], text: str) -> tuple[int, str]:
    with pytest.raises(BadInput) as caught:
        by(text, offer(), "FILE", replace=False)
    (problem,) = caught.value.problems
    assert problem.file == "FILE"
    assert problem.remedy
    return problem.line, problem.message


def is_woven_in(before: str, after: str) -> bool:
    """Tell whether all of a text stands in another one, in its order."""
    rest = iter(after)
    return all(char in rest for char in before)


# Croissant

SMALL = '{"@context": {"rai": "http://mlcommons.org/croissant/RAI/"}, "name": "x"}'


def test_fields_are_laid_out_as_the_file_is() -> None:
    text = '{\r\n\t"@context": {\r\n\t\t"sc": "https://schema.org/"\r\n\t},\r\n\t"name": "x"\r\n}'
    done = merge(merge_croissant.merged, text).text
    assert "\n" not in done.replace("\r\n", "")
    assert '\r\n\t\t"rai": "http://mlcommons.org/croissant/RAI/"\r\n\t},' in done
    assert '\r\n\t"rai:dataLimitations": [\r\n\t\t"Few' in done
    assert done.endswith("]\r\n}")
    assert "\\u00dc" in done


def test_a_file_on_one_line_stays_on_one_line() -> None:
    done = merge(merge_croissant.merged, SMALL.replace(" ", "")).text
    assert "\n" not in done
    assert json.loads(done)["conformsTo"] == list(CONFORMS)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"http://mlcommons.org/croissant/1.0"', ["http://mlcommons.org/croissant/1.0", croissant.CONFORMS]),
        (
            '["http://mlcommons.org/croissant/1.0"]',
            ["http://mlcommons.org/croissant/1.0", croissant.CONFORMS],
        ),
        ('{"@id": "urn:x"}', [{"@id": "urn:x"}, {"@id": croissant.CONFORMS}]),
        ('[{"@id": "urn:x"}]', [{"@id": "urn:x"}, {"@id": croissant.CONFORMS}]),
        ('"https://mlcommons.org/croissant/RAI/1.0/"', "https://mlcommons.org/croissant/RAI/1.0/"),
        ("[]", [croissant.CONFORMS]),
    ],
)
def test_the_vocabulary_joins_what_the_file_conforms_to(before: str, after: object) -> None:
    text = SMALL.replace('"name"', f'"conformsTo": {before}, "name"')
    assert json.loads(merge(merge_croissant.merged, text).text)["conformsTo"] == after


def test_a_publishers_own_field_stays_and_is_told() -> None:
    text = SMALL.replace('"x"}', '"x", "rai:annotationsPerItem": "three", "rai:dataLimitations": "English"}')
    done = merge(merge_croissant.merged, text)
    content = json.loads(done.text)
    assert content["rai:annotationsPerItem"] == "three"
    assert content["rai:dataLimitations"] == ["English", *offer().fields["rai:dataLimitations"]]
    (kept,) = done.kept
    assert kept.startswith('rai:annotationsPerItem is there already and stays: "three".')


def test_a_publishers_own_field_is_replaced_where_that_is_asked() -> None:
    text = SMALL.replace('"x"}', '"x", "rai:annotationsPerItem": ["three"], "rai:dataLimitations": {"a": 1}}')
    assert len(merge(merge_croissant.merged, text).kept) == 2
    content = json.loads(merge(merge_croissant.merged, text, replace=True).text)
    assert content["rai:annotationsPerItem"] == offer().fields["rai:annotationsPerItem"]
    assert content["rai:dataLimitations"] == offer().fields["rai:dataLimitations"]


def test_an_earlier_reports_fields_are_replaced() -> None:
    own = SMALL.replace('"x"}', '"x", "rai:dataLimitations": ["English"]}')
    first = merge(merge_croissant.merged, own, offer("0.9", biases="Skewed."))
    second = merge(merge_croissant.merged, first.text)
    assert not second.kept
    assert "0.9" not in second.text
    assert json.loads(second.text) == json.loads(merge(merge_croissant.merged, own).text)


def test_another_campaigns_fields_stay_beside() -> None:
    other = merge(merge_croissant.merged, SMALL, offer(campaign="sentiment"))
    done = merge(merge_croissant.merged, other.text)
    assert len(json.loads(done.text)["rai:dataAnnotationAnalysis"]) == 4
    assert [each.partition(" ")[0] for each in done.kept] == ["rai:annotationsPerItem"]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('{"@context": "https://schema.org/"}', 0, "is not an object"),
        ('{"@context": {},\n "a": 1,\n "a": 2}', 3, "is there twice"),
        ('{"@context": {\n"rai": "urn:other"}}', 2, "the prefix means something other"),
    ],
)
def test_files_that_cant_be_changed_are_complained_about(text: str, line: int, message: str) -> None:
    found = complaint(merge_croissant.merged, text)
    assert found[0] == line
    assert message in found[1]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
STATEMENTS = st.text(max_size=9) | st.sampled_from(
    ["Old. [agreement report genes 0.9]", "Few documents. [agreement report genes 1.0]"]
)
OWN = st.dictionaries(
    st.sampled_from(sorted(croissant.NAMES)),
    STATEMENTS | st.lists(STATEMENTS, max_size=3, unique=True),
    max_size=4,
)


@st.composite
def croissants(draw: st.DrawFn) -> str:
    content: dict[str, Any] = draw(st.dictionaries(st.text(max_size=6), VALUES, max_size=4))
    content |= draw(OWN)
    content["@context"] = draw(st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=2))
    content["@context"].pop("rai", None)
    keys = draw(st.permutations(sorted(content)))
    layouts: list[dict[str, Any]] = [{"indent": 2}, {"indent": "\t"}, {}, {"separators": (",", ":")}]
    layout = draw(st.sampled_from(layouts))
    text = json.dumps({key: content[key] for key in keys}, ensure_ascii=draw(st.booleans()), **layout)
    newline, around = draw(st.sampled_from(["\n", "\r\n"])), draw(st.sampled_from(["", "\n", " \n\n"]))
    return f"{around}{text}{around}".replace("\n", newline)


@EXAMPLES
@given(croissants())
def test_croissant_of_any_layout_keeps_every_other_byte(text: str) -> None:
    done = merge(merge_croissant.merged, text)
    before, after = json.loads(text), json.loads(done.text)
    ours = croissant.NAMES | {"@context", "conformsTo"}
    assert [key for key in after if key not in ours] == [key for key in before if key not in ours]
    for each in top(text).items:
        if each.key not in ours:
            assert text[each.start : each.end] in done.text
            assert after[str(each.key)] == before[str(each.key)]
    assert not any("0.9]" in str(after.get(key)) for key in croissant.NAMES.difference(croissant.ONE))
    if not croissant.NAMES & before.keys():
        assert is_woven_in(text.replace('"conformsTo"', ""), done.text) or "conformsTo" in before


# Cards

TEMPLATE = (
    "---\nlicense: mit   # ours\n---\n\n# Corpus\n\n## Dataset Creation\n\n### Source Data\n\nWeb.\n\n"
    "### Annotations [optional]\n\n#### Annotation process\n\nBy hand.\n\n"
    "#### Who are the annotators?\n\nUs.\n\n## Citation\n\nNone.\n"
)

MADE = ("dataset creation", "annotations", "annotation process", "who are the annotators?")


def sections(text: str) -> dict[str, str]:
    """Return what stands under each heading."""
    known = page(text)
    ends = [each.line for each in known.headings[1:]] + [len(known.lines)]
    return {
        each.title: "".join(known.lines[each.after : after])
        for each, after in zip(known.headings, ends, strict=True)
    }


def test_blocks_stand_under_the_sections_of_the_template() -> None:
    done = merge(dataset_card.merged, TEMPLATE).text
    found = sections(done)
    assert found["annotation process"].startswith("\nBy hand.\n\n<!-- iaa:begin -->\n")
    assert found["who are the annotators?"].startswith("\nUs.\n\n<!-- iaa-annotators:begin -->\n")
    assert is_woven_in(TEMPLATE, done)


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("", [*MADE]),
        (
            "# Corpus\n\n## Uses\n\nx\n\n## Citation\n",
            ["corpus", "uses", *MADE, "citation"],
        ),
        (
            "# C\n## Annotations\nx\n### Personal and Sensitive Information\ny\n## Mine\nz",
            ["c", *MADE[1:], "personal and sensitive information", "mine"],
        ),
        (
            "## Dataset Creation\n### Curation Rationale\n### Other\n",
            ["dataset creation", "curation rationale", "other", *MADE[1:]],
        ),
        (
            "Annotations\n-----------\nx\n",
            [*MADE[1:]],
        ),
    ],
)
def test_missing_sections_are_made_in_the_templates_order(text: str, titles: list[str]) -> None:
    done = merge(dataset_card.merged, text).text
    assert [each.title for each in page(done).headings] == titles
    assert is_woven_in(text, done)


def test_sections_are_as_deep_as_the_one_above_them() -> None:
    done = merge(dataset_card.merged, "#### Annotations\n").text
    assert "\n##### Annotation process\n" in done


def test_a_block_between_markers_is_replaced_and_nothing_else() -> None:
    text = "a\r\n<!-- iaa:begin -->\r\nold\r\n\r\nmore\r\n<!-- iaa:end -->\r\nb\r\n"
    text += "   <!--iaa-annotators:begin-->\r\n<!-- iaa-annotators:end -->  \r\nc"
    done = merge(dataset_card.merged, text).text
    assert done.startswith(
        "a\r\n<!-- iaa:begin -->\r\n<!-- agreement report genes 1.0 -->\r\n\r\nAgreement: 0.8.\r\n"
    )
    assert done.endswith("\r\n<!-- iaa-annotators:end -->  \r\nc")
    assert "old" not in done
    assert "\n" not in done.replace("\r\n", "")


def test_a_later_version_replaces_the_block_of_an_earlier_one() -> None:
    first = merge(dataset_card.merged, TEMPLATE, offer("0.9")).text
    assert merge(dataset_card.merged, first).text == merge(dataset_card.merged, TEMPLATE).text


def test_another_campaigns_block_stays_unless_it_is_to_be_replaced() -> None:
    other = merge(dataset_card.merged, TEMPLATE, offer(campaign="sentiment")).text
    done = merge(dataset_card.merged, other)
    assert done.text == other
    assert done.kept == [
        f"the block {begin(block)} is the campaign sentiment's and stays." for block in PLACES
    ]
    assert "sentiment" not in merge(dataset_card.merged, other, replace=True).text


def test_headings_and_markers_in_code_and_comments_are_none() -> None:
    text = "```md\n### Annotations\n<!-- iaa:begin -->\n```\n\n<!--\n#### Annotation process\n-->\nend"
    done = merge(dataset_card.merged, text).text
    assert done.startswith(text)
    assert not done.endswith("\n")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x\n<!-- iaa:begin -->\n", 2),
        ("<!-- iaa:end -->\n<!-- iaa:begin -->\n", 1),
        ("\n\n<!-- iaa:begin -->\n<!-- iaa:begin -->\n<!-- iaa:end -->\n", 3),
        ("x\n\n```\ncode\n", 3),
        ("<!-- open\n", 1),
        ("```\ncode\n```\n\n<script>\n", 5),
    ],
)
def test_cards_that_cant_be_changed_are_complained_about(text: str, line: int) -> None:
    assert complaint(dataset_card.merged, text)[0] == line


PIECES = st.sampled_from(
    [
        *("# Corpus", "## Dataset Creation", "### Annotations", "#### Annotation process", "text", ""),
        *("### Annotations ###", "#### who are the annotators?", "## Citation [optional]", "- item", "---"),
        *("```\n## Uses\n```", "<!-- note -->", "Annotations\n---", "> ## quoted", "    ## code", "x  "),
        *("\ttab", "| a |\n| - |"),
    ]
)


@EXAMPLES
@given(
    st.lists(PIECES, max_size=9),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n", "\n\n"]),
    st.sampled_from(["", "---\na: 1\n---\n"]),
)
def test_cards_of_any_layout_keep_every_other_byte(
    pieces: list[str], newline: str, last: str, head: str
) -> None:
    body = "\n".join(pieces) + (last if pieces else "")
    text = f"{head}{body}".replace("\n", newline)
    done = merge(dataset_card.merged, text).text
    assert "".join(rest_of(done)) == text or is_woven_in(text, done)
    for block in PLACES:
        assert done.count(begin(block)) == done.count(end(block)) == 1
    if newline == "\r\n" and text:
        assert "\n" not in done.replace("\r\n", "") or "\r\n" not in text.partition("\n")[0] + "\n"


def rest_of(text: str) -> Iterator[str]:
    """Yield what stands outside of the blocks."""
    yield re.sub(r"\n?<!-- (iaa[a-z-]*):begin -->.*?<!-- \1:end -->\r?\n?", "", text, flags=re.DOTALL)


# Citations

CFF = 'cff-version: 1.2.0  # kept\nmessage: "Cite: it"\ntitle: Corpus\nauthors:\n  - name: Us\n'


@pytest.mark.parametrize(
    "references",
    [
        "",
        "references:\n  - type: book\n    title: A\n    authors: [{name: B}]\n",
        "references:\n- type: book  # mine\n  title: A\n\n# after\nversion: 1\n",
        "references:\n-   title: A\n    abstract: |\n      two\n      lines\n\nversion: 1\n",
        "references: []\n",
        "references: []  # none yet\nversion: 2\n",
        "references:\n",
        "references:   # todo\nversion: 2\n",
        "references: null\n",
        "references: [{title: A}]\n",
        "references: [\n  {title: A},  # first\n]\nversion: 3\n",
        "references:\n  -\n    title: A\n",
        "version: 3\n# the end",
        "version: 3\n...\n",
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_reference_joins_those_of_any_layout(references: str, newline: str) -> None:
    for text in (CFF + references, (CFF + references).removesuffix("\n")):
        before = text.replace("\n", newline)
        done = merge(citation_cff.merged, before).text
        known = yaml.safe_load(before)
        assert yaml.safe_load(done) == known | {
            "references": [*(known.get("references") or []), offer().reference]
        }
        kept = re.sub(r"references:\s*(\[\]|null)", "references:", before)
        assert is_woven_in(kept, done)


@pytest.mark.parametrize(
    "text", [json.dumps(yaml.safe_load(CFF)), '{"cff-version": "1.2.0", "references": []}']
)
def test_a_citation_in_braces_stays_one(text: str) -> None:
    done = merge(citation_cff.merged, text).text
    assert json.loads(done)["references"] == [offer().reference]


@pytest.mark.parametrize("before", ["- title: A\n", "  - {title: A}\n  - title: B\n"])
@pytest.mark.parametrize("after", ["", "- title: Z\n  notes: own\n"])
def test_an_earlier_reports_reference_is_replaced_where_it_stands(before: str, after: str) -> None:
    indent = " " * (len(before) - len(before.lstrip(" ")))
    after = "".join(f"{indent}{line}\n" for line in after.splitlines())
    start = f"{CFF}references:\n{before}"
    earlier = merge(citation_cff.merged, start, offer("0.9")).text + after
    other = merge(citation_cff.merged, earlier, offer(campaign="sentiment")).text
    done = merge(citation_cff.merged, other).text
    assert done == other.replace("guidelines 0.9", "guidelines 1.0", 1)


def test_of_two_references_to_one_campaign_one_stays() -> None:
    first = merge(citation_cff.merged, CFF, offer("0.8")).text
    doubled = first + "".join(first.partition("references:\n")[2])
    assert merge(citation_cff.merged, doubled).text == merge(citation_cff.merged, CFF).text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\nb: [\n", 3),
        ("a: 1\na: 2\n", 2),
        ("- a\n", 1),
        ("a: &x 1\nb: *x\n", 1),
        ("a: 1\nreferences: none\n", 2),
        ("a: !!python/name:os.system x\n", 1),
        ("a: 1\n---\nb: 2\n", 2),
        ("title: a YAML file, but no citation\n", 1),
    ],
)
def test_citations_that_cant_be_changed_are_complained_about(text: str, line: int) -> None:
    assert complaint(citation_cff.merged, text)[0] == line


@st.composite
def citations(draw: st.DrawFn) -> str:
    """A citation file as PyYAML and people write them."""
    texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=12)
    # Each list is one of its own: PyYAML writes the same one twice as an anchor and an alias.
    works = st.lists(
        st.fixed_dictionaries({"title": texts, "keywords": st.lists(texts, max_size=1)}), max_size=3
    )
    content = {
        "cff-version": "1.2.0",
        "message": draw(texts),
        "references": draw(works),
        "title": draw(texts),
    }
    if draw(st.booleans()):
        del content["references"]
    style, width = draw(st.sampled_from([True, False, None])), draw(st.sampled_from([20, 200]))
    text = yaml.safe_dump(content, default_flow_style=style, sort_keys=False, allow_unicode=True, width=width)
    head = draw(st.sampled_from(["", "# head\n", "---\n", "%YAML 1.1\n---\n"]))
    return head + text + draw(st.sampled_from(["", "\n", "# tail\n"]))


@EXAMPLES
@given(citations())
def test_citations_of_any_layout_keep_every_other_byte(text: str) -> None:
    done = merge(citation_cff.merged, text).text
    known = yaml.safe_load(text)
    assert yaml.safe_load(done) == known | {"references": [*known.get("references", []), offer().reference]}
    assert is_woven_in(text.replace("references: []", "references:"), done)
