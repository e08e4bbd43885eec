"""The feed of versions is Atom as RFC 4287 has it, without a clock and without a host."""

import re
import uuid

import pytest
from lxml import etree

from reportgen.report.history_words import feed
from reportgen.results.versions import History
from tests.hostile import ATTACK
from tests.report.made_history import history, version

ATOM = "{http://www.w3.org/2005/Atom}"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
TWO = history((0.42, 0.71))


def parsed(found: History) -> etree._Element:
    text = feed(found)
    assert text is not None
    return etree.fromstring(text.encode())


def hold_is_atom(root: etree._Element) -> None:
    """Hold what RFC 4287, sections 4.1.1, 4.1.2 and 4.2, ask of a feed."""
    assert root.tag == f"{ATOM}feed"
    for element in (root, *root.findall(f"{ATOM}entry")):
        for tag in ("id", "title", "updated"):
            assert len(element.findall(f"{ATOM}{tag}")) == 1, tag
        assert MOMENT.fullmatch(element.findtext(f"{ATOM}updated") or "")
        address = element.findtext(f"{ATOM}id") or ""
        assert uuid.UUID(address.removeprefix("urn:uuid:")).urn == address
        links = element.findall(f"{ATOM}link")
        kinds = [(each.get("rel"), each.get("type")) for each in links]
        assert len(kinds) == len(set(kinds))
        assert ("alternate", "text/html") in kinds
        for each in links:
            assert not re.match(r"[a-z]+:|/", each.get("href") or "/")
    assert root.findtext(f"{ATOM}author/{ATOM}name")
    ids = [each.text for each in root.iter(f"{ATOM}id")]
    assert len(ids) == len(set(ids))


def test_a_feed_is_valid_and_has_the_newest_version_first() -> None:
    root = parsed(TWO)
    hold_is_atom(root)
    entries = root.findall(f"{ATOM}entry")
    assert [each.findtext(f"{ATOM}title") for each in entries] == [
        "A campaign: guidelines 1.1",
        "A campaign: guidelines 1.0",
    ]
    assert root.findtext(f"{ATOM}updated") == "2026-01-02T00:00:00Z"
    assert root.findtext(f"{ATOM}author/{ATOM}name") == "Ann Author"


def test_an_entry_says_verdict_change_and_what_was_changed() -> None:
    newest = parsed(TWO).find(f"{ATOM}entry")
    assert newest is not None
    summary = newest.findtext(f"{ATOM}summary") or ""
    assert summary.startswith(
        "The annotation is reliable enough to build on, but only with caution. "
        "Krippendorff's alpha is 0.710, and with 95% confidence between"
    )
    assert "Since guidelines 1.0, Krippendorff's alpha rose from 0.400 to 0.690" in summary
    assert summary.endswith("Changes: What *1.1* changed.")


def test_ids_last_when_versions_are_added_and_differ_between_campaigns() -> None:
    def ids(found: History) -> list[str | None]:
        return [each.text for each in parsed(found).iter(f"{ATOM}id")]

    more = history((0.42, 0.71, 0.8))
    assert set(ids(TWO)) < set(ids(more))
    other = TWO.model_copy(update={"campaign": TWO.campaign.model_copy(update={"id": "other"})})
    assert not set(ids(TWO)) & set(ids(other))


def undated() -> History:
    return TWO.model_copy(update={"versions": (version("1.0", 0.4, "2026-01-01"), version("1.1", 0.7))})


def test_a_version_without_a_date_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    root = parsed(undated())
    hold_is_atom(root)
    assert [each.findtext(f"{ATOM}title") for each in root.findall(f"{ATOM}entry")] == [
        "A campaign: guidelines 1.0"
    ]


def test_it_takes_the_date_of_the_source_where_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1780000000")
    root = parsed(undated())
    assert len(root.findall(f"{ATOM}entry")) == 2
    assert root.findtext(f"{ATOM}updated") == "2026-05-28T20:26:40Z"


@pytest.mark.parametrize("epoch", [None, "", "today", "1e400", "9" * 30])
def test_without_any_date_there_is_no_feed(monkeypatch: pytest.MonkeyPatch, epoch: str | None) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    if epoch is not None:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    assert feed(history((0.5,)).model_copy(update={"versions": (version("1", 0.5),)})) is None


def test_hostile_text_is_text() -> None:
    hostile = version("1", 0.5, "2026-01-01", changes=f"{ATTACK}\x00\x1b")
    title = TWO.campaign.model_copy(update={"title": f"{ATTACK}\x01", "authors": (ATTACK,)})
    found = TWO.model_copy(update={"versions": (hostile,), "campaign": title, "steps": ()})
    root = parsed(found)
    hold_is_atom(root)
    known = {"feed", "id", "title", "updated", "author", "name", "link", "entry", "summary"}
    assert {etree.QName(each).localname for each in root.iter()} == known
    assert " ".join(ATTACK.split()) in (root.findtext(f"{ATOM}title") or "")
