"""Exit codes mean the same for all commands, and nothing ends with a traceback."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tailroom.cli import main
from tailroom.cli.faults import report_failure
from tailroom.cli.terminal import MEANINGS
from tailroom.domain.errors import DomainError
from tailroom.kit.settings import get_settings

ROOT = Path(__file__).parents[3]
ACT = ROOT / "backend" / "tests" / "importers" / "samples" / "act"
LOG = ACT / "act66_storage_3x_1dev_us_90s.log"
JUDGE = ("judge", str(LOG), "--budget", "act-limits")


Said = Callable[..., tuple[int, str]]


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    """Return exit code and standard error of a command, called in a folder without anything."""
    for name in [name for name in os.environ if name.startswith("TAILROOM_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)

    def call(*words: str, **variables: str) -> tuple[int, str]:
        with monkeypatch.context() as patch:
            for name, value in variables.items():
                patch.setenv(name, value)
            get_settings.cache_clear()
            code = main.run(words)
            get_settings.cache_clear()
        return code, capsys.readouterr().err

    return call


def printed_to(output: int, words: tuple[str, ...]) -> tuple[int, str]:
    """Return exit code and standard error of a process that writes there."""
    command = [sys.executable, "-m", "tailroom.cli.main", *words]
    done = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stderr


def test_a_full_device_is_a_fault_in_a_sentence() -> None:
    with Path("/dev/full").open("w") as device:
        found = printed_to(device.fileno(), JUDGE)
    assert found == (70, "The output cannot be written: No space left on device.\n")


@pytest.mark.parametrize("words", [JUDGE, ("formats",)])
def test_a_closed_pipe_ends_quietly_with_the_code_of_the_answer(words: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    found = printed_to(writer, words)
    os.close(writer)
    assert found == (1 if words is JUDGE else 0, "")


def test_a_refusal_that_ends_with_a_full_stop_gets_no_second(capsys: pytest.CaptureFixture[str]) -> None:
    assert report_failure(DomainError("No such access token. Make one.")) == 2
    assert capsys.readouterr().err == "No such access token. Make one.\n"


def test_no_database_is_a_sentence_with_the_details_in_a_file(said: Said) -> None:
    code, error = said("token", "create", "--name", "pipeline")
    assert code == 70
    match = re.fullmatch(r"No database answers: start `make up`, .* Details: (\S+)\n", error)
    assert match is not None, error
    details = Path(match[1])
    assert "Traceback" in details.read_text()
    details.unlink()


def test_a_backup_without_a_database_leaves_its_folder_free(said: Said, tmp_path: Path) -> None:
    code, error = said("backup", "create", str(tmp_path / "backup"))
    assert code == 70
    Path(error.rpartition(" ")[2].strip()).unlink()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("nonsense", "TAILROOM_DATABASE_URL is no address such as "),
        ("empty", "The database does not have the tables of this version: run `tailroom db migrate`. "),
    ],
)
def test_another_fault_of_the_database_says_what_to_do(
    said: Said, url: str, sentence: str, empty_postgres_url: str
) -> None:
    url = empty_postgres_url if url == "empty" else url
    code, error = said("token", "list", TAILROOM_DATABASE_URL=url)
    assert code == 70
    assert error.startswith(sentence)


@pytest.mark.parametrize(
    "words", [("token", "list"), ("serve",), ("db", "migrate"), ("backup", "create", "x")]
)
def test_a_setting_that_cannot_be_used_is_named_without_its_value(said: Said, words: tuple[str, ...]) -> None:
    code, error = said(*words, TAILROOM_OPERATOR_TOKEN="a-secret")
    assert code == 2
    assert re.fullmatch(r"TAILROOM_OPERATOR_TOKEN cannot be used: .* at least 20 .*\.\n", error), error


@pytest.mark.parametrize("words", [("frob",), ("judge",), ("compare", "nowhere", "nowhere"), ("gate", "x")])
def test_what_cannot_be_used_ends_with_2(said: Said, words: tuple[str, ...]) -> None:
    code, error = said(*words)
    assert code == 2
    assert "Traceback" not in error


def test_help_and_documents_have_the_same_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["--help"]) == 0
    shown = capsys.readouterr().out
    document = (ROOT / "docs" / "usage.md").read_text()
    for code, meaning in MEANINGS.items():
        assert re.search(rf"^  {int(code)} +{re.escape(meaning)}$", shown, re.MULTILINE)
        assert f"| {int(code)} | {meaning} |" in document
