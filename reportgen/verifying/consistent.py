"""Does what results say of themselves hold: findings, definitions, inputs, means over pairs?"""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from reportgen.findings import find
from reportgen.record import definitions
from reportgen.record.choice import NOMINAL, Chosen, Reason, by_design
from reportgen.release.names import DISTANCES, GUIDELINES
from reportgen.results import Part, Results, dumps
from reportgen.verifying.figures import compare
from reportgen.verifying.outcome import Difference, Outcome, Unchecked, together
from reportgen.verifying.reading import SHOWN
from reportgen.verifying.rendered import another_program, another_version
from reportgen.verifying.tree import Tree

CATALOGUE = "definitions of measures"


def everything(_: tuple[str, ...]) -> None:
    """Say of each part of results that it can be recomputed."""


def content(part: Part) -> Any:  # noqa: ANN401 - any JSON value
    """Return what a part of results is in JSON."""
    return json.loads(dumps(part))


def check_findings(results: Results, file: str) -> Outcome:
    """Hold the findings against what the rules say of the recorded figures."""
    if made_with := another_program(results.tool):
        return Outcome(unchecked=[Unchecked("findings", made_with, len(results.findings))])
    try:
        found = find(results.model_copy(update={"findings": ()}))
    except Exception as error:  # noqa: BLE001 - results of a stranger, which may be made to fail anywhere
        return not_made(error, file)
    recorded, due = (
        {"findings": content(each)["findings"]}
        for each in (results, results.model_copy(update={"findings": found}))
    )
    return compare(recorded, due, file, "findings", everything)


def not_made(error: Exception, file: str) -> Outcome:
    """Return that no findings can be made of what a file records."""
    why = " ".join(f"{type(error).__name__}: {error}".split())[:SHOWN]
    return Outcome([Difference(file, f"findings can't be made from what it records: {why}", "findings")])


def check_definitions(results: Results, file: str) -> Outcome:
    """Hold the definitions of measures against the catalogue of this version."""
    if made_with := another_version(results.tool):
        return Outcome(unchecked=[Unchecked(CATALOGUE, made_with, len(results.catalogue))])
    known = definitions()
    here = {name: content(known[name]) for name in results.catalogue if name in known}
    recorded = {name: content(each) for name, each in results.catalogue.items()}
    return compare({"catalogue": recorded}, {"catalogue": here}, file, "findings", everything)


def check_inputs(results: Results, files: Tree) -> Outcome:
    """Hold what is attached to a bundle as it was read against the checksums of what was read."""
    return Outcome(list(_attached(results, files)))


def _attached(results: Results, files: Tree) -> Iterator[Difference]:
    sums = {each.sha256 for each in results.inputs}
    for name in files:
        if name.startswith((GUIDELINES, DISTANCES)) and hashlib.sha256(files[name]).hexdigest() not in sums:
            yield Difference(name, "is none of the inputs that results.json lists.", "files")


def check_choice(results: Results, file: str) -> Outcome:
    """Hold against each other what results say at several places of the primary coefficients."""
    recorded = content(results)
    first = next((results.choice[each] for each in results.layers if each in results.choice), None)
    due: dict[str, Any] = {"coefficients": {name: each.coefficient for name, each in results.choice.items()}}
    due["coefficient_declared"] = first.declared if first else results.coefficient_declared
    differences = [Difference(file, f"choice: {each}", "findings") for each in _wrong_choices(results)]
    held = compare({key: recorded[key] for key in due}, due, file, "findings", everything)
    return Outcome([*held.differences, *differences])


def _wrong_choices(results: Results) -> Iterator[str]:
    """Yield which choice of a primary coefficient no rule makes."""
    scales = {each.layer: each.scale for each in results.unit_sets}
    for layer, chosen in results.choice.items():
        if chosen.reason not in set(Reason):
            yield f"no rule says: {chosen.reason[:SHOWN]}"
            continue
        due = Chosen(chosen.coefficient, Reason(chosen.reason))
        if chosen.declared != due.declared:
            yield f'{layer}: declared is {chosen.declared}, and the reason is "{chosen.reason[:SHOWN]}"'
        by_scale = by_design([scales[layer]]) if layer in scales else due
        known = {by_scale.reason: by_scale.coefficient, Reason.SCALES: NOMINAL}
        if not due.declared and known.get(due.reason) != chosen.coefficient:
            yield f'{layer}: no rule chooses {chosen.coefficient[:SHOWN]} because "{chosen.reason[:SHOWN]}"'


def check_results(results: Results, file: str) -> Outcome:
    """Hold results against themselves."""
    checks = check_findings, check_definitions, check_choice
    return together(check(results, file) for check in checks)
