"""What copies of documents hold."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportgen.errors import BadInput, Problem
from reportgen.formats.assemble import assemble
from reportgen.formats.copies import Copy, Export, Mark
from reportgen.formats.reader import ReadOptions
from reportgen.formats.sources import ARROW, listed, listed_relations, short
from reportgen.formats.survey.found import Found, Kind, LayerFound, by_count
from reportgen.formats.survey.overlaps import share_of_overlaps

OFTEN = 0.05


def of_documents(export: Export, format_name: str) -> Found:
    """Return what the copies hold, with the layers that the campaign should treat one by one."""
    copies = [copy for copy in export.copies if copy.state == "seen"]
    marks = [mark for copy in copies for mark in copy.marks]
    layers = tuple(_layers(export, copies, marks))
    marked = {copy.document for copy in copies if copy.marks}
    documents = {copy.document for copy in export.copies}
    return Found(
        annotators=tuple(dict.fromkeys(copy.annotator for copy in export.copies)),
        roles={copy.annotator: copy.role for copy in export.copies if copy.role != "annotator"},
        documents=len(documents),
        unmarked=len(documents - marked),
        whole=_whole(export, copies, marks),
        layers=layers,
        sources=(*listed(copies, by_feature=False), *listed_relations(copies, by_feature=False)),
        problems=_problems(export, layers, format_name),
    )


def _problems(export: Export, layers: Sequence[LayerFound], format_name: str) -> tuple[Problem, ...]:
    """Return what is wrong between the copies, such as different texts of one document."""
    options = [replace(ReadOptions(), source=layer.source) for layer in layers if _is_good(layer)]
    try:
        assemble(export, options or [ReadOptions()], format_name)
    except BadInput as error:
        return error.problems
    return ()


def _is_good(layer: LayerFound) -> bool:
    return layer.kind != "mixed" and not layer.is_free_text


def _whole(export: Export, copies: Sequence[Copy], marks: Sequence[Mark]) -> LayerFound:
    """Return everything as one layer: by the only feature there is where features hold categories."""
    known = listed(copies, by_feature=export.by_feature)
    if export.by_feature and len(known) == 1:
        return replace(_layer(known[0], marks, shorten=True), source=None)
    names = Counter(short(mark.type) if export.by_feature else mark.type for mark in marks)
    return LayerFound(None, by_count(names.items()), _kind(marks))


def _layers(export: Export, copies: Sequence[Copy], marks: Sequence[Mark]) -> Iterator[LayerFound]:
    """Yield each thing that was labelled where there are several that one token or document can bear."""
    names = listed(copies, by_feature=export.by_feature)
    if not export.by_feature:
        names = list(dict.fromkeys(mark.type for mark in marks))
    if len(names) < 2 or not (export.by_feature or _is_mixed(marks) or share_of_overlaps(copies) > OFTEN):  # noqa: PLR2004 - several
        return
    of_type: dict[str, list[Mark]] = {}
    for mark in marks:
        of_type.setdefault(mark.type, []).append(mark)
    for name in names:
        found = _layer(name, of_type.get(name.partition(ARROW)[0], []), shorten=export.by_feature)
        if found.labels:
            yield found


def _is_mixed(marks: Sequence[Mark]) -> bool:
    return _kind(marks) == "mixed"


def _layer(name: str, marks: Sequence[Mark], *, shorten: bool) -> LayerFound:
    """Return the labels of a type: the values of a feature, or its own name."""
    own, _, feature = name.partition(ARROW)
    if feature:
        labelled = [mark for mark in marks if mark.features.get(feature, "").strip()]
        labels = Counter(mark.features[feature] for mark in labelled)
        return LayerFound(name, by_count(labels.items()), _kind(labelled))
    return LayerFound(name, {short(own) if shorten else own: len(marks)} if marks else {}, _kind(marks))


def _kind(marks: Sequence[Mark]) -> Kind:
    spanned = {bool(mark.spans) for mark in marks}
    if len(spanned) > 1:
        return "mixed"
    return "items" if spanned == {False} else "texts"
