"""What is declared of engines is what users may choose."""

import pytest

from reportgen.base import DATABASES, ENGINES, is_server
from reportgen.campaign.toml_tables import ReadOptions
from reportgen.cli.release import EngineOption


def test_users_may_choose_each_engine_in_campaign_toml_and_as_an_option() -> None:
    assert [option.value for option in EngineOption] == list(ENGINES)
    for name in ENGINES:
        assert ReadOptions.model_validate({"engine": name}).engine == name


@pytest.mark.parametrize("address", ["postgres://host/c", "SPARK://host/c", "hdfs://cluster/labels.parquet"])
def test_the_address_of_a_server_is_one_of_an_engine_or_a_database(address: str) -> None:
    assert is_server(address)


@pytest.mark.parametrize("address", ["file:///etc/passwd", "duckdb://x", "postgres", "postgres:/host", "://"])
def test_what_may_lead_to_a_file_is_not_the_address_of_a_server(address: str) -> None:
    assert not is_server(address)


def test_every_scheme_belongs_to_one_place() -> None:
    schemes = [*DATABASES, *(scheme for engine in ENGINES.values() for scheme in engine.catalogues)]
    schemes += [scheme for engine in ENGINES.values() for scheme in engine.stores]
    assert len(schemes) == len(set(schemes))
