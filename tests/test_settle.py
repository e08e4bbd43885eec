"""The screen where disagreements are settled: what it writes, whom it answers, and how it is used by keys."""

import contextlib
import csv
import io
import re
import shutil
import signal
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from reportgen.app.desk import OPEN, Answer, Desk, digest_of
from reportgen.app.settle import PATH, SettleScreen
from reportgen.app.web import ServedSite, Server
from reportgen.base.errors import BadInput
from tests import campaigns
from tests.commands import on_disk, run
from tests.conftest import OpenPage
from tests.pages import VIEWS, Parsed, watched
from tests.served import Client, accessible, asked, come_in, running
from tests.slowly import slow_in_chromium
from tests.test_marked_campaigns import LAYER, grids

EXAMPLE = Path(__file__).parent.parent / "campaigns" / "gene-renaming-in-texts"
RATINGS = "item,anna,ben\n" + "".join(f"{n},yes,{'no' if n % 2 else 'yes'}\n" for n in range(1, 13))
SETS = "item,anna,ben\n1,a|b,b|c\n2,a,a\n3,b,c\n4,a|b|c,c\n"
TOML = 'title = "Settled"\n[[guidelines]]\nversion = "1"\n'
SHEET = "adjudication/1.csv"


def written(folder: Path, ratings: str = RATINGS, toml: str = TOML) -> Path:
    return on_disk(folder, {"campaign.toml": toml, "exports/1/ratings.csv": ratings})


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    return written(tmp_path / "c")


@pytest.fixture
def example(tmp_path: Path) -> Path:
    shutil.copytree(EXAMPLE, tmp_path / "example")
    return tmp_path / "example"


