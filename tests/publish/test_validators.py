"""Formats' own validators on whole bundles of three campaigns, and on each a damage that it has to find."""

import json
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from reportgen.campaign import load
from reportgen.publish import bundle_files as there
from reportgen.publish.bundle import BundleOptions
from reportgen.publish.bundle import bundled as bundle_of
from tests import bundled
from tests.campaigns import GENE_RENAMING
from tests.report.printed_latex import compiled
from tests.sites import IN_TEXTS

# mlcroissant and what it stands on warn of their own ways.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

CAMPAIGNS = ("gene-renaming", "gene-renaming-in-texts", "notes")


@pytest.fixture(scope="module", params=CAMPAIGNS)
def bundle(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle on disk: of two annotators, of marks and relations, of texts in two languages."""
    folder = tmp_path_factory.mktemp("bundle")
    if request.param == "notes":
        files = bundled.of(BundleOptions(texts=True)).files
    else:
        source = GENE_RENAMING if request.param == GENE_RENAMING.name else IN_TEXTS
        files = bundle_of(load(source), "1.0", BundleOptions()).files
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def damaged(bundle: Path, folder: Path, name: str, old: str, new: str) -> Path:
    """Return a copy of the bundle in which a file says something else."""
    copy = Path(shutil.copytree(bundle, folder / "damaged"))
    text = (copy / name).read_text(encoding="utf-8")
    assert old in text
    (copy / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    return copy


def croissant_errors(bundle: Path) -> list[str]:
    import mlcroissant

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = mlcroissant.Dataset(str(bundle / there.CROISSANT))
        except mlcroissant.ValidationError as error:
            return [str(error)]
    return list(map(str, found.metadata.ctx.issues.errors))


def test_mlcroissant_finds_no_error(bundle: Path, tmp_path: Path) -> None:
    assert croissant_errors(bundle) == []
    assert croissant_errors(damaged(bundle, tmp_path, there.CROISSANT, '"sha256"', '"sha"'))


def test_cffconvert_finds_no_error(bundle: Path, tmp_path: Path) -> None:
    from cffconvert import Citation
    from jsonschema import ValidationError

    Citation((bundle / there.CITATION).read_text(encoding="utf-8")).validate()
    wrong = damaged(bundle, tmp_path, there.CITATION, "cff-version:", "cff-versions:")
    with pytest.raises((ValidationError, ValueError)):
        Citation((wrong / there.CITATION).read_text(encoding="utf-8")).validate()


def page_errors(bundle: Path, *pages: str) -> list[str]:
    own = Path(sys.prefix) / "html-validate/node_modules/.bin/html-validate"
    command = shutil.which("html-validate") or (str(own) if own.is_file() else None)
    if command is None:
        pytest.skip("NOT TESTED with html-validate: it takes npm; 'make test-all' installs it")
    rules = bundle.parent / f"{bundle.name}.rules.json"
    rules.write_text('{"root": true, "extends": ["html-validate:standard"]}', encoding="utf-8")
    # What it prints may be cut where the program ends.
    found = rules.with_suffix(".found")
    arguments = [command, "--config", str(rules), "--formatter", f"json={found}", *pages]
    done = subprocess.run(arguments, cwd=bundle, capture_output=True, encoding="utf-8", check=False)
    assert found.is_file(), done.stderr
    return [
        f"{page['filePath']}: {each['message']}"
        for page in json.loads(found.read_bytes())
        for each in page["messages"]
    ]


def test_html_validate_finds_no_error_on_any_page(bundle: Path, tmp_path: Path) -> None:
    assert len(list(bundle.rglob("*.html"))) > 4
    assert page_errors(bundle, "report/**/*.html") == []
    index = "report/index.html"
    wrong = '<input type="radio" autocomplete="on"><body'
    assert page_errors(damaged(bundle, tmp_path, index, "<body", wrong), index)


def test_pdflatex_and_bibtex_take_the_files_for_a_paper(bundle: Path, tmp_path: Path) -> None:
    for edition, language in (("report/latex", "en"), ("report/fr/latex", "fr")):
        if (bundle / edition).is_dir():
            folder = Path(shutil.copytree(bundle / edition, tmp_path / language))
            log = compiled(folder, language, r"Table~\ref{tab:agreement-coefficients}.")
            assert "undefined" not in log.lower()
            assert "multiply" not in log
            assert "Warning--" not in (folder / "paper.blg").read_text(encoding="utf-8", errors="replace")
