"""Names out of files: whatever stands in them, titles, pictures, tables and terminals stay whole."""

import json
import unicodedata
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from backend.tests.uploads.conftest import ACT, Uploader
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from tailroom.cli.main import build_app
from tailroom.reports.badge import badge_of, ended_badge

LOG = (ACT / "act40_1x_1dev_ms_60s.log").read_bytes()
HOSTILE = "\x1b]0;owned\x07\x1b[2J\u202egol.tca\x00\ufffe\u2028.log"
UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def is_plain(text: str) -> bool:
    return not any(unicodedata.category(one) in UNSEEN for one in text.replace("\n", ""))


def test_a_file_name_of_control_and_direction_characters_becomes_a_plain_title(
    uploader: Uploader, client: TestClient
) -> None:
    answer = uploader.send([(HOSTILE, LOG)])
    (run,) = answer["runs"]
    for text in (answer["files"][0]["name"], run["title"], *(one["file"] or "" for one in run["problems"])):
        assert is_plain(text), repr(text)
    assert "gol.tca" in run["title"]
    headers = uploader.headers
    report = client.get(f"/api/v1/runs/{run['run_id']}/report.csv", headers=headers)
    assert is_plain(report.text.replace("\r", ""))


@pytest.mark.parametrize("name", ["..", "../..", "/", "..\\..", "\x00"])
def test_a_file_name_that_leads_elsewhere_is_a_name_here(uploader: Uploader, name: str) -> None:
    stored = uploader.send([(name, LOG)])["files"][0]["name"]
    assert stored
    assert stored not in {".", ".."}
    assert not {"/", "\\", "\x00"} & set(stored)


@pytest.mark.parametrize("title", [HOSTILE, "\ud800", "\uffff", '"/><script>alert(1)</script>', "]]>&"])
def test_badges_are_xml_whatever_the_title(title: str) -> None:
    for picture in (badge_of(title, None), ended_badge(title)):
        root = ET.fromstring(picture)  # noqa: S314 - drawn by ourselves
        assert not [one for one in root.iter() if one.tag.endswith("script")]


def test_operations_of_a_file_do_nothing_to_the_terminal(tmp_path: Path) -> None:
    operation = "read\x1b[2J\r\nPASS 250 reads in 1 s\u202e"
    document = {
        "operation": operation,
        "layout": {"t": "explicit", "edges_ns": [0, 1_000_000, None]},
        "counts": [10, 1],
    }
    path = tmp_path / "distribution.json"
    path.write_text(json.dumps(document))
    for command in ("judge", "inspect"):
        arguments = [
            command,
            str(path),
            *(["--budget", "fraud-250-sequential"] if command == "judge" else []),
        ]
        printed = CliRunner().invoke(build_app([command, "verify"]), arguments).output
        assert is_plain(printed), repr(printed)
        assert not [line for line in printed.splitlines() if line.startswith("PASS 250")]