def sheet(campaign: Path, name: str = SHEET) -> list[dict[str, str]]:
    with (campaign / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def decided(campaign: Path, name: str = SHEET) -> dict[str, tuple[str, str, str]]:
    return {row["unit"]: (row["decision"], row["cause"], row["note"]) for row in sheet(campaign, name)}


# The sheet


def test_a_decision_is_written_at_once_and_campaign_toml_names_the_sheet(campaign: Path) -> None:
    said: list[str] = []
    desk = Desk(campaign, "1", said.append)
    found = desk.look()
    assert [each.name for each in found.open] == ["1", "3", "5", "7", "9", "11"]
    assert desk.settle(found.open[0].key, Answer("yes", "slip", "=looked again"), "") is None
    assert decided(campaign) == {"1": ("yes", "slip", "'=looked again")}
    text = (campaign / "campaign.toml").read_text(encoding="utf-8")
    assert text == f'{TOML}adjudication = "{SHEET}"\n'
    assert len(said) == 1
    assert desk.look().answers == {found.open[0].key: Answer("yes", "slip", "=looked again")}
    assert Desk(campaign, "1").look().answers == desk.look().answers


def test_what_is_opened_again_leaves_the_sheet(campaign: Path) -> None:
    desk = Desk(campaign, "1")
    first, second, *_ = desk.look().open
    answer = Answer("", "guideline silent", "say what yes is")
    desk.settle(first.key, answer, "")
    desk.settle(second.key, Answer("no"), "")
    assert desk.settle(first.key, OPEN, answer.digest) is None
    assert decided(campaign) == {"3": ("no", "", "")}
    assert [each.name for each in desk.look().open] == ["1", "5", "7", "9", "11"]


def test_columns_of_the_adjudicator_and_other_rows_stay_as_they_are(campaign: Path) -> None:
    (campaign / "campaign.toml").write_text(f'{TOML}adjudication = "mine.csv"\n', encoding="utf-8")
    mine = (
        "layer;document;unit;offsets;text;anna;ben;decision;cause;seen by\r\n"
        'main;;3;;;yes;no;no;;"Cid; twice"\r\n'
        "main;;5;;;yes;no;;;Dan\r\n"
    )
    (campaign / "mine.csv").write_text(mine, encoding="utf-8")
    desk = Desk(campaign, "1")
    by_name = {each.name: each for each in desk.look().open}
    assert list(by_name) == ["1", "5", "7", "9", "11"]
    desk.settle(by_name["5"].key, Answer("yes", "slip"), "")
    desk.settle(by_name["1"].key, Answer("no"), "")
    desk.settle(by_name["5"].key, OPEN, Answer("yes", "slip").digest)
    rows = {row["unit"]: row for row in sheet(campaign, "mine.csv")}
    assert {unit: (row["decision"], row["cause"], row["seen by"]) for unit, row in rows.items()} == {
        "3": ("no", "", "Cid; twice"),
        "5": ("", "", "Dan"),
        "1": ("no", "", ""),
    }
    assert not (campaign / "adjudication").exists()


def test_where_another_settled_it_otherwise_nothing_is_written(campaign: Path) -> None:
    first, second = Desk(campaign, "1"), Desk(campaign, "1")
    key = first.look().open[0].key
    assert first.settle(key, Answer("yes"), "") is None
    assert second.settle(key, Answer("no"), "") == Answer("yes")
    assert second.settle(key, Answer("yes"), "") is None
    assert second.settle(key, Answer("no"), Answer("yes").digest) is None
    assert decided(campaign)["1"][0] == "no"


def test_what_another_sheet_settles_is_not_changed(campaign: Path) -> None:
    (campaign / "campaign.toml").write_text(f'{TOML}adjudication = ["a.csv", "b.csv"]\n', encoding="utf-8")
    head = "layer,document,unit,offsets,text,anna,ben,decision,cause\n"
    (campaign / "a.csv").write_text(f"{head}main,,1,,,yes,no,no,\n", encoding="utf-8")
    (campaign / "b.csv").write_text(head, encoding="utf-8")
    desk = Desk(campaign, "1")
    key = next(iter(desk.look().answers))
    assert desk.settle(key, Answer("yes"), Answer("no").digest) == Answer("no")
    assert not sheet(campaign, "b.csv")


def test_both_are_right_is_all_labels_of_a_set_else_it_is_open(campaign: Path, tmp_path: Path) -> None:
    found = Desk(campaign, "1").look()
    assert found.disputed.both_right(found.open[0], OPEN) == (Answer("", "other", "both are right"),)
    toml = 'title = "Sets"\n[task]\nscale = "set"\n[[guidelines]]\nversion = "1"\n'
    found = Desk(written(tmp_path / "sets", SETS, toml), "1").look()
    both = {each.name: found.disputed.both_right(each, OPEN) for each in found.open}
    assert both == {"1": (Answer("a|b|c"),), "3": (Answer("b|c"),), "4": (Answer("a|b|c"),)}


TEXT = "They met at the Louvre in Paris."
ENDS = campaigns.marked(
    {"d": TEXT},
    {
        "exports/1.0/anna": {"d": [("LOC", 12, 22), ("LOC", 26, 31)]},
        "exports/1.0/ben": {"d": [("LOC", 16, 22), ("ORG", 26, 31), ("PER", 0, 4)]},
    },
)


@pytest.fixture
def ends(tmp_path: Path) -> Path:
    """Two annotators: one mark with different ends, one with different labels, one that one alone has."""
    return campaigns.written(tmp_path / "ends", "", ENDS)


def test_a_mark_with_different_ends_is_one_disagreement_and_one_answer(ends: Path, tmp_path: Path) -> None:
    desk = Desk(ends, "1.0")
    by_title = {each.title: each for each in desk.look().open}
    labels = {title: {lane.labels for lane in each.lanes} for title, each in by_title.items()}
    assert labels == {
        "the Louvre / Louvre": {(("LOC", "the Louvre"),), (("LOC", "Louvre"),)},
        "Paris": {(("LOC", ""),), (("ORG", ""),)},
        "They": {(), (("PER", ""),)},
    }
    each = by_title["the Louvre / Louvre"]
    assert [option.words for option in each.offered] == ["LOC: the Louvre", "LOC: Louvre", each.absent]
    assert {option.label for option in each.further} == {"ORG", "PER"}
    answers = [Answer(decision) for decision in each.options[1].decisions]
    assert desk.settle(each.key, answers, "") is None
    assert [(row["text"], row["decision"]) for row in sheet(ends, "adjudication/1.0.csv")] == [
        ("the Louvre", each.absent),
        ("Louvre", "LOC"),
    ]
    found = desk.look()
    assert found.said(each) == Answer("LOC: Louvre")
    assert {each.title for each in found.open} == {"Paris", "They"}
    assert found.disputed.both_right(each, OPEN) == (Answer("LOC"), Answer("LOC"))
    assert desk.settle(each.key, OPEN, digest_of(found.of(each))) is None
    assert not sheet(ends, "adjudication/1.0.csv")
    # By the form it is the same.
    with served(ends, "1.0", tmp_path) as made:
        form = {**made.come_in().fields(), "unit": each.key, "seen": ""}
        shown = made.ask(made.ask(form={**form, "label": each.options[0].value}).location).text
        assert "LOC: the Louvre" in shown
        assert "1 of 3 settled" in shown
        made.ask(form={**form, "do": "undo"})
    assert not sheet(ends, "adjudication/1.0.csv")


def test_a_campaign_toml_in_which_the_sheet_can_not_be_named_says_what_to_write(tmp_path: Path) -> None:
    toml = 'title = "Inline"\nguidelines = [\n  { version = "1" },\n]\n'
    desk = Desk(written(tmp_path / "inline", toml=toml), "1")
    with pytest.raises(BadInput) as caught:
        desk.settle(desk.look().open[0].key, Answer("yes"), "")
    assert 'adjudication = "adjudication/1.csv"' in caught.value.problems[0].remedy
    assert (tmp_path / "inline" / "campaign.toml").read_text(encoding="utf-8") == toml
    assert len(desk.look().answers) == 1


def test_two_who_settle_at_once_lose_nothing(campaign: Path) -> None:
    keys = [each.key for each in Desk(campaign, "1").look().open]

    def settle(part: list[str]) -> None:
        desk = Desk(campaign, "1")
        for key in part:
            desk.settle(key, Answer("yes"), "")

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(settle, (keys[::2], keys[1::2]))) == [None, None]
    assert set(Desk(campaign, "1").look().answers) == set(keys)


