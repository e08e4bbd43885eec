"""A page of one layer has that layer's evidence and no other's, whatever the results have besides."""

from pathlib import Path

from reportgen.report import markdown_blocks, sections
from reportgen.report.site import LayerReport
from reportgen.report.view import ReportView
from reportgen.words.language import editions, writing
from tests.campaigns import report_of, written

LAYERS = {"mood": ("glad", "sad"), "theme": ("sport", "trade")}


def export() -> str:
    """Two layers of three people over some days, who take seconds, and differ now and then."""
    rows = ["document,unit,annotator,mood,theme,created_at,seconds"]
    for unit in range(60):
        for who, name in enumerate(("Ann", "Bob", "Cid")):
            labels = [
                LAYERS[layer][(unit // 2 + (unit + who + place) % 7 // 6) % 2]
                for place, layer in enumerate(LAYERS)
            ]
            when = f"2026-01-{1 + unit // 4:02}T{8 + unit % 4:02}:0{who}:00"
            rows.append(f"d{unit // 5},u{unit},{name},{','.join(labels)},{when},{10 + who + unit % 3}")
    return "\n".join(rows)


def test_the_evidence_of_one_layer_names_no_other(tmp_path: Path) -> None:
    toml = "".join(f'[[layers]]\nid = "{name}"\nsource = "{name}"\n' for name in LAYERS)
    report = report_of(written(tmp_path / "c", toml, {"exports/1.0/e.csv": export()}))
    times = report.results.times
    assert times is not None
    assert {layer.layer for layer in times.layers} == {*LAYERS}
    assert all(layer.periods for layer in times.layers)
    whole = ReportView(report.results, report.texts)
    for edition in editions(("en", "fr")):
        for own, other in (LAYERS, [*LAYERS][::-1]):
            with writing(edition):
                evidence = sections.evidence(LayerReport(whole, own))
                text = "\n".join(map(markdown_blocks.section, evidence))
            assert "times" in {section.id for section in evidence}
            assert own in text
            assert not [word for word in (other, *LAYERS[other]) if word in text]
