"""API schemas of chains: linked runs of one test, each measured at another layer.

Times are in nanoseconds, quantiles between 0 and 1.
"""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from tailroom.analysis.schemas import QuantilePointOut
from tailroom.domain.verdicts.budget_kinds import Clock
from tailroom.kit.outside_types import Lookup, Name

Layer = Literal["device", "server", "database", "network"]
LAYERS: tuple[Layer, ...] = ("device", "server", "database", "network")
"""Layers from the inside out: the time of each includes that of the previous layer."""


class ChainHopIn(BaseModel):
    """A run of a chain (a hop), and the layer at which it was measured."""

    model_config = ConfigDict(extra="forbid")

    layer: Layer
    run_id: UUID
    operation: Lookup | None = Field(None, description="by default reads, or the first of the run")


class ChainIn(BaseModel):
    """Runs of one test, each of another layer; a person who sends them confirms that they belong together."""

    model_config = ConfigDict(extra="forbid")

    title: Name
    hops: list[ChainHopIn] = Field(min_length=2, max_length=len(LAYERS))


class ChainRunOut(BaseModel):
    """A run of a chain, stored or proposed, and the layer at which it was measured.

    `operation` is that stored with the chain; null: reads, or the first of the run. Beside a curve it is the
    operation of the curve.
    """

    layer: Layer
    run_id: UUID
    title: str
    operation: str | None = None


class ChainListedOut(BaseModel):
    """A chain without deleted runs. `confirmed_by` is `campaign` if all runs are of one campaign."""

    chain_id: UUID
    title: str
    confirmed_by: Literal["person", "campaign"]
    created_at: datetime
    runs: list[ChainRunOut] = Field(description="innermost layer first")


class ChainsOut(BaseModel):
    """The newest chains of the organisation."""

    chains: list[ChainListedOut]


class ProposedRunOut(ChainRunOut):
    """A run that may belong to the chain of another run."""

    reasons: list[str] = Field(description="common properties: campaign, host, device, time")


class ProposalOut(BaseModel):
    """Runs that may belong together; they are linked only when the chain is sent."""

    runs: list[ProposedRunOut] = Field(description="innermost layer first, with the run of the request")
    complete: bool = Field(description="at least two layers")


class AddedOut(BaseModel):
    """Bounds in nanoseconds of the time that a hop adds to the hop inside it, at one quantile; null:
    unbounded.

    `lower_ns` to `upper_ns` bounds the difference of both curves at this quantile. `least_ns` to `most_ns`
    bounds this quantile of the added time itself, whatever the dependence between the hops.
    """

    quantile: float = Field(description="of both curves, and of the added time")
    lower_ns: float | None = Field(
        description="difference of both curves at this quantile; below 0: the inner hop may be slower"
    )
    upper_ns: float | None
    least_ns: float = Field(description="lower bound of this quantile of the added time")
    most_ns: float | None = Field(description="upper bound of this quantile of the added time; null: open")
    contradicts: bool = Field(
        description="whether the inner hop is slower for certain, so that both time different operations"
    )


class ChainHopOut(ChainRunOut):
    """A run of a chain with its latency curve.

    `clock` is which time was measured: `response` from the intended start, `service` from the submission,
    `queue` between both, `operation` if the source does not state which.
    """

    clock: Clock
    curve: list[QuantilePointOut]
    added: list[AddedOut] = Field(description="to the hop inside it; empty for the innermost")


class ChainOut(BaseModel):
    """A chain with the latency curves of its runs.

    `sentence` is the result at p99, `warning` says that percentiles do not add. `notes` name different clocks
    (kinds of measured time), and runs that are faster than the run inside them.
    """

    chain_id: UUID
    title: str
    confirmed_by: Literal["person", "campaign"]
    created_at: datetime
    sentence: str
    warning: str
    hops: list[ChainHopOut]
    notes: list[str]
