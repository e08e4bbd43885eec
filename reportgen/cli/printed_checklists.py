"""A checklist with what a campaign answers: as JSON, and in lines for people."""

from collections.abc import Iterator, Mapping
from typing import Any

from reportgen.cli.terminal import wrapped
from reportgen.report.checklists import CHECKLISTS
from reportgen.report.checklists.answers import STATES, answers
from reportgen.report.declarations import place
from reportgen.results import Results

INDENT = " " * 4


def account(name: str, results: Results) -> dict[str, Any]:
    """Return each question of a checklist, what answers it, from where, and which keys are open."""
    checklist = CHECKLISTS[name]
    sections = [group.title for group in checklist.groups for _ in group.questions]
    answered = answers(results, checklist)
    return {
        "checklist": name,
        "name": checklist.name,
        "source": checklist.source,
        "campaign": results.campaign.id,
        "version": results.guidelines,
        "states": {state: sum(answer.state == state for answer in answered) for state in STATES},
        "questions": [
            {
                "item": answer.question.item,
                "section": section,
                "asks": answer.question.asks,
                "state": answer.state,
                "answers": [
                    {"from": said.source, "key": said.place or None, "says": said.text}
                    for said in answer.said
                ],
                "open": list(map(place, answer.open)),
                "reason": answer.question.reason if answer.state == "does not apply" else None,
            }
            for section, answer in zip(sections, answered, strict=True)
        ],
    }


def lines(told: Mapping[str, Any]) -> Iterator[str]:
    """Yield the same for people."""
    yield f"{told['name']}: {told['campaign']} {told['version']}"
    yield ", ".join(f"{STATES[state].lower()}: {number}" for state, number in told["states"].items())
    section = ""
    for question in told["questions"]:
        if question["section"] != section:
            section = question["section"]
            yield from ("", section)
        state = STATES[question["state"]].lower()
        yield from _broken(f"{question['item']}  {question['asks']}  ({state})", "  ")
        for answer in question["answers"]:
            source = answer["key"] or f"the report, {answer['from']}"
            yield from _broken(f"{source}: {' '.join(answer['says'].split())}", INDENT)
        if question["open"]:
            yield from _broken(f"to write: {', '.join(question['open'])}", INDENT)
        if question["reason"]:
            yield from _broken(question["reason"], INDENT)


def _broken(text: str, indent: str) -> list[str]:
    """Return a text as lines of a terminal, each indented."""
    return f"{indent}{wrapped(text, indent + INDENT)}".split("\n")
