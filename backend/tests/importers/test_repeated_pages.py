"""Pages of Prometheus that follow each other are read by columns: that gives what reading line by line gives.

A blank behind a number does not change what a line says, but keeps a page from being read by columns.
"""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.production.page_repeated import RepeatedPage
from tailroom.importers.registry import read
from tailroom.importers.source import CHUNK_BYTES, from_bytes

EDGES = ("0.1", "0.3", "1", "+Inf")
FROM_S = 1_790_000_000


class _Pages:
    """Pages of a program with some histograms, and everything that may happen to them."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)  # noqa: S311 - repeatable, not secret
        rng = self.rng
        self.times = rng.choice(("", "ms", "s"))
        self.ends = rng.random() < 0.4
        self.has_others = rng.random() < 0.6
        self.routes = [f'route="/{number}"' for number in range(rng.choice((1, 1, 2, 5)))]
        self.counts = {route: [0] * len(EDGES) for route in self.routes}
        self.odd = rng.choice((0.0, 0.0, 0.02, 0.2))

    def page(self, number: int) -> list[str]:
        """Return the lines of a page."""
        rng = self.rng
        at = {"": "", "ms": f" {(FROM_S + 15 * number) * 1_000}", "s": f" {FROM_S + 15 * number}.25"}
        lines = ["# HELP a_seconds Time.", "# TYPE a_seconds histogram"]
        for route in self.routes:
            grown = self.counts[route]
            if rng.random() < self.odd / 4:
                grown[:] = [0] * len(EDGES)
            for place in range(len(EDGES)):
                grown[place:] = [
                    held + add for held, add in zip(grown[place:], [rng.randrange(4)] * 4, strict=False)
                ]
            lines += [
                f'a_seconds_bucket{{{route},le="{edge}"}} {count}{at[self.times]}'
                for edge, count in zip(EDGES, grown, strict=True)
            ]
            lines += [
                f"a_seconds_sum{{{route}}} {grown[-1] * 0.2}{at[self.times]}",
                f"a_seconds_count{{{route}}} {grown[-1]}{at[self.times]}",
            ]
        if self.has_others:
            lines += ["# TYPE threads gauge", f"threads {rng.randrange(9)}{at[self.times]}"]
            lines += [
                "# TYPE b summary",
                f'b{{quantile="0.5"}} NaN{at[self.times]}',
                f"b_sum 3{at[self.times]}",
            ]
        lines += ["# EOF"] if self.ends else []
        return self._oddly(lines)

    def _oddly(self, lines: list[str]) -> list[str]:
        rng = self.rng
        if rng.random() < self.odd:
            del lines[rng.randrange(len(lines))]
        if rng.random() < self.odd:
            lines.insert(
                rng.randrange(len(lines)), rng.choice(("", "c_total 3", "c_bucket 3 4 5", "# a note"))
            )
        if rng.random() < self.odd:
            at = rng.randrange(len(lines))
            lines[at] = rng.choice(
                (lines[at].upper(), lines[at] + "5", lines[at].rpartition(" ")[0] + " NaN")
            )
        if rng.random() < self.odd:
            at = rng.randrange(len(lines))
            lines[at] = lines[at].replace("17900", "17901")
        return lines


def shown(runs: Sequence[ParsedRun]) -> list[Any]:
    """Return everything that runs say."""
    said: list[Any] = []
    for run in runs:
        said += [
            run.started_at,
            run.duration_ns,
            run.parameters,
            sorted(each.reason for each in run.problems),
        ]
        for series in run.series:
            said += [series.source_name, series.record.edges_ns().tolist(), series.printed]
            said.append([series.record.cdf_bounds(edge) for edge in series.record.edges_ns().tolist()])
            if series.intervals is not None:
                held = series.intervals
                said += [held.start_ns.tolist(), held.duration_ns.tolist(), held.totals.tolist()]
    return said


@pytest.fixture
def by_columns(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return how many pages were read by columns, of each block."""
    pages: list[int] = []
    inner = RepeatedPage.read

    def counted(self: RepeatedPage, data: bytes, page: int) -> tuple[int, int] | None:
        held = inner(self, data, page)
        pages.append(0 if held is None else held[0])
        return held

    monkeypatch.setattr(RepeatedPage, "read", counted)
    return pages


@pytest.mark.parametrize("seed", range(40))
def test_columns_give_what_lines_give(seed: int, by_columns: list[int]) -> None:
    pages = _Pages(seed)
    lines = [pages.page(number) for number in range(pages.rng.choice((4, 30)))]
    text = "".join(line + "\n" for page in lines for line in page)
    if pages.rng.random() < 0.2:
        text = text[: -pages.rng.randrange(1, 60)]
    slow = "".join(line + (" \n" if line[-1:].isdigit() else "\n") for line in text.split("\n"))[:-1]
    fast = shown(list(read(from_bytes("page", text.encode())).runs))
    if not pages.odd and len(lines) > 4 and text.endswith("\n"):
        assert sum(by_columns) > 0
    by_columns.clear()
    assert fast == shown(list(read(from_bytes("page", slow.encode())).runs))
    assert sum(by_columns) == 0


@pytest.mark.parametrize("routes", [1, 900])
def test_pages_over_many_blocks_are_counted_to_the_last(routes: int, by_columns: list[int]) -> None:
    """A page of 900 histograms fills a third of a block."""
    scrapes = 40 if routes > 1 else 12_000
    grown = np.cumsum(np.random.default_rng(routes).integers(0, 50, (scrapes, routes)), axis=0)
    text = "".join(
        f'a_seconds_bucket{{route="/{route}",le="0.5"}} {count} {FROM_S + 15 * scrape}\n'
        f'a_seconds_bucket{{route="/{route}",le="+Inf"}} {count + 7} {FROM_S + 15 * scrape}\n'
        for scrape, row in enumerate(grown.tolist())
        for route, count in enumerate(row)
    )
    assert len(text) > CHUNK_BYTES
    (run,) = read(from_bytes("page", text.encode())).runs
    assert sum(by_columns) > scrapes - 10
    intervals = run.series[0].intervals
    assert intervals is not None
    assert intervals.totals.tolist() == np.diff(grown, axis=0).sum(axis=1).tolist()
    assert run.series[0].record.total == int((grown[-1] - grown[0]).sum())


def test_the_value_of_an_exemplar_is_no_count() -> None:
    line = 'a_seconds_bucket{le="1"} 5 %d # {trace_id="b"} 1\na_seconds_bucket{le="+Inf"} 5 %d\n'
    text = "# TYPE a_seconds histogram\n" + line % (FROM_S, FROM_S) + line % (FROM_S + 15, FROM_S + 15)
    (run,) = read(from_bytes("page", text.encode())).runs
    assert run.series[0].record.total == 0
    same = text.replace(f" {FROM_S} #", " #").replace(f" {FROM_S + 15} #", " #")
    (run,) = read(
        from_bytes("page", same.replace(f" {FROM_S}\n", "\n").replace(f" {FROM_S + 15}\n", "\n").encode())
    ).runs
    assert [problem.reason for problem in run.problems if "fall" in problem.reason] == []
