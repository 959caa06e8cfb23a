"""Query parameters of the leaderboard. Unknown names and values are refused.

Times are integer nanoseconds, sizes integer bytes, and ratios between 0 and 1.
"""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from tailroom.kit.outside_types import LOOKUP, Cursor, Lookup, RequestBody

OpClass = Literal["none", "over_provisioned", "unstated"]
MetricClass = Literal["total", "device", "unstated"]
Generation = Literal["before-2.0", "2-5", "6+", "unstated"]
EvidenceClass = Literal["measured_24h", "measured", "uploaded", "third_party", "vendor"]
Scheduling = Literal["sequential", "parallel", "waves", "pool"]
Scope = Literal["all", "public", "mine"]
SortKey = Literal[
    "rating",
    "drive",
    "capacity",
    "dwpd",
    "power",
    "price",
    "price_per_ktps",
    "watts_per_ktps",
    "exceedance",
    "-rating",
    "-drive",
    "-capacity",
    "-dwpd",
    "-power",
    "-price",
    "-price_per_ktps",
    "-watts_per_ktps",
    "-exceedance",
]

MOST_READS = 100_000
"""Maximum number of reads of a transaction."""
MOST_ROWS = 2_000
"""Maximum number of rows on a page."""

_Name = Annotated[str, Field(min_length=1, max_length=100), LOOKUP]
_Bytes = Annotated[int, Field(ge=0, lt=2**62)]
_Time = Annotated[int, Field(gt=0, lt=2**62)]


class LeaderboardQuery(RequestBody):
    """Query parameters of the leaderboard: filters, question and order. A list parameter may repeat.

    `price_max` is compared with the upper bound of a purchase price, in the currency of that price.
    """

    rule_set: _Name = Field("act-performance", description="built-in or own budget with limits on shares")
    limits: Annotated[str, Field(max_length=400), LOOKUP] | None = Field(
        None,
        description="own thresholds instead: `ns:ratio,…`, such as `1000000:0.05,8000000:0.01`; strictly "
        "less than the ratio of the reads may take that long or longer",
    )
    budget: _Name | None = Field(None, description="own SLA instead: a budget by its name")
    reads: Annotated[int, Field(ge=1, le=MOST_READS)] | None = Field(
        None, description="own SLA instead: reads per transaction"
    )
    scheduling: Scheduling | None = Field(None, description="of the reads; default: one after another")
    fan_out: Annotated[int, Field(ge=1, le=MOST_READS)] | None = Field(None, description="reads at once")
    window_ns: _Time | None = Field(None, description="whole time that a transaction may take")
    reserve_ns: Annotated[int, Field(ge=0, lt=2**62)] | None = Field(None, description="kept for other work")
    objective_ratio: Annotated[float, Field(gt=0, lt=1)] | None = Field(
        None, description="share of transactions that must end in time"
    )
    vendor: list[_Name] = Field([], max_length=100)
    interface: list[_Name] = Field([], max_length=100)
    form_factor: list[_Name] = Field([], max_length=100)
    op: list[OpClass] = Field([], max_length=10, description="over-provisioning")
    metric: list[MetricClass] = Field([], max_length=10, description="what was timed")
    generation: list[Generation] = Field([], max_length=10, description="of the tool")
    evidence: list[EvidenceClass] = Field([], max_length=10, description="only tests of this evidence count")
    drive: list[_Name] = Field([], max_length=200, description="shortlist: slugs of drives")
    run: UUID | None = Field(None, description="only rows with a test of this run")
    capacity_min_bytes: _Bytes | None = None
    capacity_max_bytes: _Bytes | None = None
    price_max: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    year_min: Annotated[int, Field(ge=1990, le=2100)] | None = Field(
        None,
        description="year of the latest test, as a source states it: a publication may print older tests",
    )
    dwpd_min: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = Field(
        None, description="drive writes per day that the drive is rated for"
    )
    load_min: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = Field(
        None, description="the highest load passed, at least"
    )
    tested_to_failure: bool = Field(False, description="only rows with a load that failed")
    search: Lookup | None = Field(None, description="text in vendor or name")
    scope: Scope = Field("all", description="public rows and the organisation's own, or one of the two")
    equal: bool = Field(True, description="only rows that were tested under one set of conditions")
    sort: SortKey = Field("rating", description="`-` in front: the other way round; unknown is always last")
    limit: Annotated[int, Field(ge=1, le=MOST_ROWS)] = Field(100, description="rows on a page")
    cursor: Cursor | None = None
