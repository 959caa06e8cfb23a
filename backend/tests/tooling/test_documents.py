"""Dead citations are found, each with its place; what leads somewhere is not."""

import re
from pathlib import Path

import pytest
from backend.tooling import documents
from backend.tooling.documents import ROOT


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small checkout whose documents and code cite what exists."""
    for folder in ("docs/adr", "backend/src"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "docs/method.md").write_text("# Method\n## 1. One\n### 1.5 Dependence\n## 2. Two\n")
    (tmp_path / "docs/adr/0007-seven.md").write_text("# 7. Seven\n\nDecided in: `backend/src/a.py`.\n")
    (tmp_path / "docs/adr/README.md").write_text("# Decisions\n\n* [Seven](0007-seven.md)\n")
    (tmp_path / "docs/map.md").write_text(
        "`backend/src/a.py` and [seven](adr/0007-seven.md), [here](method.md#15-dependence)\n\n"
        "| what | `backend/src/a.py` | `rule` `LIMIT` |\n\nThe `rule` (`backend/src/a.py`) decides.\n"
    )
    (tmp_path / "backend/src/a.py").write_text(
        '"""Source: docs/method.md 1.5 and\n2; ADR 7."""\nLIMIT = 3\n\n\ndef rule() -> int: ...\n'
    )
    return tmp_path


def found(root: Path) -> list[str]:
    """All that is dead there."""
    return [*documents.citations(root), *documents.decisions(root), *documents.documents(root)]


def test_what_leads_somewhere_is_not_found(root: Path) -> None:
    assert found(root) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        (
            "backend/src/a.py",
            "1.5 and",
            "1.5, 1.6 and",
            "a.py:1: docs/method.md has no section 1.6",
        ),
        ("backend/src/a.py", "\n2;", "\n3;", "backend/src/a.py:1: docs/method.md has no section 3"),
        ("backend/src/a.py", "docs/method.md", "METHOD" + ".md", "not in this repository"),
        ("backend/src/a.py", "ADR 7", "ADR 8", "backend/src/a.py:2: docs/adr has no decision 8"),
        ("backend/src/a.py", "def rule", "def ruled", "docs/map.md:3: backend/src/a.py defines no rule"),
        ("docs/map.md", "The `rule`", "The `role`", "docs/map.md:5: backend/src/a.py defines no role"),
        (
            "docs/adr/0007-seven.md",
            "a.py",
            "b.py",
            "decided in `backend/src/b.py`, which does not exist",
        ),
        (
            "docs/adr/0007-seven.md",
            "Decided in:",
            "Done in:",
            "does not end with a paragraph",
        ),
        (
            "docs/map.md",
            "`backend/src/a.py` and",
            "`backend/src/c.py` and",
            "c.py` does not exist",
        ),
        ("docs/adr/README.md", "](0007-seven.md)", "](../map.md)", "docs/adr/README.md does not list it"),
        (
            "docs/map.md",
            "adr/0007-seven.md",
            "adr/0008-build-images-on-debian-13.md",
            "the link to adr/0008-build-images-on-debian-13.md leads nowhere",
        ),
        ("docs/map.md", "#15-dependence", "#16", "method.md has no heading #16"),
    ],
)
def test_what_is_dead_is_named(root: Path, file: str, old: str, new: str, expected: str) -> None:
    text = (root / file).read_text()
    assert old in text
    (root / file).write_text(text.replace(old, new, 1))
    said = found(root)
    assert any(expected in line for line in said), said


def test_every_line_of_the_standard_that_is_met_names_what_shows_it() -> None:
    """Files and names are found by the check of documents itself."""
    page = (ROOT / "docs" / "security.md").read_text()
    lines = re.findall(r"^\| ([0-9][^|]*) \| [^|]* \| (met|n/a|open) \| (.*) \|$", page, re.MULTILINE)
    assert len(lines) > 200
    shows = re.compile(r"\| `(?:backend/(?:tests|tooling)|e2e/specs)/[\w./-]+` \|")
    assert [line for line, state, rest in lines if state == "met" and not shows.search(f"| {rest} |")] == []
