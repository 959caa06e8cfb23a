"""The one table of tools, and everything that follows from it."""

from pathlib import Path

from tailroom.cli.inspection_brief import brief_lines
from tailroom.domain.tools import TOOLS, Measures, markdown_table
from tailroom.domain.verdicts.other_tools import UPLOADED_WORKLOADS, budgets_for_uploads
from tailroom.importers.importer import Importer
from tailroom.importers.inspection import inspect_sources
from tailroom.importers.registry import IMPORTERS
from tailroom.importers.source import from_bytes, from_path

DOCS = Path(__file__).parents[3] / "docs" / "importers.md"
SAMPLES = Path(__file__).parent / "samples"


def test_the_documentation_is_the_table() -> None:
    """`tailroom formats --markdown` writes it anew."""
    assert markdown_table() in DOCS.read_text()


def test_every_tool_has_an_importer_and_forms() -> None:
    assert len(IMPORTERS) == len(TOOLS) == len({tool.name for tool in TOOLS})
    assert all(isinstance(one.name, str) and one.name for one in IMPORTERS)
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


MEMTIER = """
ALL STATS
========================================================================
Type        Ops/sec     Hits/sec   Misses/sec      Latency       KB/sec
------------------------------------------------------------------------
Sets           0.00          ---          ---      0.00000         0.00
Gets        4092.16      4092.16         0.00      0.47900      4299.07
Totals      4092.16      4092.16         0.00      0.47900      4299.07
"""


def _lines(text: str) -> list[str]:
    (found,) = inspect_sources([from_bytes("out.txt", text.encode())], 3600, (1_000_000,))
    return list(brief_lines(found.document, found.refusal))


def test_a_mean_alone_is_shown_with_what_it_proves() -> None:
    lines = _lines(MEMTIER)
    assert any("get: number unknown; service time mean 0.47900 ms, p99 0 to" in line for line in lines)
    assert "  4092.16 operations a second." in lines


def test_percentiles_are_shown_as_they_are_printed() -> None:
    wider = MEMTIER.replace("Latency       KB", "Latency  p50 Latency       KB").replace(
        "0.47900      4299", "0.47900      0.47100      4299"
    )
    lines = _lines(wider.replace("0.00000         0.00", "0.00000  0.00000         0.00"))
    assert any("p50 0.47100 ms" in line for line in lines)