def test_annotators_are_in_another_order_from_unit_to_unit_and_the_same_each_time(example: Path) -> None:
    first, again = (Desk(example, "1.0").look().open for _ in range(2))
    orders = [tuple(lane.name for lane in each.lanes) for each in first]
    assert orders == [tuple(lane.name for lane in each.lanes) for each in again]
    assert {order[0] for order in orders} == {"A01", "A02", "A03"}


# The server


def shown(campaign: Path, tmp_path: Path, version: str = "1") -> str:
    """Return the first screen of a campaign."""
    with served(campaign, version, tmp_path) as made:
        made.come_in()
        return made.ask(made.ask().location).text


@dataclass(kw_only=True)
class Screen(Client):
    """The screen of one campaign, and what asks it."""

    screen: SettleScreen

    def fields(self, path: str = "") -> dict[str, str]:
        """Return the hidden fields of the form that is shown next, to a new tab without its path."""
        return hidden(self.ask(path or self.ask().location).text)


def hidden(text: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', text))


@pytest.fixture
def screen(campaign: Path, tmp_path: Path) -> Iterator[Screen]:
    with served(campaign, "1", tmp_path) as made:
        yield made


@contextlib.contextmanager
def served(campaign: Path, version: str, tmp_path: Path) -> Iterator[Screen]:
    made = SettleScreen([campaign], lambda _: None)
    made.begin_at(campaign, version)
    (tmp_path / "site").mkdir()
    server = Server(0, ServedSite(tmp_path / "site"), made.routes)
    made.server = server.address
    with server.answering():
        yield Screen(server=server, address=made.address, path=made.start, screen=made)


@pytest.mark.parametrize("guess", ["", "x", "é", "0" * 43])
def test_a_token_that_is_guessed_or_used_opens_nothing(screen: Screen, campaign: Path, guess: str) -> None:
    """The door of `open`, which is the same, has more of it in tests/test_open.py."""
    assert re.fullmatch(rf"{PATH}/[\w-]{{43}}/", screen.screen.path)
    used = screen.screen.entrance.token
    form = {**screen.come_in().fields(), "label": "yes"}
    for origin in ("http://evil.example", f"http://127.0.0.1:{screen.server.port + 1}", ""):
        assert screen.ask(form=form, Origin=origin).status == 403
    screen.cookie = ""
    for token in (guess, used):
        reply = screen.ask(f"{screen.screen.path}enter?{urlencode({'token': token})}")
        assert (reply.status, reply.cookie) == (403, "")
    for cookie in ("", f"reportgen-{screen.server.port}={guess}".encode("latin-1").decode("latin-1")):
        screen.cookie = cookie
        for path in (screen.screen.path, screen.path):
            reply = screen.ask(path)
            assert reply.status == 403
            assert "Settled" not in reply.text
            # A page that waits for the report would load itself again and again here.
            assert "<script" not in reply.text
        assert screen.ask(form=form).status == 403
    assert not (campaign / "adjudication").exists()


@pytest.mark.parametrize(
    "path", ["../c/1", "c/2", "d/1", "%2e%2e%2fc/1", "c/..%2f1", "c%00/1", "%2fetc/passwd", "c/1/2"]
)
def test_no_other_folder_is_reached(screen: Screen, path: str) -> None:
    reply = screen.come_in().ask(f"{screen.screen.path}{path}")
    assert reply.status == 404
    assert "no such" in reply.text


@pytest.mark.slow
@pytest.mark.parametrize(
    "wrong",
    [
        {"label": "perhaps"},
        {"label": "yes", "cause": "because"},
        {"label": "yes", "unit": "0" * 16},
        {"do": "dance"},
        {},
        {"label": "yes", "note": "x" * 30_000},
        {f"field{number}": "x" for number in range(30)},
    ],
)
def test_a_form_of_others_writes_nothing(screen: Screen, campaign: Path, wrong: Mapping[str, str]) -> None:
    form = screen.come_in().fields()
    assert screen.ask(form={**form, **wrong}).status == 400
    assert screen.ask(body=b"\xff\xfe").status == 400
    assert not (campaign / "adjudication").exists()


def test_undo_takes_back_what_this_tab_did_last(screen: Screen, campaign: Path) -> None:
    first = screen.come_in().fields()
    way = screen.ask(form={**first, "label": "yes"}).location
    second = screen.fields(way)
    assert second["unit"] != first["unit"]
    other = screen.fields()
    assert len({first["unit"], second["unit"], other["unit"]}) == 3
    screen.ask(form={**other, "do": "silent", "note": "what is yes?"})
    screen.ask(form={**second, "do": "both"})
    assert list(decided(campaign).values()) == [
        ("yes", "", ""),
        ("", "guideline silent", "what is yes?"),
        ("", "other", "both are right"),
    ]
    for _ in range(3):
        screen.ask(form={"tab": first["tab"], "do": "undo"})
    assert list(decided(campaign).values()) == [("", "guideline silent", "what is yes?")]
    assert screen.fields(way)["unit"] == first["unit"]


def test_what_is_left_for_later_comes_last(screen: Screen) -> None:
    form = screen.come_in().fields()
    way = screen.ask(form={**form, "do": "later"}).location
    seen = []
    for _ in range(6):
        shown = screen.fields(way)
        seen.append(shown["unit"])
        screen.ask(form={**shown, "label": "no"})
    assert len({*seen}) == 6
    assert seen[-1] == form["unit"]
    assert "Everything is settled" in screen.ask(way).text


def test_what_another_tab_settled_meanwhile_is_shown_and_stays(screen: Screen, campaign: Path) -> None:
    form = screen.come_in().fields()
    screen.ask(form={**form, "label": "yes"})
    other = screen.ask(form={**form, "tab": "", "label": "no"})
    shown = screen.ask(other.location).text
    assert "Somebody settled this meanwhile, as yes." in shown
    assert decided(campaign)["1"][0] == "yes"
    # Seen by now, it is replaced; and undone, it is what it was.
    again = {**hidden(shown), "label": "no"}
    assert again["unit"] == form["unit"]
    screen.ask(form=again)
    assert decided(campaign)["1"][0] == "no"
    # The first tab takes back its own answer alone.
    screen.ask(form={"tab": form["tab"], "do": "undo"})
    assert decided(campaign)["1"][0] == "no"
    screen.ask(form={"tab": again["tab"], "do": "undo"})
    assert decided(campaign)["1"][0] == "yes"


def test_words_of_a_campaign_are_text(tmp_path: Path) -> None:
    hostile = '<script>alert(1)</script>" onclick="alert(1)'
    toml = f"title = '{hostile}'\n[[guidelines]]\nversion = \"1\"\n"
    with io.StringIO() as ratings:
        csv.writer(ratings).writerows([["item", hostile, "ben"], [hostile, hostile, "no"], ["2", "no", "no"]])
        campaign = written(tmp_path / "c", ratings.getvalue(), toml)
    text = shown(campaign, tmp_path)
    assert "<script>alert" not in text
    assert text.count("&lt;script&gt;alert") >= 4
    assert Parsed(text).handlers == []
    assert run("settle", campaign, "--out", tmp_path / "s.html").exit_code == 0
    parsed = Parsed((tmp_path / "s.html").read_text(encoding="utf-8"))
    assert len(parsed.scripts) == 1
    assert parsed.handlers == []


def test_a_sheet_that_no_longer_fits_is_said_and_nothing_is_written(screen: Screen, campaign: Path) -> None:
    form = screen.come_in().fields()
    way = screen.ask(form={**form, "label": "yes"}).location
    before = (campaign / SHEET).read_bytes()
    (campaign / SHEET).write_bytes(before.replace(b",yes,no,", b",no,no,"))
    assert "decide again in a new one" in screen.ask(way).text
    (campaign / SHEET).write_bytes(before)
    assert screen.ask(way).status == 200


# The command


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("settle", "--no-open"), ("serve",)])
def test_what_is_settled_is_there_after_a_kill(campaign: Path, arguments: tuple[str, ...]) -> None:
    for settled in (0, 1, 2):
        with running(arguments[0], campaign, *arguments[1:], "--port", "0") as (process, said):
            ((number, path),) = re.findall(r"127\.0\.0\.1:(\d+)(/\S+token=\S+)", said[-1])
            port = int(number)
            cookie = asked(port, path, None, {}).cookie.partition(";")[0]
            sent = {"Cookie": cookie, "Origin": f"http://127.0.0.1:{port}"}
            way = asked(port, f"{path.partition('enter')[0]}c/1", None, sent).location
            shown = asked(port, way, None, sent).text
            assert f"{settled} of 6 settled" in shown
            form = urlencode({**hidden(shown), "label": "yes"}).encode()
            assert asked(port, way, form, sent).status == 303
            if settled < 2:
                process.kill()
                continue
            process.send_signal(signal.SIGINT)
            _, rest = process.communicate(timeout=60)
            assert process.returncode == 0
            assert rest.splitlines()[-1].startswith("Ended.")
            assert "Traceback" not in rest
    assert [answer[0] for answer in decided(campaign).values()] == ["yes"] * 3


