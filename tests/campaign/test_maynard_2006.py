"""Maynard, Peters and Li (2006); GATE user guide, 10.6: the balanced distance metric, files of taxonomies."""

import builtins
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import Problem
from reportgen.campaign.taxonomies import BalancedDistance, Score, Taxonomy, read_taxonomy, taxonomy
from tests.campaign.conftest import problems_in, reading
from tests.cases import stored
from tests.properties import examples

Parents = Mapping[str, Sequence[str]]

# Made so that Service and Object have the parameters of the line that the guide prints: 24 concepts, 9 of
# them with children, 23 in all.
GUIDE = {
    "Object": "Service L A B C",
    "A": "A1",
    "B": "B1",
    "C": "C1 D",
    "D": "D1",
    "Entity": "Object P Q R x1 x2 x3 x4 x5",
    "P": "p1 p2",
    "Q": "q1",
    "R": "r1",
}


def metric(parents: Parents) -> BalancedDistance:
    edges = {(child, parent): 0 for child, own in parents.items() for parent in own}
    return BalancedDistance(taxonomy("t.csv", "made", edges, {concept: concept for concept in parents}))


def below(children: Mapping[str, str]) -> Parents:
    return {child: [parent] for parent, own in children.items() for child in own.split()}


def score(parents: Parents, key: str, response: str) -> Score:
    (found,) = metric(parents).between([key, response])
    return found


def test_the_line_that_the_guide_prints() -> None:
    found = score(below(GUIDE), "Service", "Object")
    assert (found.msca, found.cp, found.dpk, found.dpr) == ("Object", 1, 1, 0)
    assert (found.n0, found.n1) == (2.0, 2.0)
    assert f"{found.n2:.7f} {found.bran:.7f} {found.bdm:.7f}" == "2.8333333 1.9565217 0.6617647"


# Chains: R A C E, R A C F (3 steps), R A D, R B G (2). Children: R 2, A 2, B 1, C 2: 7/4 on average.
SMALL = below({"R": "A B", "A": "C D", "B": "G", "C": "E F"})


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        ("A", "C", (2 / 1.75 / 2.5) / (2 / 1.75 / 2.5 + 1 / 3)),
        ("E", "F", (2 * 2 / 1.75 / 2.5) / (2 * 2 / 1.75 / 2.5 + 1 / 3 + 1 / 3)),
        ("D", "E", (2 / 1.75 / 2.5) / (2 / 1.75 / 2.5 + 1 / 2 + 2 / 3)),
        ("E", "A", (2 / 1.75 / 2.5) / (2 / 1.75 / 2.5 + 2 / 3)),
    ],
)
def test_a_small_taxonomy_by_hand(key: str, response: str, expected: float) -> None:
    assert score(SMALL, key, response).bdm == pytest.approx(expected, rel=1e-14)


def test_what_has_only_the_root_in_common_has_the_score_0() -> None:
    for key, response in (("A", "B"), ("E", "G"), ("R", "E")):
        found = score(SMALL, key, response)
        assert (found.bdm, found.msca, found.cp) == (0.0, "R", 0)


def test_roots_are_not_joined() -> None:
    found = score(below({"R": "A", "S": "B"}), "A", "B")
    assert (found.bdm, found.msca, found.cp, found.bran) == (0.0, "", None, None)
    assert metric(below({"R": "A", "S": "B"})).origin("t.csv").roots == 2


def test_a_concept_by_two_names_is_equal_to_itself() -> None:
    made = taxonomy("t.ttl", "made", {("a", "r"): 0, ("b", "a"): 0}, {}, [("b", "B")])
    (found,) = BalancedDistance(made).between(["b", "B"])
    assert (found.bdm, found.msca, found.dpk, found.dpr) == (1.0, "b", 0, 0)


def test_a_name_that_two_concepts_have_is_not_known() -> None:
    made = taxonomy("t.ttl", "made", {("x/a", "r"): 0, ("y/a", "r"): 0}, {"x/a": "a", "y/a": "a"})
    assert BalancedDistance(made).concepts_in(["a", "r", "z"]) == ("r",)


