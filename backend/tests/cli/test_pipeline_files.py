"""What pipelines show: JUnit files that parse, and Markdown whose table stays one, whatever a name holds."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from backend.tests.cli.test_compare import distribution
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tailroom.cli.main import build_app
from tailroom.cli.pipeline_files import Check, CheckState, junit, markdown

APP = build_app(["compare", "judge"])
CHECKS = st.lists(st.builds(Check, st.text(), st.sampled_from(CheckState), st.text()), max_size=5)


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text.encode())  # noqa: S314 - our own


def repeated(option: str, files: list[Path]) -> list[object]:
    return [word for file in files for word in (option, file)]


def run(*words: object, check: int) -> str:
    done = CliRunner().invoke(APP, [str(word) for word in words])
    assert done.exit_code == check, done.output
    return done.output


@given(st.text(), CHECKS)
def test_any_text_gives_a_file_that_parses_and_counts(suite: str, checks: list[Check]) -> None:
    root = parsed(junit(suite, checks))
    assert len(root) == len(checks) == int(root.attrib["tests"])
    for kind, state in (("failure", CheckState.FAILED), ("skipped", CheckState.SKIPPED)):
        number = sum(one.state is state for one in checks)
        assert len(root.findall(f"testcase/{kind}")) == number
        assert int(root.attrib["failures" if kind == "failure" else "skipped"]) == number


@given(st.text(), st.text(), CHECKS)
def test_any_text_stays_in_its_cell(suite: str, answer: str, checks: list[Check]) -> None:
    lines = markdown(suite, answer, checks).split("\n")
    assert len(lines) == 6 + len(checks) + 1
    for line in lines[4:-1]:
        bare = line.replace("\\\\", "").replace("\\|", "")
        assert bare.count("|") == 4, line


def test_a_regression_fails_where_it_is_worse(tmp_path: Path) -> None:
    base = [distribution(tmp_path, f"base-{number}.json", 1, number) for number in range(5)]
    new = [distribution(tmp_path, f"new-{number}.json", 3, number) for number in range(5)]
    files = ("--junit", tmp_path / "found.xml", "--markdown", tmp_path / "found.md")
    run("compare", *repeated("--a", base), *repeated("--b", new), *files, check=1)
    root = parsed((tmp_path / "found.xml").read_text())
    failed = [one.attrib["name"] for one in root if one.find("failure") is not None]
    assert "p99" in failed
    assert "| p99 | failed |" in (tmp_path / "found.md").read_text()
    assert (tmp_path / "found.md").read_text().startswith("### Regression: ")
    run("compare", *repeated("--a", new), *repeated("--b", base), *files, check=0)
    assert parsed((tmp_path / "found.xml").read_text()).attrib["failures"] == "0"


@pytest.mark.parametrize(("window", "code", "counted"), [("2s", 0, "tests"), ("100ms", 1, "failures")])
def test_a_verdict_is_a_check(tmp_path: Path, window: str, code: int, counted: str) -> None:
    file = distribution(tmp_path, "some.json", 1)
    words = ("judge", file, "--reads", 250, "--window", window, "--unit", "ns", "--loop", "open")
    run(*words, "--junit", tmp_path / "found.xml", check=code)
    root = parsed((tmp_path / "found.xml").read_text())
    assert root.attrib[counted] == "1"


def test_a_place_where_nothing_can_be_written_is_named(tmp_path: Path) -> None:
    base = distribution(tmp_path, "base.json", 1)
    said = run("compare", base, base, "--junit", tmp_path / "no" / "found.xml", check=2)
    assert "cannot be written" in said
    said = run("compare", base, base, "--markdown", "/dev/full", check=2)
    assert said == "/dev/full cannot be written: No space left on device\n"
