"""What is pulled from folders: Potato's answers, and saved datasets; and INCEpTION's archive."""

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reportgen.app.servers.exchange import PASSWORD, PULLED, USER
from reportgen.app.servers.pull_push import pull
from reportgen.base.errors import BadInput, Problem
from tests.app.servers.stub import TOKEN, Stub, archive, campaign_of, edited
from tests.commands import files, run

TOML = """title = "Tones"
[source]
tool = "{tool}"
folder = "../{tool}"
[[guidelines]]
version = "1"
"""


def refused(campaign: Path) -> Problem:
    with pytest.raises(BadInput) as caught:
        pull(campaign)
    (problem,) = caught.value.problems
    assert not (campaign / "exports").exists() or not list((campaign / "exports").iterdir())
    return problem


def made(tool: str, at: Path) -> tuple[Path, Path]:
    """Return the folder of a tool and that of a campaign that is annotated with it."""
    (at / tool).mkdir()
    (at / "c").mkdir()
    (at / "c" / "campaign.toml").write_text(TOML.format(tool=tool), encoding="utf-8")
    return at / tool, at / "c"


# Potato


def answers(name: str, tone: str) -> str:
    labels = {f"t{n}": [[{"schema": "tone", "name": tone if n % 3 else "good"}, "true"]] for n in range(9)}
    return json.dumps({"user_id": name, "instance_id_to_label_to_value": labels})


def test_answers_of_potato_are_copied_and_read(tmp_path: Path) -> None:
    here, campaign = made("potato", tmp_path)
    for name, tone in (("ann", "good"), ("ben", "bad")):
        (here / name).mkdir()
        (here / name / "user_state.json").write_text(answers(name, tone), encoding="utf-8")
    (here / "ann" / ".user_state.json.swp").write_text("x", encoding="utf-8")
    (here / "secret.json").symlink_to("/etc/passwd")
    assert (pull(campaign).snapshot.number, pull(campaign).changed) == (2, False)
    assert sorted(files(campaign / "exports" / "1")) == [PULLED, "ann/user_state.json", "ben/user_state.json"]
    done = run("build", campaign, "--out", tmp_path / "site")
    assert done.exit_code == 0, done.output


def test_a_folder_that_is_written_while_it_is_copied_is_copied_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, campaign = made("potato", tmp_path)
    file = here / "ann.jsonl"
    file.write_text("{}\n", encoding="utf-8")
    copy, times = shutil.copyfile, 0

    def copying(source: Path, target: Path) -> None:
        nonlocal times
        times += 1
        copy(source, target)
        if times == 1 or often:
            file.write_text(file.read_text(encoding="utf-8") + "{}\n", encoding="utf-8")

    often = False
    monkeypatch.setattr(shutil, "copyfile", copying)
    pulled = pull(campaign)
    assert times == 2
    assert (pulled.folder / "ann.jsonl").read_bytes() == file.read_bytes()
    often = True
    with pytest.raises(BadInput, match="changes faster than it can be read"):
        pull(campaign)
    assert (pulled.folder / "ann.jsonl").read_bytes() == b"{}\n{}\n"


def test_a_folder_without_answers_or_none_is_said_so(tmp_path: Path) -> None:
    here, campaign = made("potato", tmp_path)
    assert refused(campaign).message == 'is "../potato", which has no answers yet.'
    here.rmdir()
    assert refused(campaign).message == 'is "../potato"; there is no such folder.'


def test_a_folder_that_has_the_exports_in_it_is_none(tmp_path: Path) -> None:
    _, campaign = made("potato", tmp_path)
    edited(campaign, "../potato", ".")
    assert refused(campaign).message == "contains the exports that are written from it."


# Hugging Face's datasets: as save_to_disk() of version 4 writes them.


def save(folder: Path, table: pa.Table) -> None:
    folder.mkdir(exist_ok=True)
    half = table.num_rows // 2
    names = [f"data-{number:05}-of-00002.arrow" for number in range(2)]
    for name, part in zip(names, (table.slice(0, half), table.slice(half)), strict=True):
        with pa.OSFile(str(folder / name), "wb") as out, pa.ipc.new_stream(out, table.schema) as stream:
            stream.write_table(part)
    state = {"_data_files": [{"filename": name} for name in names], "_split": None}
    (folder / "state.json").write_text(json.dumps(state), encoding="utf-8")
    (folder / "dataset_info.json").write_text("{}", encoding="utf-8")