# In a browser


@pytest.fixture
def live(example: Path, tmp_path: Path) -> Iterator[Screen]:
    with served(example, "1.0", tmp_path) as made:
        yield made


def settled(page: Page) -> int:
    return int(page.title().split()[0])


def typed(page: Page, *keys: str) -> None:
    """Press keys; of what is longer, type the letters."""
    for key in keys:
        if len(key) == 1 or key == "Enter":
            page.keyboard.press(key)
        else:
            page.keyboard.type(key)


def press(page: Page, *keys: str) -> None:
    """Press keys, and wait for the page that the last one leads to."""
    typed(page, *keys[:-1])
    with page.expect_navigation():
        page.keyboard.press(keys[-1])


@slow_in_chromium
def test_ten_decisions_are_gold(live: Screen, open_page: OpenPage, example: Path, tmp_path: Path) -> None:
    page = open_page(offline=False)
    come_in(page, live.address)
    said = [("Former", "New", "None")[number % 3] for number in range(10)]
    for number in range(10):
        press(page, str(1 + number % 3))
    press(page, "u")
    assert settled(page) == 9
    press(page, "3")
    said[-1] = "None"
    rows = sheet(example, "adjudication/1.0.csv")
    decisions = [row["decision"] for row in rows]
    assert (decisions[:7], decisions[-1]) == (said[:7], "None")
    assert run("gold", example, "--layer", "names", "--out", tmp_path / "gold.csv").exit_code == 0
    gold = {(row["document"], row["offsets"]): row for row in sheet(tmp_path, "gold.csv")}
    assert {gold[row["document"], row["offsets"]]["status"] for row in rows} == {"adjudicated"}
    assert [gold[row["document"], row["offsets"]]["label"] for row in rows] == decisions