def chains(parents: Parents, concept: str) -> list[list[str]]:
    """Return every way from a concept up to a root, concept first."""
    if not parents.get(concept):
        return [[concept]]
    return [[concept, *way] for parent in parents[concept] for way in chains(parents, parent)]


def as_gate(parents: Parents, key: str, response: str) -> tuple[float, int]:
    """Return GATE's score, and its cp: -1 without a common concept (BDMTool, 8.5)."""
    children = {name: [child for child in parents if name in parents[child]] for name in parents}
    leaves = [way for name in parents if not children[name] for way in chains(parents, name)]

    def mean(ways: list[list[str]]) -> float:
        return sum(len(way) - 1 for way in ways) / len(ways)

    usual = [len(own) for own in children.values() if own]
    best = (0.0, -1)
    for one, other in product(chains(parents, key), chains(parents, response)):
        same = 0
        while same < min(len(one), len(other)) and one[-1 - same] == other[-1 - same]:
            same += 1
        if not same:
            continue
        cp, dpk, dpr = same - 1, len(one) - same, len(other) - same
        met = [one[dpk], *one[1:dpk], *other[1:dpr]]
        bran = sum(len(children[name]) for name in met) / len(met) / (sum(usual) / len(usual))
        common = bran * cp / mean(leaves)
        apart = [
            steps / mean([way for way in leaves if name in way]) if steps else 0.0
            for steps, name in ((dpk, key), (dpr, response))
        ]
        best = max(best, (common / (common + sum(apart)), cp))
    return best


TREES: st.SearchStrategy[Parents] = st.lists(st.integers(0, 100), min_size=1, max_size=12).map(
    lambda numbers: {"c0": []} | {f"c{n}": [f"c{pick % n}"] for n, pick in enumerate(numbers, 1)}
)
# Each concept has up to two parents before it, or none and is a root.
GRAPHS: st.SearchStrategy[Parents] = st.lists(
    st.lists(st.integers(0, 100), max_size=2), min_size=2, max_size=9
).map(
    lambda rows: {
        f"c{n}": sorted({f"c{pick % n}" for pick in row} if n else set()) for n, row in enumerate(rows)
    }
)


@examples(40)
@given(TREES)
def test_in_a_tree_the_scores_are_gates(parents: Parents) -> None:
    names = list(parents)
    for found in metric(parents).between(names):
        expected, cp = as_gate(parents, found.key, found.response)
        assert found.bdm == pytest.approx(expected, rel=1e-12, abs=1e-15)
        assert found.cp == cp


def by_definition(parents: Parents, key: str, response: str) -> float:
    """Return the best score over the most specific common abstractions, by the shortest ways down."""
    children = {name: [child for child in parents if name in parents[child]] for name in parents}
    up = [{each for way in chains(parents, name) for each in way} for name in (key, response)]
    common = up[0] & up[1]
    leaves = [way for name in parents if not children[name] for way in chains(parents, name)]

    def mean(ways: list[list[str]]) -> float:
        return sum(len(way) - 1 for way in ways) / len(ways)

    def ways_to(name: str, top: str) -> list[list[str]]:
        every = [way[: way.index(top) + 1] for way in chains(parents, name) if top in way]
        return [way for way in every if len(way) == min(map(len, every))]

    usual = [len(own) for own in children.values() if own]
    scores = [0.0]
    for msca in common:
        if any(child in common for child in children[msca]):
            continue
        cp = min(len(way) for way in chains(parents, msca)) - 1
        for one, other in product(ways_to(key, msca), ways_to(response, msca)):
            met = [msca, *one[1:-1], *other[1:-1]]
            bran = sum(len(children[name]) for name in met) / len(met) / (sum(usual) / len(usual))
            shared = bran * cp / mean(leaves) if cp else 0.0
            apart = [
                (len(way) - 1) / mean([each for each in leaves if name in each]) if len(way) > 1 else 0.0
                for way, name in ((one, key), (other, response))
            ]
            scores.append(shared / (shared + sum(apart)) if shared else 0.0)
    return max(scores)


