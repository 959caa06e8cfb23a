"""API schemas of units (drives or agents) compared with the other units, their siblings.

Times are integer nanoseconds, ratios are to the siblings.
"""

from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.domain.verdicts.budget_kinds import Clock

UnitEffect = Literal["better", "worse", "same", "open"]


class DeviationOut(BaseModel):
    """One quantity of a unit compared with that of its siblings, both in the unit of the quantity."""

    quantity: str
    label: str = Field(description="the quantity in words, such as p99")
    value: float
    siblings: float = Field(description="geometric mean of the siblings; of failed operations their median")
    ratio: float | None = Field(description="null where the siblings have none of it")
    ratio_lower: float | None
    ratio_upper: float | None
    effect: UnitEffect


class CauseOut(BaseModel):
    """A fact of the inventory in which a unit differs from its siblings: a possible cause, not a proven one.

    `siblings` is the number of siblings that state the fact and do not stand out.
    """

    name: str
    value: str
    usual: str = Field(description="the value of most siblings, of measured facts their median")
    same_siblings: int = Field(description="siblings that do not stand out and have the value of the unit")
    siblings: int
    odd_units: int = Field(description="units that stand out and have this value")


class SiblingUnitOut(BaseModel):
    """A drive or the whole run of an agent, compared with its siblings; `measured_ns` is 0 if not judged."""

    name: str
    agent: str
    device: str | None = Field(description="null where the unit is the whole run of its agent")
    run_id: UUID
    measured_ns: int
    effect: UnitEffect
    reason: str = Field(description="why it was not judged; empty where it was")
    deviations: list[DeviationOut]
    causes: list[CauseOut] = Field(description="the rarest among the siblings first")


class NotMeasuredOut(BaseModel):
    """An agent without a finished run of the phase."""

    agent: str
    reason: str = Field(description="such as what it refused, or that it was lost")


class SiblingLevelOut(BaseModel):
    """Level and spread of one quantity over the units that do not stand out.

    `level` is their geometric mean, in the unit of the quantity; `units` counts all units compared.
    """

    quantity: str
    units: int
    level: float
    spread_ratio: float = Field(description="standard deviation of the siblings, as a share of the level")
    shown_ratio: float = Field(
        description="a difference of this share of the level is shown in nine of ten cases"
    )


class SiblingsOut(BaseModel):
    """Every unit of a phase compared with the other units.

    `title` is that of the first campaign; `worse` and `better` are numbers of units. `effect` is `better` if
    a unit is better and none worse, `same` if none stands out.
    """

    answer: str
    title: str
    campaign_ids: list[UUID]
    phase: str
    phases: list[str]
    operation: str | None = Field(description="null where nothing was measured")
    operations: list[str]
    clock: Clock | None
    effect: UnitEffect = Field(description="worse: a unit is worse; open: the fleet cannot be judged")
    worse: int
    better: int
    not_judged: int = Field(description="units without a result, and agents that were not measured")
    error: float = Field(description="chance that any unit of an even fleet is called different")
    smallest_ratio: float = Field(description="smaller differences do not count")
    levels: list[SiblingLevelOut]
    units: list[SiblingUnitOut] = Field(
        description="those that stand out first, the largest difference first"
    )
    not_measured: list[NotMeasuredOut] = Field(description="agents without a unit")
    method_version: int
