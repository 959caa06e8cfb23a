"""Results for pipelines: a JUnit file for their list of tests, Markdown for the page of a change.

Only a regression, or a verdict FAIL, is a failure; results that are not shown or undecided are skipped with
the reason. Source: the attributes of JUnit files that Jenkins, GitLab and GitHub's reporters read.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from tailroom.cli.terminal import stop

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#])")


class CheckState(StrEnum):
    """Outcome of a check."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "not shown"


class Check(NamedTuple):
    """A check of a pipeline and its result."""

    name: str
    state: CheckState
    text: str
    """The result in a line."""
    words: str | None = None
    """Short form of the result, such as a verdict; None: the value of `state`."""

    @property
    def statement(self) -> str:
        """The result in a line, after its words if there are any."""
        return self.text if self.words is None else f"{self.words}: {self.text}"


def junit(suite: str, checks: Sequence[Check]) -> str:
    """Return JUnit XML with one test case for each check; `suite`: name of the test suite."""
    counted = {state: sum(check.state is state for check in checks) for state in CheckState}
    root = ElementTree.Element(
        "testsuite",
        name=_replace_invalid_xml(suite),
        tests=str(len(checks)),
        failures=str(counted[CheckState.FAILED]),
        errors="0",
        skipped=str(counted[CheckState.SKIPPED]),
    )
    for check in checks:
        case = ElementTree.SubElement(
            root, "testcase", classname=_replace_invalid_xml(suite), name=_replace_invalid_xml(check.name)
        )
        if check.state is CheckState.PASSED:
            ElementTree.SubElement(case, "system-out").text = _replace_invalid_xml(check.statement)
        else:
            kind = "failure" if check.state is CheckState.FAILED else "skipped"
            ElementTree.SubElement(case, kind, message=_replace_invalid_xml(check.statement))
    ElementTree.indent(root)
    return f"{ElementTree.tostring(root, encoding='unicode', xml_declaration=True)}\n"


def markdown(suite: str, answer: str, checks: Sequence[Check]) -> str:
    """Return Markdown: the answer as a heading, the suite's name, and a table of the checks."""
    rows = [
        f"| {_plain(check.name)} | {_plain(check.words or check.state.value)} | {_plain(check.text)} |"
        for check in checks
    ]
    head = [f"### {_plain(answer)}", "", _plain(suite), "", "| check | result | found |", "|---|---|---|"]
    return "\n".join([*head, *rows, ""])


def write_files(
    suite: str, answer: str, checks: Sequence[Check], *, to_junit: Path | None, to_markdown: Path | None
) -> None:
    """Write checks as JUnit XML and as Markdown, each if it has a path. End the command if that fails.

    `suite`: name of the test suite; `answer`: the result in a line.
    """
    for path, text in ((to_junit, junit(suite, checks)), (to_markdown, markdown(suite, answer, checks))):
        if path is None:
            continue
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            stop(f"{path} cannot be written: {error.strerror}")


def _replace_invalid_xml(text: str) -> str:
    """Return a text with a replacement character for each that XML cannot hold; file names may have any."""
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def _plain(text: str) -> str:
    """Return a text on one line, escaped for Markdown."""
    return _SPECIAL.sub(r"\\\1", " ".join(_replace_invalid_xml(text).split()))