@examples(40)
@given(GRAPHS)
def test_with_several_parents_and_roots_the_scores_are_those_of_the_definition(parents: Parents) -> None:
    if not any(parents.values()):
        return
    for found in metric(parents).between(list(parents)):
        expected = by_definition(parents, found.key, found.response)
        assert found.bdm == pytest.approx(expected, rel=1e-12, abs=1e-15)
        assert 0 <= found.bdm < 1


@examples(20)
@given(GRAPHS, st.randoms())
def test_the_order_of_concepts_and_which_is_the_key_change_nothing(parents: Parents, random: Random) -> None:
    if not any(parents.values()):
        return
    mixed = list(parents)
    random.shuffle(mixed)
    scores = {(each.key, each.response): each.bdm for each in metric(parents).between(list(parents))}
    again = {
        frozenset((each.key, each.response)): each.bdm
        for each in metric({name: parents[name][::-1] for name in mixed}).between(mixed)
    }
    assert again == {frozenset(pair): value for pair, value in scores.items()}


def test_a_taxonomy_with_ever_more_ways_is_no_matter(tmp_path: Path) -> None:
    """A ladder of 200 rungs with two concepts each has 2**200 chains."""
    steps = [(f"{side}{n + 1}", f"{other}{n}") for n in range(200) for side, other in product("ab", "ab")]
    path = tmp_path / "t.csv"
    path.write_text(
        "child,parent\na0,r\nb0,r\n" + "".join(f"{child},{parent}\n" for child, parent in steps),
        encoding="utf-8",
    )
    found = BalancedDistance(read_taxonomy(path, "t.csv"))
    (one,) = found.between(["a200", "b200"])
    assert (one.cp, one.n0, one.dpk) == (200, 201.0, 1)
    assert found.through[found.taxonomy.roots[0]][0] == 2**201


def test_every_pair_has_a_score_once() -> None:
    names = list("RABCDEFG")
    pairs = [(each.key, each.response) for each in metric(SMALL).between(names)]
    assert pairs == list(combinations(names, 2))


Read = Callable[..., Taxonomy]
Refused = Callable[[str | bytes], tuple[Problem, ...]]

EXPECTED = {"Entity": (), "Place": ("Entity",), "City": ("Place",), "Person": ("Entity",)}
NAMESPACES = (
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    'xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" '
    'xmlns:owl="http://www.w3.org/2002/07/owl#" xmlns:skos="http://www.w3.org/2004/02/skos/core#"'
)
OWL = stored("taxonomies/classes.owl")
SKOS = stored("taxonomies/concepts.rdf")
TURTLE = stored("taxonomies/classes.ttl")
CSV = "parent,child\nEntity,Place\nPlace,City\n\nEntity,Person\n,Entity\n"


@pytest.fixture
def read(tmp_path: Path) -> Read:
    return reading(tmp_path, read_taxonomy)


@pytest.fixture
def refused(read: Read) -> Refused:
    return partial(problems_in, read)


def by_name(found: Taxonomy, names: Mapping[str, str] | None = None) -> dict[str, tuple[str, ...]]:
    shown = {concept: (names or {}).get(name, name) for concept, name in found.shown.items()}
    return {shown[concept]: tuple(shown[each] for each in own) for concept, own in found.parents.items()}


@pytest.mark.parametrize(("text", "form"), [(CSV, "child-parent CSV"), (OWL, "RDF/XML"), (TURTLE, "Turtle")])
def test_one_taxonomy_in_three_forms(read: Read, text: str, form: str) -> None:
    found = read(text)
    assert by_name(found) == EXPECTED
    assert found.form == form
    assert [found.shown[root] for root in found.roots] == ["Entity"]


def test_concepts_of_skos_go_by_their_labels(read: Read) -> None:
    found = read(SKOS)
    assert by_name(found, {"1": "Entity", "2": "Place", "3": "City", "4": "Person"}) == EXPECTED
    assert found.called["Town"] == found.called["City"] == ("http://x.org/3",)
    assert found.called["3"] == ("http://x.org/3",)


def test_labels_of_any_language_are_names(read: Read) -> None:
    for text in (OWL, TURTLE):
        assert read(text).called["Lieu"] == ("http://example.org/onto#Place",)


