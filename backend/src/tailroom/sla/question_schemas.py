"""API schemas of questions about SLAs.

Times are integer nanoseconds, ratios between 0 and 1, rates per second.
"""

from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, model_validator

from tailroom.budgets.schemas import BudgetDocument, Name, Number, Objective, OperationName, WholeNumber
from tailroom.domain.verdicts.budget_kinds import Clock
from tailroom.kit.limits import MATCH_RUNS
from tailroom.kit.outside_types import LOOKUP, Cursor

Detail = Literal["display", "full"]
SubjectKind = Literal["run", "upload", "campaign", "drive_test", "publication", "distribution"]
"""`campaign`: the sum of the runs of several agents; `drive_test`: a run or document about a drive under a
fixed load; `publication`: published figures of a database.
"""


class _QuestionIn(BaseModel):
    """Base of the schemas of questions, which refuse unknown fields."""

    model_config = ConfigDict(extra="forbid")


class SubjectIn(_QuestionIn):
    """The subject of a question: exactly one of run, publication, drive test and sent distribution."""

    run_id: UUID | None = None
    publication: Annotated[str, LOOKUP] | None = Field(
        None,
        min_length=1,
        max_length=300,
        description="`publication:SLUG#ROW`, as comparisons name it",
    )
    drive_test: Annotated[str, LOOKUP] | None = Field(
        None,
        min_length=1,
        max_length=300,
        description="id of a tested load, as the page of a drive lists it; judged on its own clock",
    )
    operation: OperationName | None = Field(
        None,
        description="the series to judge as the budget's operation; default: the series of that name. Where "
        "several fit a budget about the record's own `operation`, this chooses",
    )
    clock: Clock | None = Field(None, description="default is response where it was measured, else service")
    distribution: dict[str, Any] | None = Field(
        None,
        description="distribution document (docs/contracts): layout with counts, knots, or percentiles",
    )

    @model_validator(mode="after")
    def _one_of_four(self) -> Self:
        if [self.run_id, self.publication, self.drive_test, self.distribution].count(None) != 3:
            raise ValueError(
                "name a run (`run_id`), a `publication` or a `drive_test`, or send a `distribution`: one of "
                "the four"
            )
        if self.drive_test is not None and (self.operation or self.clock):
            raise ValueError(
                "a tested load has its own operation and clock; leave `operation` and `clock` out"
            )
        if self.distribution is not None and self.clock is not None:
            raise ValueError("a distribution names its clock itself; `clock` chooses among those of a run")
        return self


class BudgetChoiceIn(_QuestionIn):
    """The budget of a question: exactly one of a name, a document, and an objective in one line.

    A name without a version means its newest version.
    """

    name: Name | None = None
    version: WholeNumber | None = None
    document: BudgetDocument | None = None
    objective: Objective | None = None

    @model_validator(mode="after")
    def _one_of_three(self) -> Self:
        if [self.name, self.document, self.objective].count(None) != 2:
            raise ValueError(
                "name a budget (`name`), or send a `document` or an `objective`: one of the three"
            )
        if self.name is None and self.version is not None:
            raise ValueError("`version` chooses among those of a name")
        return self


class EvaluateIn(_QuestionIn):
    """Does this record meet that budget?"""

    subject: SubjectIn
    budget: BudgetChoiceIn
    detail: Detail = Field(
        "display",
        description="display: fast enough for a slider, bounds a little wider; full: as verdicts are made",
    )


class RelaxIn(_QuestionIn):
    """Which least change of the budget lets this record pass?"""

    subject: SubjectIn
    budget: BudgetChoiceIn


class MatchIn(_QuestionIn):
    """Which configurations meet a budget, of the organisation and of publications?"""

    budget: BudgetChoiceIn
    published: Annotated[bool, Field(strict=True)] = Field(
        True, description="also public tests of drives, and figures of documents"
    )
    kinds: list[SubjectKind] | None = Field(
        None, min_length=1, max_length=6, description="only records of these kinds; default: of all"
    )
    runs: list[UUID] | None = Field(
        None,
        min_length=1,
        max_length=MATCH_RUNS,
        description="only these runs of the organisation, simulated ones too; without publications",
    )
    limit: Annotated[int, Field(strict=True, ge=1, le=200)] = 50
    cursor: Cursor | None = None


class SizeIn(_QuestionIn):
    """How many nodes does a target of transactions per second need?

    Writes count only with `writes_per_s`; data only with `data_bytes`, `usable_capacity_bytes` and
    `fill_ratio` together.
    """

    budget: BudgetChoiceIn
    subject: SubjectIn
    target_transactions_per_s: Number
    headroom_ratio: Number = Field(0.7, description="planned share of a node's proven load")
    tolerated_failures: WholeNumber = Field(0, description="nodes that may fail without harm")
    replication_factor: WholeNumber = Field(1, description="copies of every record")
    writes_per_s: Number | None = None
    writes_per_s_per_node: Number | None = Field(None, description="proven for one node; null: unknown")
    data_bytes: WholeNumber | None = None
    usable_capacity_bytes: WholeNumber | None = Field(None, description="of one node")
    fill_ratio: Number | None = Field(None, description="share of the capacity to fill at most")
