"""The one table of tools, and everything that follows from it."""

from pathlib import Path

from tailroom.domain.tools import TOOLS, Measures, markdown_table
from tailroom.domain.verdicts.other_tools import UPLOADED_WORKLOADS, budgets_for_uploads
from tailroom.importers.brief import brief_lines
from tailroom.importers.importer import Importer
from tailroom.importers.inspection import inspect_sources
from tailroom.importers.registry import IMPORTERS
from tailroom.importers.source import from_path

DOCS = Path(__file__).parents[3] / "docs" / "importers.md"
SAMPLES = Path(__file__).parent / "samples"


def test_the_documentation_is_the_table() -> None:
    """`tailroom formats --markdown` writes it anew."""
    assert markdown_table() in DOCS.read_text()


def test_every_tool_has_an_importer_and_forms() -> None:
    assert len(IMPORTERS) == len(TOOLS) == len({tool.name for tool in TOOLS})
    assert all(isinstance(one.name, str) and one.looks_for for one in IMPORTERS)
    assert len({one.name for one in IMPORTERS}) == len(IMPORTERS)
    importers: list[Importer] = list(IMPORTERS)
    assert importers
    assert all(tool.forms for tool in TOOLS)


def test_budgets_follow_from_what_a_tool_measures() -> None:
    for tool in TOOLS:
        judged = bool(budgets_for_uploads(tool.name))
        assert judged == (tool.measures in (Measures.KEY_VALUE, Measures.RECORDS))
        assert judged == (tool.name in UPLOADED_WORKLOADS)


def test_ten_lines_at_most_of_any_sample() -> None:
    for path in sorted(SAMPLES.rglob("*")):
        if path.is_file() and path.stat().st_size < 100_000:
            for one in inspect_sources([from_path(path)], 60, (1_000_000,)):
                lines = list(brief_lines(one.document, one.refusal))
                assert 1 <= len(lines) <= 10
                assert all(len(line) < 400 for line in lines)
