"""Labels that are not used are those that were asked for: no other layer, no structure, no comment."""

from pathlib import Path

from tests.campaigns import finding, results_of, written

LAYER = '[[layers]]\nid = "gene"\n'
TEXT = "<d><section><title>T</title><p>{}</p></section><!-- c --></d>"


def test_another_layer_structure_and_comments_are_no_labels_that_are_missing(tmp_path: Path) -> None:
    files = {
        f"exports/1.0/{who}/d.xml": TEXT.format("a <gene>b</gene> <place>c</place> d")
        for who in ("anna", "bob")
    }
    found = results_of(written(tmp_path / "one", LAYER, files))
    assert found.primary.categories[0] == "gene"
    assert finding(found, "left-out") is None
    assert (found.marks.read, found.marks.used, found.marks.left_out) == (6, 2, 4)


def test_marks_of_those_not_asked_for_are_counted_without_other_layers(tmp_path: Path) -> None:
    files = {
        f"exports/1.0/{who}/d.xml": TEXT.format("a <gene>b</gene> <place>c</place> d")
        for who in ("anna", "bob", "cara")
    }
    made = written(tmp_path / "two", LAYER, files)
    toml = made / "campaign.toml"
    toml.write_text(f'{toml.read_text(encoding="utf-8")}annotators = ["anna", "bob"]\n', encoding="utf-8")
    left_out = finding(results_of(made), "left-out")
    assert left_out is not None
    assert (left_out.values["left_out"], left_out.values["read"]) == (2, 4)