@slow_in_chromium
def test_notes_and_causes_are_given_without_a_script(
    live: Screen, open_page: OpenPage, example: Path
) -> None:
    page = open_page(offline=False, java_script_enabled=False)
    come_in(page, live.address)
    page.fill("input[name=note]", "a word")
    page.select_option("select[name=cause]", "slip")
    page.click("button[name=label][value=New]")
    page.click("button[value=later]")
    assert list(decided(example, "adjudication/1.0.csv").values()) == [("New", "slip", "a word")]
    page.click("button[value=undo]")
    assert not sheet(example, "adjudication/1.0.csv")


@slow_in_chromium
def test_notes_and_causes_are_given_by_keys(live: Screen, open_page: OpenPage, example: Path) -> None:
    page = open_page(offline=False)
    come_in(page, live.address)
    typed(page, "g", "Enter")
    assert "Write what the guidelines should say" in page.inner_text("fieldset.why")
    press(page, "2 names: which?", "Enter")
    press(page, "c", "s", "1")
    press(page, "n", "1", "Enter", "b")
    page.uncheck("#keys")
    page.locator("h1").focus()
    page.keyboard.press("1")
    rows = sheet(example, "adjudication/1.0.csv")
    assert [(row["decision"], row["cause"], row["note"]) for row in rows] == [
        ("", "guideline silent", "2 names: which?"),
        ("Former", "slip", ""),
        ("", "other", "1"),
    ]


