"""Exit codes mean the same for all commands, and nothing ends with a traceback."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tailroom.cli.faults import report_failure
from tailroom.cli.terminal import MEANINGS
from tailroom.domain.errors import DomainError

ROOT = Path(__file__).parents[3]
ACT = ROOT / "backend" / "tests" / "importers" / "samples" / "act"
LOG = ACT / "act66_storage_3x_1dev_us_90s.log"
JUDGE = ("judge", str(LOG), "--budget", "act-limits")


def tailroom(*words: str, output: str = "/dev/null", cwd: Path = ROOT, **variables: str) -> tuple[int, str]:
    """Return exit code and standard error of the command; standard output goes to a device."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TAILROOM_")}
    with Path(output).open("w") as device:
        done = subprocess.run(
            [sys.executable, "-m", "tailroom.cli.main", *words],
            stdout=device,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            cwd=cwd,
            env=environment | variables,
        )
    return done.returncode, done.stderr


@pytest.mark.parametrize("words", [JUDGE, ("inspect", str(LOG))])
def test_a_full_device_is_a_fault_in_a_sentence(words: tuple[str, ...]) -> None:
    code, said = tailroom(*words, output="/dev/full")
    assert (code, said) == (70, "The output cannot be written: No space left on device.\n")


@pytest.mark.parametrize("words", [JUDGE, ("compare", str(LOG), str(LOG)), ("formats",)])
def test_a_closed_pipe_ends_quietly_with_the_code_of_the_answer(words: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "tailroom.cli.main", *words],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (1 if words is JUDGE else 0, "")


def test_a_refusal_that_ends_with_a_full_stop_gets_no_second(capsys: pytest.CaptureFixture[str]) -> None:
    assert report_failure(DomainError("No such access token. Make one.")) == 2
    assert capsys.readouterr().err == "No such access token. Make one.\n"


def test_no_database_is_a_sentence_with_the_details_in_a_file(tmp_path: Path) -> None:
    code, said = tailroom("token", "create", "--name", "pipeline", cwd=tmp_path)
    assert code == 70
    match = re.fullmatch(r"No database answers: start `make up`, .* Details: (\S+)\n", said)
    assert match is not None, said
    details = Path(match[1])
    assert "Traceback" in details.read_text()
    details.unlink()


def test_a_backup_without_a_database_leaves_its_folder_free(tmp_path: Path) -> None:
    code, error = tailroom("backup", "create", str(tmp_path / "backup"), cwd=tmp_path)
    assert code == 70
    Path(error.rpartition(" ")[2].strip()).unlink()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense", "TAILROOM_DATABASE_URL is no address such as "),
        ("empty", "The database does not have the tables of this version: run `tailroom db migrate`. "),
    ],
)
def test_another_fault_of_the_database_says_what_to_do(url: str, said: str, empty_postgres_url: str) -> None:
    code, error = tailroom(
        "token", "list", TAILROOM_DATABASE_URL=empty_postgres_url if url == "empty" else url
    )
    assert code == 70
    assert error.startswith(said)


@pytest.mark.parametrize(
    "words", [("token", "list"), ("serve",), ("db", "migrate"), ("backup", "create", "x")]
)
def test_a_setting_that_cannot_be_used_is_named_without_its_value(words: tuple[str, ...]) -> None:
    code, error = tailroom(*words, TAILROOM_OPERATOR_TOKEN="a-secret")
    assert code == 2
    assert re.fullmatch(r"TAILROOM_OPERATOR_TOKEN cannot be used: .* at least 20 .*\.\n", error), error


@pytest.mark.parametrize("words", [("frob",), ("judge",), ("compare", "nowhere", "nowhere"), ("gate", "x")])
def test_what_cannot_be_used_ends_with_2(words: tuple[str, ...]) -> None:
    code, said = tailroom(*words)
    assert code == 2
    assert "Traceback" not in said


def test_help_and_documents_have_the_same_table() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "tailroom.cli.main", "--help"], capture_output=True, text=True, check=True
    ).stdout
    document = (ROOT / "docs" / "usage.md").read_text()
    for code, meaning in MEANINGS.items():
        assert re.search(rf"^  {int(code)} +{re.escape(meaning)}$", shown, re.MULTILINE)
        assert f"| {int(code)} | {meaning} |" in document
