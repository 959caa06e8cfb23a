"""Runs as large as somebody makes them, and how long each page of one takes the processor."""

import gc
import time
from collections.abc import Callable, Mapping
from typing import Any

from backend.tests.agent import Agent, interval, series

PAGES = (
    *("", "/figures", "/percentiles", "/exceedance", "/timeline", "/heatmap", "/course", "/findings"),
    *("/report.csv", "/report.html"),
)


def summary_of(operations: int) -> bytes:
    """A summary of YCSB with so many operations; about 200 bytes each."""
    lines = ["[OVERALL], RunTime(ms), 10000", "[OVERALL], Throughput(ops/sec), 1000.0"]
    for number in range(operations):
        name = f"OP{number:04}"
        lines += [f"[{name}], Operations, {100 + number}", f"[{name}], AverageLatency(us), 120.5"]
        lines += [f"[{name}], MinLatency(us), 20", f"[{name}], MaxLatency(us), 900"]
        lines += [f"[{name}], 95thPercentileLatency(us), 300", f"[{name}], 99thPercentileLatency(us), 600"]
    return "\n".join(lines).encode()


def upload(client: Any, token: str, operations: int) -> str:
    """Send such a summary; return the id of its run."""
    files = [("files", (f"{operations}.log", summary_of(operations), "text/plain"))]
    answer = client.post("/api/v1/uploads", files=files, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["runs"][0]["run_id"])


def measure_agent(client: Any, token: str, *, devices: int, intervals: int) -> str:
    """Send a run of so many devices as an agent does; return its id."""
    agent = Agent(client, token)
    agent.announce()
    numbers = [2 * number + 1 for number in range(devices)]
    for begin in range(0, devices, 1_000):
        batch = numbers[begin : begin + 1_000]
        agent.send([], [series(number, device=f"/dev/nvme{number}") for number in batch])
    rows = [interval(number, seq) for number in numbers for seq in range(intervals)]
    for begin in range(0, len(rows), 5_000):
        answer = agent.send(rows[begin : begin + 5_000], [])
        assert answer.status_code == 200, answer.text
    agent.finish(dict.fromkeys(numbers, intervals - 1))
    return agent.run_id


def seconds_of_pages(client: Any, token: str, run_id: str, again: Callable[[], None]) -> Mapping[str, float]:
    """Return how long the processor works on each page of a run; `again` lets nothing be kept before each."""
    found: dict[str, float] = {}
    for page in PAGES:
        again()
        # What the process holds besides costs a collection of garbage 0.3 s, at any page.
        gc.collect()
        gc.freeze()
        began = time.process_time()
        answer = client.get(f"/api/v1/runs/{run_id}{page}", headers={"Authorization": f"Bearer {token}"})
        found[page] = time.process_time() - began
        assert answer.status_code == 200, (page, answer.text[:300])
    return found
