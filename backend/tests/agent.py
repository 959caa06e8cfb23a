"""What an agent sends, as tests need it: small, valid, and easy to break in one place."""

import gzip
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import msgspec
import numpy as np
import zstandard

from tailroom.domain.latency.histogram import Counts, encode
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.kit.identifiers import new_id

GOLDEN = Path(__file__).parents[2] / "docs" / "contracts" / "golden"
PINS_NS = [1_000_000, 8_000_000]
Json = dict[str, Any]


class Answer(Protocol):
    """What the HTTP client answers."""

    status_code: int
    text: str

    def json(self) -> Any:
        """The body."""


def announcement(run_id: str) -> Json:
    """An announcement."""
    return {
        "run_id": run_id,
        "title": "a run",
        "workload": "act-storage",
        "started_at_unix_ns": 1_767_225_600_000_000_000,
        "planned_duration_ns": 30_000_000_000,
        "agent": {"version": "0.1.0", "commit": None},
        "host": {"hostname": "bench-01"},
        "plan": {"title": "a run"},
    }


def series(series_no: int = 0, **changes: Any) -> Json:
    """A series definition: ticks for even numbers, histograms for odd ones."""
    is_tick = series_no % 2 == 0
    return {
        "series_no": series_no,
        "operation": "read",
        "clock": "response",
        "kind": "tick" if is_tick else "histogram",
        "phase": "main",
        "host": "bench-01",
        "device": None,
        "layout": None if is_tick else {"t": "hdr", "unit_ns": 1000, "significant_digits": 3},
        "pin_thresholds_ns": PINS_NS,
        "target_rate_per_s": 100.0,
        **changes,
    }


def histogram(values_us: Sequence[int], *, deflate: bool = True) -> bytes:
    """An HdrHistogram of these latencies."""
    layout = HdrLayout(unit_ns=1000, significant_digits=3)
    indices, counts = np.unique(layout.index_of(np.asarray(values_us, dtype=np.int64)), return_counts=True)
    return encode(Counts(indices.astype(np.int64), counts.astype(np.int64)), layout, deflate=deflate)


def interval(series_no: int, seq: int, **changes: Any) -> Json:
    """An interval that keeps every rule; its content follows from its place."""
    values_us = [100 + seq % 7, 900, 1500 + series_no]
    return {
        "series": series_no,
        "seq": seq,
        "start_ns": seq * 1_000_000_000,
        "duration_ns": 1_000_000_000,
        "count": 3,
        "errors": 0,
        "timeouts": seq % 2,
        "unfinished": 0,
        "sum_ns": sum(values_us) * 1000,
        "min_ns": values_us[0] * 1000,
        "max_ns": values_us[-1] * 1000,
        "pins": [1, 0],
        "target_count": 3 if seq % 3 else None,
        "lateness_max_ns": 1000,
        "histogram": histogram(values_us) if series_no % 2 else None,
        **changes,
    }


@dataclass
class Agent:
    """Sends messages of one run."""

    client: Any
    token: str
    run_id: str = field(default_factory=lambda: str(new_id()))

    def announce(self, **changes: Any) -> Answer:
        """Announces the run."""
        return self.post("/api/v1/runs", announcement(self.run_id) | changes)

    def send(
        self, intervals: Sequence[Json], definitions: Sequence[Json] | None = None, **options: Any
    ) -> Answer:
        """Sends a batch; by default with the definitions of the series that it uses."""
        if definitions is None:
            definitions = [series(number) for number in sorted({one["series"] for one in intervals})]
        body = {"series": list(definitions), "intervals": list(intervals)}
        return self.post(f"/api/v1/runs/{self.run_id}/intervals", body, **options)

    def finish(self, last_seq: dict[int, int], **changes: Any) -> Answer:
        """Says that nothing more will come."""
        body = {
            "outcome": "completed",
            "reason": None,
            "duration_ns": 30_000_000_000,
            "last_seq": {str(number): seq for number, seq in last_seq.items()},
            **changes,
        }
        return self.post(f"/api/v1/runs/{self.run_id}/finish", body)

    def post(self, path: str, body: Any, *, as_json: bool = False, encoding: str | None = None) -> Answer:
        """Posts a message in one of the formats."""
        content = msgspec.json.encode(body) if as_json else msgspec.msgpack.encode(body)
        headers = {"Content-Type": "application/json" if as_json else "application/msgpack"}
        if encoding is not None:
            headers["Content-Encoding"] = encoding
            content = gzip.compress(content) if encoding == "gzip" else zstandard.compress(content)
        return self.post_bytes(path, content, headers)

    def post_bytes(self, path: str, content: bytes, headers: dict[str, str]) -> Answer:
        """Posts bytes as they are."""
        answer: Answer = self.client.post(
            path, content=content, headers={"Authorization": f"Bearer {self.token}", **headers}
        )
        return answer

    def get(self, path: str = "", **query: Any) -> Answer:
        """Reads something of the run."""
        answer: Answer = self.client.get(
            f"/api/v1/runs/{self.run_id}{path}",
            headers={"Authorization": f"Bearer {self.token}"},
            params=query,
        )
        return answer


def packed_pins(pins: Sequence[int]) -> bytes:
    """Pins as they are stored."""
    return struct.pack(f"<{len(pins)}Q", *pins)
