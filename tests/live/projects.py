"""A project for each server: texts, and what three people say of them, who differ now and then."""

import random
from collections.abc import Iterator
from typing import Any

from tests.live.browser import Session

PEOPLE = ("ann", "ben", "cleo")
PASSWORD = "secret-1234"  # noqa: S105 - of users who live as long as a test
NAMES = ("yabA", "spo0A", "comK", "degU")
# Before the names are letters of two UTF-16 units, so that offsets are other numbers in the tools.
TEXTS = tuple(
    f"🧬 Gene {NAMES[number % 4]} of B. subtilis, no. {number}, was renamed {NAMES[(number + 1) % 4]}."
    for number in range(24)
)
TONES, KINDS = ("good", "bad"), ("Former", "New")
INTERFACE = """<View>
<Text name="text" value="$text"/>
<Labels name="entity" toName="text"><Label value="Former"/><Label value="New"/></Labels>
<Choices name="tone" toName="text" choice="single"><Choice value="good"/><Choice value="bad"/></Choices>
<Rating name="quality" toName="text"/>
</View>"""

Opinion = tuple[str, int, list[tuple[int, int, str]]]


def opinions(person: int) -> Iterator[Opinion]:
    """Yield what somebody says of each text: its tone, its quality, and its names with their kinds."""
    for number, text in enumerate(TEXTS):
        own, common = random.Random(f"{person} {number}"), random.Random(str(number))  # noqa: S311 - no secret
        tone = common.choice(TONES) if own.random() < 0.8 else own.choice(TONES)
        quality = max(1, min(5, common.randint(2, 4) + own.choice((0, 0, 0, 1, -1))))
        first, last = NAMES[number % 4], NAMES[(number + 1) % 4]
        marks = [(text.index(first), first, "Former"), (text.rindex(last), last, "New")]
        spans = [(at, at + len(name), kind if own.random() < 0.85 else "New") for at, name, kind in marks]
        yield tone, quality, spans if own.random() < 0.9 else spans[:1]


def in_utf16(text: str, offset: int) -> int:
    """Return an offset as JavaScript counts it."""
    return len(text[:offset].encode("utf-16-le")) // 2


def results(text: str, opinion: Opinion) -> list[dict[str, Any]]:
    """Return what Label Studio's page sends of an opinion."""
    tone, quality, spans = opinion
    about = {"to_name": "text", "origin": "manual"}
    marks = [
        {
            **about,
            "id": f"r{start}",
            "from_name": "entity",
            "type": "labels",
            "value": {
                "start": in_utf16(text, start),
                "end": in_utf16(text, end),
                "text": text[start:end],
                "labels": [kind],
            },
        }
        for start, end, kind in spans
    ]
    return [
        *marks,
        {**about, "id": "t", "from_name": "tone", "type": "choices", "value": {"choices": [tone]}},
        {**about, "id": "q", "from_name": "quality", "type": "rating", "value": {"rating": quality}},
    ]


def label_studio_project(url: str, admin: Session) -> tuple[int, str]:
    """Make a project with its annotators, who annotate; return its number and a personal access token."""
    invitation = admin.call("GET", "api/invite")["invite_url"]
    project: int = admin.call("POST", "api/projects/", {"title": "Renaming", "label_config": INTERFACE})["id"]
    admin.call("POST", f"api/projects/{project}/import", [{"text": text} for text in TEXTS])
    tasks = admin.call("GET", f"api/tasks/?project={project}&page=1&page_size=100")["tasks"]
    for person, name in enumerate(PEOPLE):
        somebody = Session(url)
        fields = {"email": f"{name}@example.org", "password": PASSWORD, "allow_newsletters": "false"}
        somebody.form(invitation, fields)
        for task, text, opinion in zip(tasks, TEXTS, opinions(person), strict=True):
            body = {"result": results(text, opinion), "lead_time": 4.0 + person}
            somebody.call("POST", f"api/tasks/{task['id']}/annotations/", body)
    return project, admin.call("POST", "api/token/")["token"]


def doccano_project(url: str, admin: Session, kind: str) -> int:
    """Make a project of a kind with its annotators, who annotate; return its number."""
    about = {
        "name": f"Renaming: {kind}",
        "description": "Names of genes",
        "project_type": kind,
        "resourcetype": {
            "DocumentClassification": "TextClassificationProject",
            "SequenceLabeling": "SequenceLabelingProject",
        }[kind],
        "guideline": "",
        "random_order": False,
        "collaborative_annotation": False,
        "single_class_classification": False,
        "tags": [],
    }
    project: int = admin.call("POST", "v1/projects", about)["id"]
    here = f"v1/projects/{project}"
    of_spans = kind == "SequenceLabeling"
    types, labels = ("span-types", KINDS) if of_spans else ("category-types", TONES)
    numbers = {label: _label_type(admin, f"{here}/{types}", label) for label in labels}
    examples = [admin.call("POST", f"{here}/examples", {"text": text, "meta": {}})["id"] for text in TEXTS]
    role = next(role["id"] for role in admin.call("GET", "v1/roles") if role["name"] == "annotator")
    for person, name in enumerate(PEOPLE):
        user = _doccano_user(admin, name)
        admin.call("POST", f"{here}/members", {"user": user, "role": role})
        somebody = doccano_session(url, name)
        for example, text, (tone, _, spans) in zip(examples, TEXTS, opinions(person), strict=True):
            for start, end, label in spans if of_spans else ():
                ends = {"start_offset": in_utf16(text, start), "end_offset": in_utf16(text, end)}
                somebody.call("POST", f"{here}/examples/{example}/spans", {"label": numbers[label], **ends})
            if not of_spans:
                somebody.call("POST", f"{here}/examples/{example}/categories", {"label": numbers[tone]})
    return project


def _label_type(admin: Session, path: str, label: str) -> int:
    body = {"text": label, "prefix_key": None, "suffix_key": None, "background_color": "#209cee"}
    number: int = admin.call("POST", path, {**body, "text_color": "#ffffff"})["id"]
    return number


def _doccano_user(admin: Session, name: str) -> int:
    """Return the number of a user, who is made where there is none of this name."""
    known = {user["username"]: user["id"] for user in admin.call("GET", "v1/users")}
    if name not in known:
        body = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
        known[name] = admin.call("POST", "v1/users/create", body)["id"]
    number: int = known[name]
    return number


def doccano_session(url: str, name: str) -> Session:
    """Return the session of somebody who has signed in."""
    key = Session(url).call("POST", "v1/auth/login/", {"username": name, "password": PASSWORD})["key"]
    return Session(url, f"Token {key}")