def labelled() -> pa.Table:
    rows = [(f"t{n}", who, int(who == "ben" and n % 3 == 0)) for n in range(9) for who in ("ann", "ben")]
    columns = {
        name: [row[place] for row in rows] for place, name in enumerate(("item", "annotator", "label"))
    }
    features = {"label": {"names": ["good", "bad"], "_type": "ClassLabel"}}
    about = {"huggingface": json.dumps({"info": {"features": features}})}
    return pa.table(columns).replace_schema_metadata(about)


def test_a_saved_dataset_is_read_with_the_names_of_its_labels(tmp_path: Path) -> None:
    here, campaign = made("datasets", tmp_path)
    save(here, labelled())
    assert (pull(campaign).snapshot.number, pull(campaign).changed) == (18, False)
    written = pq.read_table(campaign / "exports" / "1" / "data.parquet")
    assert written.column("label").to_pylist()[:4] == ["good", "bad", "good", "good"]
    done = run("build", campaign, "--out", tmp_path / "site")
    assert done.exit_code == 0, done.output


def test_each_split_of_a_dataset_is_a_table(tmp_path: Path) -> None:
    here, campaign = made("datasets", tmp_path)
    for split in ("train", "test"):
        save(here / split, labelled())
    (here / "dataset_dict.json").write_text('{"splits": ["train", "test"]}', encoding="utf-8")
    assert sorted(pull(campaign).snapshot.files) == ["test.parquet", "train.parquet"]


def test_a_label_that_nobody_gave_is_missing(tmp_path: Path) -> None:
    here, campaign = made("datasets", tmp_path)
    table = labelled()
    codes = pa.array([-1, None, *table.column("label").to_pylist()[2:]], pa.int64())
    save(here, table.set_column(2, "label", codes))
    pull(campaign)
    written = pq.read_table(campaign / "exports" / "1" / "data.parquet")
    assert written.column("label").to_pylist()[:3] == [None, None, "good"]


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("state.json", "{"),
        ("state.json", '{"_data_files": [{"filename": "../../secret.arrow"}]}'),
        ("state.json", '{"_data_files": []}'),
        ("dataset_dict.json", '{"splits": ["../c"]}'),
        ("dataset_dict.json", '{"splits": 5}'),
        ("data-00001-of-00002.arrow", "not an arrow"),
    ],
)
def test_a_damaged_dataset_is_refused(file: str, content: str, tmp_path: Path) -> None:
    here, campaign = made("datasets", tmp_path)
    save(here, labelled())
    (here / file).write_text(content, encoding="utf-8")
    assert refused(campaign).message.startswith('is "../datasets", which is not a saved dataset: ')


# INCEpTION


@pytest.fixture
def of_inception(stub: Stub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    stub.archive = archive({"exportedproject1.json": b"{}", "source/a.txt": b"Text"})
    monkeypatch.setenv(USER, "gold")
    monkeypatch.setenv(PASSWORD, TOKEN)
    return campaign_of("inception", stub, tmp_path / "i")


@pytest.mark.parametrize("project", ["7", '"Tones"'])
def test_a_project_of_inception_is_its_archive(project: str, of_inception: Path, stub: Stub) -> None:
    edited(of_inception, "project = 7", f"project = {project}")
    pulled = pull(of_inception)
    assert (pulled.folder / "project-7.zip").read_bytes() == stub.archive
    assert (pulled.snapshot.title, pulled.snapshot.number) == ("Tones", 1)
    assert stub.asked[-1][1] == "/api/aero/v1/projects/7/export.zip?format=jsoncas"


def test_inception_refuses_other_users_and_damaged_archives(
    of_inception: Path, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub.archive = stub.archive[:-30]
    assert refused(of_inception).message.endswith("sent an archive that is cut off, or damaged.")
    monkeypatch.setenv(PASSWORD, "wrong")
    assert refused(of_inception).message.endswith("does not accept REPORTGEN_USER and REPORTGEN_PASSWORD.")
    monkeypatch.delenv(PASSWORD)
    assert refused(of_inception).message.endswith("asks for a user and a password.")


def test_a_project_of_inception_that_is_not_there_is_said_so(of_inception: Path) -> None:
    edited(of_inception, "project = 7", "project = 8")
    assert 'has no project "8" that this user may see.' in refused(of_inception).message