def test_n_triples_are_turtle(read: Read) -> None:
    text = "<urn:x:City> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <urn:x:Place> .\n"
    assert by_name(read(text)) == {"Place": (), "City": ("Place",)}


def test_a_concept_may_have_several_parents_and_there_may_be_several_roots(read: Read) -> None:
    found = read("child,parent\nc,a\nc,b\nd,c\n")
    assert by_name(found) == {"a": (), "b": (), "c": ("a", "b"), "d": ("c",)}
    assert found.roots == ("a", "b")


def test_a_circle_is_told_with_its_line_and_its_concepts(refused: Refused) -> None:
    (problem,) = refused("child,parent\na,r\nb,a\nc,b\nb,d\nd,c\n")
    assert (problem.line, problem.key) == (4, "concept c")
    assert problem.message == 'is above itself: "c" under "b" under "d" under "c".'


@pytest.mark.parametrize(
    ("text", "line", "key", "message"),
    [
        ("child,parent\na,b,c\n", 2, "", "has 3 cells; a child and its parent were expected."),
        ("child,parent\n,b\n", 2, "column child", "is empty; a concept was expected."),
        ("child,parent\na,b\na,b\n", 3, "row a", "is on line 2 already."),
        ("a,b\nb,c\n", 1, "first row", 'has the columns "a" and "b"; child and parent were expected.'),
        ("child,parent\n", 0, "", "puts no concept under another."),
        ("child,parent\na,\n", 0, "", "puts no concept under another."),
        ("", 0, "", "is empty."),
    ],
)
def test_a_table_has_a_child_and_a_parent_a_row(
    refused: Refused, text: str, line: int, key: str, message: str
) -> None:
    (problem,) = refused(text)
    assert (problem.line, problem.key, problem.message) == (line, key, message)


def test_rdf_that_says_nothing_of_concepts_is_refused(refused: Refused) -> None:
    for text in (f"<rdf:RDF {NAMESPACES}/>", "@prefix : <urn:x> .\n:a :b :c .\n"):
        (problem,) = refused(text)
        assert problem.message == "puts no concept under another."


def test_other_xml_is_refused_with_what_to_do(refused: Refused) -> None:
    (problem,) = refused('<Ontology xmlns="http://www.w3.org/2002/07/owl#"/>')
    assert "owl#Ontology" in problem.message
    assert "RDF/XML" in problem.remedy


@pytest.mark.parametrize(
    "text",
    [
        OWL.replace("</rdf:RDF>", ""),
        "@prefix : <urn:x> .\n:a :b\n",
        "@prefix : <urn:x> .\n" + "[" * 5000,
        "@prefix : <urn:x> .\n:a <http://[> 1e999999999 .\n:b undeclared:c :d .\n",
    ],
)
def test_what_is_no_rdf_is_told(refused: Refused, text: str) -> None:
    (problem,) = refused(text)
    assert "can't be read as Turtle" in problem.message or "is not well-formed XML" in problem.message
    assert "\n" not in problem.message


def test_entities_and_files_of_xml_are_refused(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    for entity in (f'SYSTEM "{tmp_path / "secret"}"', '"lol"'):
        doctype = f"<!DOCTYPE rdf:RDF [<!ENTITY x {entity}>]>\n"
        (problem,) = refused(doctype + SKOS.replace("Person", "&x;"))
        assert problem.message.startswith("declares entities")


def test_addresses_that_are_none_do_no_harm(read: Read) -> None:
    found = read(OWL.replace("#Person", "http://[&lt;/a%zz"))
    assert len(found.parents) == 4


def test_turtle_needs_its_library_and_says_so(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any, **others: Any) -> Any:  # noqa: ANN401 - as __import__ is
        if name.startswith("rdflib"):
            raise ImportError(name)
        return real(name, *more, **others)

    monkeypatch.setattr(builtins, "__import__", without)
    (problem,) = refused(TURTLE)
    assert problem.message == "is Turtle."
    assert 'extra "rdf"' in problem.remedy


def test_what_is_no_text_is_told(refused: Refused) -> None:
    (problem,) = refused("child,parent\nStra\xdfe,Ort\n".encode("latin-1"))
    assert "not UTF-8" in problem.message
