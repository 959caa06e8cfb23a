"""What pipelines show of an answer: a JUnit file for their list of tests, Markdown for the page of a change.

Only what is worse, or missed in this run, is a failure; what is not shown or undecided is skipped and says
why. Whether the pipeline stops is said by the exit code alone.
Source: the attributes of JUnit files that Jenkins, GitLab and GitHub's reporters read.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#])")


class CheckState(StrEnum):
    """What became of one check."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "not shown"


class Check(NamedTuple):
    """One question of a gate, and its answer in a line."""

    name: str
    state: CheckState
    text: str
    words: str | None = None
    """The result as the answer words it; None: as `state` does."""

    @property
    def statement(self) -> str:
        """The answer with its words."""
        return self.text if self.words is None else f"{self.words}: {self.text}"


def junit(suite: str, checks: Sequence[Check]) -> str:
    """An XML document with one test case for each check."""
    counted = {state: sum(one.state is state for one in checks) for state in CheckState}
    root = ElementTree.Element(
        "testsuite",
        name=_xml(suite),
        tests=str(len(checks)),
        failures=str(counted[CheckState.FAILED]),
        errors="0",
        skipped=str(counted[CheckState.SKIPPED]),
    )
    for one in checks:
        case = ElementTree.SubElement(root, "testcase", classname=_xml(suite), name=_xml(one.name))
        if one.state is CheckState.PASSED:
            ElementTree.SubElement(case, "system-out").text = _xml(one.statement)
        else:
            kind = "failure" if one.state is CheckState.FAILED else "skipped"
            ElementTree.SubElement(case, kind, message=_xml(one.statement))
    ElementTree.indent(root)
    return f"{ElementTree.tostring(root, encoding='unicode', xml_declaration=True)}\n"


def markdown(suite: str, answer: str, checks: Sequence[Check]) -> str:
    """The answer as a heading, and a table of the checks."""
    rows = [
        f"| {_plain(one.name)} | {_plain(one.words or one.state.value)} | {_plain(one.text)} |"
        for one in checks
    ]
    head = [f"### {_plain(answer)}", "", _plain(suite), "", "| check | result | found |", "|---|---|---|"]
    return "\n".join([*head, *rows, ""])


def write_files(
    suite: str, answer: str, checks: Sequence[Check], *, to_junit: Path | None, to_markdown: Path | None
) -> None:
    """Writes what is asked for. Raises OSError."""
    if to_junit is not None:
        to_junit.write_text(junit(suite, checks), encoding="utf-8")
    if to_markdown is not None:
        to_markdown.write_text(markdown(suite, answer, checks), encoding="utf-8")


def _xml(text: str) -> str:
    """Without characters that no XML document can hold; names of files have any."""
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def _plain(text: str) -> str:
    """As text in Markdown, whatever stands in it."""
    return _SPECIAL.sub(r"\\\1", " ".join(_xml(text).split()))
