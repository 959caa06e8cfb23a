"""Requests and answers of the API about observations."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from tailroom.kit.limits import OBSERVATION_BATCH, OBSERVATION_GAUGES, OBSERVATION_SAMPLES
from tailroom.kit.outside_types import LINE, REPORTED, Line

_MOST = 2**62
Word = Annotated[str, Field(max_length=100), LINE]
Sentence = Annotated[str, Field(max_length=1_000), REPORTED]
Nanoseconds = Annotated[int, Field(ge=0, le=_MOST)]
Number = Annotated[float, Field(ge=-1e18, le=1e18, allow_inf_nan=False)]
Group = Literal["cpu", "core", "disk", "network", "pressure", "memory", "temperature", "power", "observer"]
Unit = Literal["percent", "bytes", "bytes/s", "1/s", "count", "celsius", "watts"]
Relation = Literal["server", "load-generator", "both", "meanwhile"]


class _FromAgent(BaseModel):
    """Unknown fields are ignored, so that a newer agent can talk to an older backend."""

    model_config = ConfigDict(extra="ignore")


class Gauge(_FromAgent):
    """One number that is read every second."""

    group: Group
    name: Word
    of: Word = Field("", description="which of several, such as a disk; empty where there is one")
    unit: Unit


class Untold(_FromAgent):
    """A gauge that the machine cannot read, and the reason."""

    group: Group
    reason: Sentence


class ObserverVersion(_FromAgent):
    """Which agent observes."""

    version: Line
    commit: Line | None = None


class ObservationIn(_FromAgent):
    """An observer begins."""

    observation_id: UUID
    host_name: Line
    servers: list[Line] = Field(default_factory=list, max_length=32)
    started_at_unix_ns: Nanoseconds
    clock_error_ns: Nanoseconds | None = Field(
        None, description="how far the start may be off; none: by the machine's own clock"
    )
    gauges: list[Gauge] = Field(min_length=1, max_length=OBSERVATION_GAUGES)
    unknown: list[Untold] = Field(default_factory=list, max_length=100)
    agent: ObserverVersion


class SamplesIn(_FromAgent):
    """Seconds in order; each has a number for each gauge, or null."""

    first: Annotated[int, Field(ge=0, le=OBSERVATION_SAMPLES)]
    samples: list[Annotated[list[Number | None], Field(max_length=OBSERVATION_GAUGES)]] = Field(
        min_length=1, max_length=OBSERVATION_BATCH
    )


class SamplesOut(BaseModel):
    """The stored seconds."""

    next: int = Field(description="the number of the next second that is expected")


class EndIn(_FromAgent):
    """An observer has ended."""

    samples: Annotated[int, Field(ge=0, le=OBSERVATION_SAMPLES)]


class ObservationOut(BaseModel):
    """An observation beside a run or campaign."""

    observation_id: UUID
    host_name: str
    relation: Relation = Field(
        description="what the machine was for it: the server measured, the load generator, both, or neither"
    )
    started_at: datetime
    start_ns: int = Field(description="from the start of the run or campaign to the observer's first second")
    seconds: int = Field(description="that are stored")
    is_live: bool
    clock_error_ns: int | None = Field(description="none: by the machine's own clock, error unknown")
    gauges: list[Gauge]
    unknown: list[Untold]


class EfficiencyOut(BaseModel):
    """Operations for each joule, which is operations per second for each watt."""

    observation_id: UUID
    host_name: str
    gauge: str = Field(description="processors: counters of energy; sensor: sensors of power")
    of: list[str] = Field(description="what was added up")
    operation: str
    clock: str
    from_ns: int
    until_ns: int
    seconds: int = Field(description="with a number, of which the mean is taken")
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
    """A gauge with its numbers, one for each step."""

    mean: list[float | None]
    greatest: list[float | None]


class GaugesOut(BaseModel):
    """Numbers of one group; step k begins `offset_ns[k]` after `since` and lasts `step_s` seconds."""

    step_s: int
    offset_ns: list[int]
    gauges: list[GaugeOut]
