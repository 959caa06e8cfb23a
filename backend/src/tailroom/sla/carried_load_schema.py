"""API schemas of the question which configurations carry the load of production.

Loads are operations or requests per second.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from tailroom.kit.outside_types import LOOKUP
from tailroom.runs.verdict_schemas import VerdictStrength, VerdictWord
from tailroom.sla.question_schemas import BudgetChoiceIn, SubjectIn
from tailroom.sla.schemas import BudgetEchoOut, SubjectOut

CarriedWord = Literal["yes", "no", "not_shown"]
_Subject = Annotated[str, Field(min_length=1, max_length=300), LOOKUP]


class CarryIn(BaseModel):
    """Which of these subjects would have carried the load that a run of production counted?"""

    model_config = ConfigDict(extra="forbid")

    production: SubjectIn = Field(
        description="a stored run with a time course, such as scrapes of Prometheus"
    )
    subjects: list[_Subject] = Field(
        min_length=1,
        max_length=5,
        description="`run:ID`, `campaign:ID`, `drive:SLUG` (every tested load) or `publication:SLUG#ROW`",
    )
    budget: BudgetChoiceIn
    operations_per_request: Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)] | None = Field(
        None,
        description="judged operations that one request of production takes; null: those of one transaction, "
        "where the budget is about transactions, else 1",
    )


class CountedLoadOut(BaseModel):
    """The requests per second that production counted, over all periods (stretches) and in the busiest.

    `stretches` is the number of periods.
    """

    mean_per_s: float
    busiest_per_s: float = Field(description="mean of the busiest stretch")
    busiest_start_ns: int = Field(description="since the start of the record")
    busiest_duration_ns: int
    stretches: int
    text: str


class CarriedTestOut(BaseModel):
    """Whether one record, at the load at which it was taken, shows that the load of production is carried.

    `verdict` is that on the record at its own load.
    """

    subject: SubjectOut
    carried: CarriedWord
    text: str
    measured_per_s: float | None = Field(
        description="answered operations per second in this record; null where not on record"
    )
    verdict: VerdictWord
    strength: VerdictStrength | None


class CarriedSubjectOut(BaseModel):
    """Whether a run, a campaign, a drive or a published row carries the load, by all its tests together."""

    subject: str = Field(description="as requested, e.g. `run:ID`")
    label: str
    carried: CarriedWord
    text: str
    tests: list[CarriedTestOut]


class CarriedOut(BaseModel):
    """For each subject, whether it would have carried the load of production. Loads are per second."""

    answer: str
    load: CountedLoadOut
    operations_per_request: float
    needed_per_s: float = Field(description="judged operations in the busiest stretch")
    production: SubjectOut
    subjects: list[CarriedSubjectOut]
    assumptions: list[str]
    budget: BudgetEchoOut
