"""Compute the resources and cost of fleets of agents: the table of docs/scale.md.

The constants come from `make bench-fleet` and `make bench-soak`.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

FLEETS = (1, 100, 10_000, 100_000)
_DAY_S = 86_400
_KEPT_DAYS = 7
"""Default retention of raw intervals, in days."""
_RUN_S = 600.0
"""Duration of a run, in seconds."""
_NODE_CORES, _SHARDS_EACH = 8, 4
"""Cores of a PostgreSQL server, and shards per server in a cluster (docs/operations.md)."""


@dataclass(frozen=True)
class Constants:
    """Load and cost of one agent; prices are monthly, in any currency."""

    requests_per_s: float
    intervals_per_s: float
    api_ms: float
    """Processor time of the API per request; `database_ms` is that of PostgreSQL."""
    database_ms: float
    table_bytes: float
    """Size of a stored interval, including indexes."""
    judging_cores: float
    """Cores used per measuring agent during its run."""
    end_s: float
    """Processor time of the final judgement of a run."""
    api_mb: float
    """Memory of an API process that uses one core; `judging_mb` is that of a worker."""
    judging_mb: float
    core_month: float = 20.0
    gigabyte_month: float = 0.1


MEASURED = Constants(1.0, 6.6, 4.8, 1.5, 334.0, 0.039, 0.8, 203.0, 271.0)
"""Measured as described in docs/scale.md."""
PACED = Constants(0.1, 6.6, 8.1, 2.9, 322.0, 0.019, 0.8, 203.0, 271.0)
"""The same, for agents that send every ten seconds and are judged every thirty."""

_HEAD = (
    "| agents | requests/s | intervals/s | API cores | worker cores | database cores | memory | tables a day"
    " | servers × shards | a month |"
)


def what_follows(cost: Constants) -> Iterator[str]:
    """Yield the lines of the table."""
    yield from (_HEAD, "|---" * _HEAD.count(" | ") + "|---|")
    for agents in FLEETS:
        requests, intervals = agents * cost.requests_per_s, agents * cost.intervals_per_s
        api, database = requests * cost.api_ms / 1000, requests * cost.database_ms / 1000
        workers = agents * (cost.judging_cores + cost.end_s / _RUN_S)
        memory_gb = (math.ceil(api) * cost.api_mb + math.ceil(workers) * cost.judging_mb) / 1000
        gigabytes_a_day = intervals * cost.table_bytes * _DAY_S / 1e9
        servers = math.ceil(database / _NODE_CORES)
        shards = "1" if servers == 1 else f"{servers} × {_SHARDS_EACH}"
        stored = cost.gigabyte_month * gigabytes_a_day * _KEPT_DAYS
        money = cost.core_month * (api + workers + database) + stored
        yield (
            f"| {agents:,} | {requests:,.0f} | {intervals:,.0f} | {_short(api)} | {_short(workers)}"
            f" | {_short(database)} | {_short(memory_gb)} GB | {_short(gigabytes_a_day)} GB | {shards}"
            f" | {_short(money)} |"
        )


def _short(value: float) -> str:
    """Return the value with two significant digits, as precise as the estimate is."""
    digits = 1 - math.floor(math.log10(value)) if value else 0
    return f"{round(value, digits):,.{max(0, digits)}f}"
