"""Measure the API with a thousand concurrent readers and fifty agents, over HTTP on loopback.

Start PostgreSQL (fsync on), Valkey and `tailroom serve`; the client is a second process on the same cores. A
single run is measured and judged, then copied by SQL for every organisation.

* Burst: every reader sends one request at the same moment, each with its own token; repeated.
* Steady: every reader sends a request, pauses for some seconds and repeats, while agents stream four series.
* A million runs: request the list of runs and a run's page sequentially, with that many stored runs.

Print the response times, refusals, the memory of the API, and PostgreSQL transactions that were idle for more
than 200 ms. Run with `make bench-load`, or `python -m backend.bench.load --help`.
"""

import argparse
import sys
from collections import Counter
from typing import Any

import numpy as np
from backend.bench.ingest import machine
from backend.bench.read_product import AGENTS, GOAL_IDLE_MS, ORGANISATIONS, READERS, Watch, product

from tailroom.kit.settings import Settings

GOAL_P95_MS, GOAL_INGEST_P99_MS, GOAL_MEMORY_MB, GOAL_PAGE_MS = 1000, 250, 400, 50


def print_by_path(answers: list[list[Any]]) -> None:
    """Print the response times of each path, the slowest first."""
    by_path: dict[str, list[float]] = {}
    for _, seconds, path in answers:
        by_path.setdefault(path, []).append(1000 * seconds)
    worst = sorted(by_path.items(), key=lambda item: -float(np.quantile(item[1], 0.95)))
    for path, times_ms in worst:
        p50, p95 = (float(np.quantile(times_ms, quantile, method="higher")) for quantile in (0.5, 0.95))
        print(f"              {path:<28} {len(times_ms):>5} answers, p50 {p50:,.0f} ms, p95 {p95:,.0f} ms")


def print_figures(name: str, answers: list[list[Any]], goal_quantile: float, goal_ms: float) -> bool:
    """Print the response times; return whether the goal is met without a failed request."""
    statuses = Counter(int(answer[0]) for answer in answers)
    if not answers:
        return True
    times_ms = np.array([answer[1] for answer in answers]) * 1000
    at_goal = float(np.quantile(times_ms, goal_quantile, method="higher"))
    failed = sum(number for status, number in statuses.items() if status == 0 or status >= 400)
    p50, p99 = (float(np.quantile(times_ms, quantile, method="higher")) for quantile in (0.5, 0.99))
    print(
        f"  {name:<12} {len(answers):>6} answers, {failed} refused or lost {dict(sorted(statuses.items()))},"
        f" p50 {p50:,.0f} ms, p{goal_quantile * 100:.0f} {at_goal:,.0f} ms (goal {goal_ms:,}),"
        f" p99 {p99:,.0f} ms, max {times_ms.max():,.0f} ms"
    )
    return failed == 0 and at_goal <= goal_ms


def main() -> None:
    """Start the product, measure, print; exit with 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--each", type=int, default=50, help="answers of each kind, asked alone; 0: none")
    parser.add_argument("--bursts", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=20.0, help="of the steady part")
    parser.add_argument("--think", type=float, default=5.0, help="seconds that a reader reads, on average")
    parser.add_argument("--runs", type=int, default=1_000_000, help="rows of the last part; 0 leaves it out")
    parser.add_argument(
        "--processes", type=int, default=Settings().api_process_count, help="of the API, behind one port"
    )
    chosen = parser.parse_args()
    print(f"Load: {READERS:,} readers of {ORGANISATIONS} organisations, {AGENTS} agents")
    print(f"  API         processes: {chosen.processes}")
    print("  machine     " + ", ".join(f"{name} {value}" for name, value in machine().items()))
    is_reached = []
    with product(chosen.processes) as (filled, settings):
        filled.fill()
        watch = Watch(settings.database_url, filled.api)
        watch.start()
        for path, (busy_ms, size) in filled.each(chosen.each).items() if chosen.each else ():
            print(f"  {path:<28} {busy_ms:5.2f} ms of the API's processor time alone, {size / 1024:,.0f} KiB")
        for number in range(chosen.bursts):
            busy_s = filled.api_busy_s()
            burst = filled.burst()
            each_ms = (filled.api_busy_s() - busy_s) * 1000 / max(1, len(burst["read"]))
            is_reached.append(print_figures(f"burst {number + 1}", burst["read"], 0.95, GOAL_P95_MS))
            print(
                f"              {each_ms:.2f} ms of the API's processor time an answer;"
                f" the client took {burst['share']:.0%} of one core"
            )
        steady = filled.steady(chosen.seconds, chosen.think)
        print(f"  steady      the client took {steady['share']:.0%} of one core")
        is_reached.append(print_figures("readers", steady["read"], 0.95, GOAL_P95_MS))
        print_by_path(steady["read"])
        is_reached.append(print_figures("agents", steady["sent"], 0.99, GOAL_INGEST_P99_MS))
        watch.end()
        print(
            f"  idle        longest idle transaction {watch.longest_idle_ms:.0f} ms (goal {GOAL_IDLE_MS}) in"
            f" {watch.samples} looks"
        )
        for query, number in watch.idle.most_common(5):
            print(f"              {number} × {query}")
        print(f"  memory      {watch.memory_mb:.0f} MB of the API at most (goal {GOAL_MEMORY_MB})")
        is_reached += [watch.longest_idle_ms <= GOAL_IDLE_MS, watch.memory_mb <= GOAL_MEMORY_MB]
        if chosen.runs:
            for name, took_ms in filled.million(chosen.runs).items():
                print(
                    f"  {chosen.runs:,} runs: {name} in {took_ms:.1f} ms (median of 20, goal {GOAL_PAGE_MS})"
                )
                is_reached.append(took_ms <= GOAL_PAGE_MS)
    sys.exit(0 if all(is_reached) else 1)


if __name__ == "__main__":
    main()
