"""A site that is verified."""

import shutil
from pathlib import Path

import pytest

from reportgen.pipeline.build import build_site
from tests.bundles import campaign
from tests.campaigns import written
from tests.commands import append, on_disk

SITE_CAMPAIGN = '[task]\ncategories = ["yes", "no"]\n'
EXPORT = "item,ann,bea\n1,yes,yes\n2,yes,no\n3,no,no\n4,no,no\n5,yes,yes\n6,no,yes\n"
SECOND = '[[guidelines]]\nversion = "1.1"\nexports = "exports/1.1"\n'


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of two campaigns: one in texts and two languages, one of two versions without a date."""
    top = tmp_path_factory.mktemp("verified")
    first = campaign(top / "campaigns" / "genes")
    second = written(top / "campaigns" / "votes", SITE_CAMPAIGN, {"exports/1.0/e.csv": EXPORT})
    on_disk(second, {"exports/1.1/e.csv": EXPORT.replace("2,yes,no", "2,no,no").encode()})
    append(second / "campaign.toml", SECOND)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1268000000")
        build_site([first, second], top / "site")
    return top / "site"


@pytest.fixture
def own_site(site: Path, tmp_path: Path) -> Path:
    """A copy of the site, to be changed."""
    return Path(shutil.copytree(site, tmp_path / "site"))