@slow_in_chromium
@pytest.mark.parametrize(("width", "scheme"), VIEWS)
def test_the_screen_has_no_axe_violation(live: Screen, open_page: OpenPage, width: int, scheme: str) -> None:
    page = open_page(offline=False, width=width, color_scheme=scheme)
    come_in(page, live.address)
    accessible(page)
    press(page, "1")
    page.click("details summary")
    accessible(page)


def test_the_guidelines_are_folded_below_and_run_nothing(campaign: Path, tmp_path: Path) -> None:
    toml = f'{TOML}document = "rules.md"\n'
    (campaign / "campaign.toml").write_text(toml, encoding="utf-8")
    rules = "# When to say yes\n\n<script>ran(1)</script>\n\n*Always*."
    (campaign / "rules.md").write_text(rules, encoding="utf-8")
    with served(campaign, "1", tmp_path) as made:
        made.come_in()
        shown = made.ask(made.ask().location).text
        assert "<p><strong>When to say yes</strong></p>" in shown
        assert "<em>Always</em>" in shown
        assert "ran(1)" not in shown
        (campaign / "campaign.toml").write_text(TOML, encoding="utf-8")
        assert 'class="guidelines"' not in made.ask(made.ask().location).text


def test_each_tab_has_a_disagreement_of_its_own_and_the_last_is_shown_to_everybody(screen: Screen) -> None:
    way = screen.come_in().ask().location
    assert screen.fields(way) == screen.fields(way), "who reloads the page is shown the same"
    tabs = [screen.fields()["unit"] for _ in range(6)]
    assert len({*tabs, screen.fields(way)["unit"]}) == 6


