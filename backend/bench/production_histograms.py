"""Measure the cost of reading production histograms and of joining the logs of several clients.

Read a Prometheus page with 10,000 series, a page with 10,000 histograms, and a month of scrapes every 15 s,
as a reply of the query API and as pages. Join eight hour-long HdrHistogram logs into one run, and compare its
count with the number of written operations. Times are processor time without the start of Python.

    python -m backend.bench.production_histograms [--library]

With `--library`, compare the joined counts bucket by bucket with those of the HdrHistogram library, which
takes two more minutes.
"""

import base64
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from backend.bench.importers import measured
from hdrh.histogram import HdrHistogram

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.histogram import Counts, encode
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.importers.joining import joined_files
from tailroom.importers.registry import read_together
from tailroom.importers.source import from_bytes

SCRAPES = 30 * 24 * 3600 // 15
CLIENTS, SECONDS, PER_SECOND = 8, 3600, 300
_EDGES = ("0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "10", "+Inf")
_METRIC = "http_request_duration_seconds"
_FROM_S = 1_790_000_000


def _page(histograms: int) -> Iterator[str]:
    """Yield a page of the text format with `histograms` histograms."""
    rng = np.random.default_rng(38)
    yield f"# TYPE {_METRIC} histogram\n"
    for number in range(histograms):
        counts = np.cumsum(rng.integers(0, 1_000, len(_EDGES))).tolist()
        labels = f'route="/r{number}",method="GET"'
        for edge, count in zip(_EDGES, counts, strict=True):
            yield f'{_METRIC}_bucket{{{labels},le="{edge}"}} {count}\n'
        yield f"{_METRIC}_sum{{{labels}}} {counts[-1] * 0.05}\n{_METRIC}_count{{{labels}}} {counts[-1]}\n"


def _counts_of_a_month() -> list[list[int]]:
    """Return the cumulative counts of every scrape of a month, by bucket."""
    grown = np.random.default_rng(38).integers(0, 20, (SCRAPES, len(_EDGES)))
    counts: list[list[int]] = np.cumsum(np.cumsum(grown, axis=0), axis=1).tolist()
    return counts


def _pages(month: list[list[int]]) -> Iterator[str]:
    """Yield a month of scrapes in the text format, with times."""
    yield f"# TYPE {_METRIC} histogram\n"
    for scrape, counts in enumerate(month):
        at_ms = (_FROM_S + 15 * scrape) * 1_000
        for edge, count in zip(_EDGES, counts, strict=True):
            yield f'{_METRIC}_bucket{{le="{edge}"}} {count} {at_ms}\n'
        yield f"{_METRIC}_count {counts[-1]} {at_ms}\n"


def _answer(month: list[list[int]]) -> Iterator[str]:
    """Yield a month of scrapes as a reply of the query API."""
    yield '{"status":"success","data":{"resultType":"matrix","result":['
    for column, edge in enumerate(_EDGES):
        yield "," if column else ""
        yield f'{{"metric":{{"__name__":"{_METRIC}_bucket","le":"{edge}"}},"values":['
        values = (f'[{_FROM_S + 15 * scrape},"{counts[column]}"]' for scrape, counts in enumerate(month))
        yield ",".join(values) + "]}"
    yield "]}}"


def _log(client: int) -> Iterator[str]:
    """Yield the lines of a client's log."""
    layout, rng = HdrLayout(1_000, 3), np.random.default_rng(client)
    yield f"#[Logging for: READ]\n#[Histogram log format version 1.3]\n#[StartTime: {_FROM_S} (seconds)]\n"
    for second in range(SECONDS):
        latencies_us = np.minimum(rng.lognormal(6, 1, PER_SECOND), 9e6).astype(np.int64) + 1
        indices, counts = np.unique(layout.index_of(latencies_us), return_counts=True)
        payload = base64.b64encode(encode(Counts(indices, counts.astype(np.int64)), layout)).decode()
        yield f"{second}.000,1.000,{latencies_us.max():.3f},{payload}\n"


def _inspect(path: Path) -> tuple[float, float]:
    """Return the processor seconds and the peak memory in MiB of an inspection."""
    return measured([sys.executable, "-m", "tailroom.cli.main", "inspect", str(path)])[1:]


def _show(what: str, path: Path, start_s: float) -> None:
    """Print the figures of a file, without the seconds of Python's start."""
    processor_s, peak_mb = _inspect(path)
    megabytes = path.stat().st_size / 1e6
    print(f"{what}: {processor_s - start_s:.2f} s of {megabytes:.1f} MB; peak {peak_mb:.0f} MB", flush=True)


def _counts_of_library(logs: Sequence[str]) -> dict[int, int]:
    """Return the library's counts over all logs, by the largest microsecond of a bucket."""
    sum_of_all = HdrHistogram(1, 3_600_000_000, 3)
    for log in logs:
        for row in log.splitlines()[3:]:
            sum_of_all.decode_and_add(row.split(",")[3])
    return {
        value.value_iterated_to: value.count_at_value_iterated_to
        for value in sum_of_all.get_recorded_iterator()
    }


def _join(*, by_library: bool) -> None:
    """Join the logs of all clients and check the counts; with `by_library`, against the library too."""
    texts = ["".join(_log(at)) for at in range(CLIENTS)]
    logs = [from_bytes(f"client{at}.hdr", text.encode()) for at, text in enumerate(texts)]
    begin_s = time.process_time()
    run = joined_files(list(read_together(logs)))
    took_s, count = time.process_time() - begin_s, run.series[0].record.total
    if count != CLIENTS * SECONDS * PER_SECOND:
        raise SystemExit(f"{count} operations were joined, {CLIENTS * SECONDS * PER_SECOND} were written")
    record = run.series[0].record
    if by_library and isinstance(record, LatencyDist) and isinstance(record.layout, HdrLayout):
        _, upper_us = record.layout.edges_units(record.counts.indices)
        joined = dict(zip((upper_us - 1).tolist(), record.counts.counts.tolist(), strict=True))
        if joined != _counts_of_library(texts):
            raise SystemExit("the library counts something else")
        print(f"the library counts the same in all of {len(joined)} buckets", flush=True)
    print(f"eight logs of an hour joined (at most 2 s): {took_s:.2f} s, every operation counted", flush=True)


def _write(path: Path, parts: Iterator[str]) -> Path:
    """Write the parts to a file; return its path."""
    with path.open("w") as file:
        file.writelines(parts)
    return path


def main() -> None:
    """Measure and print each figure."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start_s, _ = _inspect(_write(folder / "small.txt", _page(1)))
        page = _write(folder / "page.txt", _page(10_000 // (len(_EDGES) + 2)))
        _show("page of 10,000 series (at most 1 s)", page, start_s)
        page = _write(folder / "histograms.txt", _page(10_000))
        _show("page of 10,000 histograms", page, start_s)
        month = _counts_of_a_month()
        answer = _write(folder / "answer.json", _answer(month))
        _show("a month of scrapes, answer of the query API (at most 5 s)", answer, start_s)
        pages = _write(folder / "pages.txt", _pages(month))
        _show("a month of scrapes, pages (at most 5 s)", pages, start_s)
        del month
    _join(by_library="--library" in sys.argv[1:])


if __name__ == "__main__":
    main()
