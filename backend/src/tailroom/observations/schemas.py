"""API schemas of observations.

Unknown fields of messages are ignored, so that a newer agent works with an older backend.
"""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.kit.limits import OBSERVATION_BATCH, OBSERVATION_GAUGES, OBSERVATION_SAMPLES
from tailroom.kit.outside_types import LINE, REPORTED, Line

_INTEGER_MAX = 2**62
Word = Annotated[str, Field(max_length=100), LINE]
Sentence = Annotated[str, Field(max_length=1_000), REPORTED]
Nanoseconds = Annotated[int, Field(ge=0, le=_INTEGER_MAX)]
Number = Annotated[float, Field(ge=-1e18, le=1e18, allow_inf_nan=False)]
Group = Literal["cpu", "core", "disk", "network", "pressure", "memory", "temperature", "power", "observer"]
Unit = Literal["percent", "bytes", "bytes/s", "1/s", "count", "celsius", "watts"]
Relation = Literal["server", "load-generator", "both", "meanwhile"]


class Gauge(BaseModel):
    """A number that is read every second."""

    group: Group
    name: Word
    of: Word = Field("", description="which of several, such as a disk; empty for a single one")
    unit: Unit


class UnknownGauge(BaseModel):
    """A gauge that the machine cannot read, and the reason."""

    group: Group
    reason: Sentence


class ObserverVersion(BaseModel):
    """Version of the observing agent."""

    version: Line
    commit: Line | None = None


class ObservationIn(BaseModel):
    """Announcement of an observation."""

    observation_id: UUID
    host_name: Line
    servers: list[Line] = Field(default_factory=list, max_length=32)
    started_at_unix_ns: Nanoseconds
    clock_error_ns: Nanoseconds | None = Field(
        None, description="error bound of the start; null: by the machine's own clock"
    )
    gauges: list[Gauge] = Field(min_length=1, max_length=OBSERVATION_GAUGES)
    unknown: list[UnknownGauge] = Field(default_factory=list, max_length=100)
    agent: ObserverVersion


class SamplesIn(BaseModel):
    """Consecutive seconds from number `first`; each has a number or null for each gauge."""

    first: Annotated[int, Field(ge=0, le=OBSERVATION_SAMPLES)]
    samples: list[Annotated[list[Number | None], Field(max_length=OBSERVATION_GAUGES)]] = Field(
        min_length=1, max_length=OBSERVATION_BATCH
    )


class SamplesOut(BaseModel):
    """How many seconds of an observation are stored, without gaps."""

    next: int = Field(description="number of the next expected second, counted from 0")


class EndIn(BaseModel):
    """End of an observation after this number of seconds."""

    samples: Annotated[int, Field(ge=0, le=OBSERVATION_SAMPLES)]


class ObservationOut(BaseModel):
    """An observation beside a run or campaign."""

    observation_id: UUID
    host_name: str
    relation: Relation = Field(
        description="role of the machine: measured server, load generator, both, or neither"
    )
    started_at: datetime
    start_ns: int = Field(description="from the start of the run or campaign to the observer's first second")
    seconds: int = Field(description="stored seconds")
    is_live: bool
    clock_error_ns: int | None = Field(description="null: by the machine's own clock, error unknown")
    gauges: list[Gauge]
    unknown: list[UnknownGauge]


class EfficiencyOut(BaseModel):
    """Operations per joule, from `from_ns` to `until_ns` since the start of the run."""

    observation_id: UUID
    host_name: str
    gauge: str = Field(description="processors: energy counters; sensor: power sensors")
    of: list[str] = Field(description="parts that were added up")
    operation: str
    clock: str
    from_ns: int
    until_ns: int
    seconds: int = Field(description="seconds in the mean")
    watts: float
    operations_per_s: float
    operations_per_joule: float


class ObservationsOut(BaseModel):
    """Observations beside a run or campaign, the server's first."""

    observations: list[ObservationOut]
    efficiency: list[EfficiencyOut] = Field(
        description="over the seconds that run and observation share; empty where no watts are known"
    )


class GaugeOut(Gauge):
    """A gauge with mean and maximum of its numbers in each step; null for a step in which it was not read."""

    mean: list[float | None]
    greatest: list[float | None]


class GaugesOut(BaseModel):
    """Numbers of one group; step k begins `offset_ns[k]` after `since` and lasts `step_s` seconds."""

    step_s: int
    offset_ns: list[int]
    gauges: list[GaugeOut]
