"""`tailroom inspect` as a person and as a script meet it."""

import gzip
import json
import math
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tailroom.cli.main import build_app

SAMPLES = Path(__file__).parents[1] / "importers" / "samples" / "act"
LOG = SAMPLES / "act66_storage_6x_2dev_ms_60s.log"
CONF = SAMPLES / "act66_storage_6x_2dev_ms_60s.conf"


APP = build_app(["inspect"])


def run(*words: object, check: int = 0) -> str:
    """Standard output; the exit status is as expected, and nothing but an exit is raised."""
    done = CliRunner().invoke(APP, ["inspect", *(str(word) for word in words)])
    assert isinstance(done.exception, SystemExit | None), done.exception
    assert done.exit_code == check, done.output
    return done.stdout


def documents(*words: object, check: int = 0) -> list[dict[str, Any]]:
    """One document a file."""
    return [json.loads(line) for line in run(*words, "--json", check=check).splitlines()]


def test_the_document_of_a_log() -> None:
    """The keys that are promised, and the numbers of the sample."""
    (document,) = documents(LOG, "--slice", 10)
    assert document["file"] == str(LOG)
    assert (document["format"], document["tool"], document["tool_version"]) == ("act-storage", "act", "6.6")
    assert document["state"] == "finished"
    assert "run.started_at" in document["missing"]
    reads = document["series"][0]
    assert (reads["operation"], reads["clock"], reads["device"]) == ("read", "service", None)
    assert reads["count"] == 1_440_001
    assert reads["quantiles"]["0.99"] == {"lower_us": 2000.0, "upper_us": 4000.0}
    at_1_ms = reads["exceedance"][0]
    assert at_1_ms["threshold_us"] == 1000.0
    assert [(one["start_s"], one["end_s"]) for one in at_1_ms["slices"]] == [
        (at, at + 10) for at in range(0, 60, 10)
    ]
    assert sum(one["count"] for one in at_1_ms["slices"]) == 1_440_001
    assert at_1_ms["worst"] == max(at_1_ms["slices"], key=lambda one: one["upper_ratio"])
    assert at_1_ms["rolling_worst"]["upper_ratio"] >= at_1_ms["worst"]["upper_ratio"]
    official = reads["official"]
    assert official["unit"] == "ms"
    column = official["thresholds"].index(1)
    for row, exact in zip(official["rows"], at_1_ms["slices"], strict=True):
        assert math.isclose(row[column], 100 * exact["lower_ratio"], abs_tol=0.0051)
    assert official["max"][column] == max(row[column] for row in official["rows"])


def test_slices_and_thresholds_are_asked_for() -> None:
    """Another length and another limit; slices are never longer than asked unless the log's pieces are."""
    (document,) = documents(LOG, "--slice", 7, "--threshold", 2, "--threshold", 0.5)
    found = document["series"][0]["exceedance"]
    assert [one["threshold_us"] for one in found] == [500.0, 2000.0]
    assert [len(one["slices"]) for one in found] == [8, 8]
    assert found[0]["rest"]["end_s"] == 60


def test_without_a_full_slice_the_whole_is_there() -> None:
    """An hour has not passed: no slice, but the share of what is there."""
    (document,) = documents(LOG)
    found = document["series"][0]["exceedance"][0]
    assert found["slices"] == []
    assert found["worst"] is None
    assert found["rest"]["count"] == found["whole"]["count"] == 1_440_001
    assert document["series"][0]["official"]["refusal"].endswith("could not find 3600 seconds of data")


def test_files_that_belong_together(tmp_path: Path) -> None:
    """A log and its configuration, in any order, packed or in one archive."""
    first, second = documents(CONF, LOG)
    assert (first["format"], first["read_with"]) == ("act-config", str(LOG))
    assert second["parameters"]["config_file"] == str(CONF)
    archive = tmp_path / "both.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as members:
        members.write(LOG, LOG.name)
        members.write(CONF, CONF.name)
    assert [one["file"] for one in documents(archive)] == [f"{archive}/{LOG.name}", f"{archive}/{CONF.name}"]
    packed = tmp_path / "x"
    packed.write_bytes(gzip.compress(LOG.read_bytes()))
    assert documents(packed)[0]["series"][0]["count"] == 1_440_001


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"hello\n", "format not recognised"),
        (bytes(range(256)) * 100, "format not recognised"),
        (b"\x1f\x8b\x08\x00junk", "is empty"),
        (b"PK\x03\x04junk", "directory is unreadable"),
        (b"x" * 2_000_000, "format not recognised"),
    ],
)
def test_what_cannot_be_read_ends_with_2(tmp_path: Path, content: bytes, words: str) -> None:
    """Refused in a sentence; the document is there all the same."""
    path = tmp_path / "x.log"
    path.write_bytes(content)
    (document,) = documents(path, check=2)
    assert document["readable"] is False
    assert document["series"] == []
    assert words in document["problems"][-1]["reason"]
    assert words in run(path, check=2)


def test_one_bad_file_among_good_ones(tmp_path: Path) -> None:
    """The others are read; missing files and folders are refused."""
    found = documents(tmp_path / "none", LOG, tmp_path, check=2)
    assert [one["readable"] for one in found] == [False, True, False]
    assert [one["file"] for one in found] == [str(tmp_path / "none"), str(LOG), str(tmp_path)]


def test_wrong_use_ends_with_2() -> None:
    """No file, no slice, no limit."""
    run(check=2)
    run(LOG, "--slice", 0, check=2)
    run(LOG, "--threshold", -1, check=2)
    run(LOG, "--threshold", "nan", check=2)


def test_words_for_people() -> None:
    """What it is, how it ended, shares with both ends, what is wrong by line, what is missing."""
    text = run(SAMPLES / "act66_storage_overload_drive_cant_keep_up.log", "--slice", 5, "--verbose")
    assert "act 6.6" in text
    assert "device too slow: ERROR: large block writes can't keep up" in text
    assert "line 186:" in text
    assert "not in the file: run.started_at" in text
    legacy = run(SAMPLES / "act1x2013_3x_1dev_60s.log", "--slice", 10, "--verbose")
    assert "1 ms or longer: 2.9731 to 100.0000 % of all" in legacy


def test_a_reader_that_has_seen_enough() -> None:
    """`tailroom inspect … | head -1` is not an error."""
    command = (
        f"{sys.executable} -m tailroom.cli.main inspect {LOG} {LOG} {LOG} --slice 1 --json | head -c 100"
    )
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    assert len(done.stdout) == 100


def test_a_fault_of_our_own_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is called what it is, with an exit status of its own."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("tailroom.importers.inspection.inspect_paths", broken)
    done = CliRunner().invoke(APP, ["inspect", str(LOG)])
    assert done.exit_code == 70
    assert "Tailroom itself failed here (ZeroDivisionError: division by zero)" in done.stderr