def test_of_many_categories_those_in_dispute_have_keys_and_the_others_are_in_a_list(tmp_path: Path) -> None:
    rows = "".join(f"{n},c{n:02},c{n + 1:02}\n" for n in range(12))
    with served(written(tmp_path / "c", f"item,anna,ben\n{rows}"), "1", tmp_path) as made:
        form = made.come_in().fields()
        text = made.ask(f"{made.path}?tab={form['tab']}").text
        assert re.findall(r'name="label" value="(\w+)"', text) == ["c00", "c01"]
        assert made.ask(form={**form, "do": "other", "other": "c09"}).status == 303
        assert decided(tmp_path / "c")["0"][0] == "c09"


def test_stretches_of_recordings_are_settled_by_their_names(tmp_path: Path) -> None:
    campaign = campaigns.written(tmp_path / "c", LAYER, grids())
    desk = Desk(campaign, "1.0")
    each = desk.look().open[0]
    assert each.passage == ()
    desk.settle(each.key, Answer("PER", "slip"), "")
    rows = sheet(campaign, "adjudication/1.0.csv")
    assert [(row["unit"], row["decision"]) for row in rows] == [(unit.name, "PER") for unit in each.together]
    text = shown(campaign, tmp_path, "1.0")
    assert re.search(r"<h1[^>]*>\d", text)


def test_a_campaign_in_french_is_settled_in_french(tmp_path: Path) -> None:
    text = shown(written(tmp_path / "c", toml=f'language = "fr"\n{TOML}'), tmp_path)
    assert "Les deux sont justes" in text
    assert '<option value="guideline silent">guide muet' in text


def test_a_campaign_that_can_not_be_written_is_said(screen: Screen, campaign: Path) -> None:
    (campaign / ".settle.lock").mkdir()
    form = screen.come_in().fields()
    reply = screen.ask(form={**form, "label": "yes"})
    assert "Nothing was written" in reply.text
    assert "can&#39;t be written" in reply.text


# The screen as a file


@pytest.fixture
def colleague(example: Path, tmp_path: Path, open_page: OpenPage) -> Page:
    """The page as a colleague opens it from disk, without a network."""
    file = tmp_path / "settle.html"
    assert run("settle", example, "--out", file).exit_code == 0
    page = open_page()
    page.goto(file.as_uri())
    return page


def saved(page: Page, folder: Path) -> Path:
    with page.expect_download() as download:
        page.click("button[value=save]")
    assert download.value.suggested_filename == "adjudication-1.0.csv"
    (folder / "back.csv").write_bytes(download.value.path().read_bytes())
    return folder / "back.csv"


@slow_in_chromium
def test_what_a_colleague_saves_is_what_the_screen_would_have_written(colleague: Page, example: Path) -> None:
    page = colleague
    typed(page, "1", "g", '=names, "labels"', "Enter", *"sb2uct3")
    assert "4 of 70 settled" in page.inner_text("header")
    page.reload()
    assert "4 of 70 settled" in page.inner_text("header")
    back = saved(page, example).read_bytes()
    desk = Desk(example, "1.0")
    keys = [each.key for each in desk.look().open]
    both = Answer("", "other", "both are right")
    answers = (Answer("Former"), Answer("", "guideline silent", '=names, "labels"'), both)
    for key, answer in zip((*keys[:2], keys[3]), answers, strict=True):
        desk.settle(key, answer, "")
    desk.settle(keys[4], Answer("None", "text ambiguous"), "")
    assert (example / "adjudication/1.0.csv").read_bytes() == back


@slow_in_chromium
def test_the_file_has_no_axe_violation(example: Path, tmp_path: Path, open_page: OpenPage) -> None:
    file = tmp_path / "settle.html"
    assert run("settle", example, "--out", file).exit_code == 0
    for width, scheme in ((1280, "light"), (375, "dark")):
        page = open_page(width=width, color_scheme=scheme)
        seen = watched(page)
        page.goto(file.as_uri())
        page.keyboard.press("1")
        page.click("details summary")
        accessible(page)
        assert (seen.requests, seen.spoke) == ([file.as_uri()], [])
