"""API schemas of agents and campaigns."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from tailroom.budgets.schemas import Objective
from tailroom.kit.limits import (
    AGENT_WAIT_SECONDS,
    CAMPAIGN_AGENTS,
    CAMPAIGN_OBJECTIVES,
    CAMPAIGN_PLAN_CHARACTERS,
)
from tailroom.kit.outside_types import REPORTED, TEXT, FiniteFloat, Line, Name, RequestBody

_MOST = 2**62
Sentence = Annotated[str, Field(max_length=1_000), REPORTED]
Nanoseconds = Annotated[int, Field(ge=0, le=_MOST)]
Rate = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]
PhaseNumber = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,4}$")]
Step = Literal["preparing", "ready", "loading", "armed", "running", "measured", "ended", "failed"]
OnLost = Literal["end", "degrade"]
Load = Annotated[float, Field(gt=0, le=1e12, allow_inf_nan=False)]


class _CampaignFromAgent(BaseModel):
    """Base of the schemas of requests from agents: unknown fields are ignored, as agents may be newer."""

    model_config = ConfigDict(extra="ignore")


class AgentVersionIn(_CampaignFromAgent):
    """Version and commit of the agent."""

    version: Line
    commit: Line | None = None


class EnrolmentIn(_CampaignFromAgent):
    """Request of a machine to become an agent, with an enrolment code."""

    code: Line
    name: Line
    version: AgentVersionIn
    public_key: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9+/]{43}=$")] = Field(
        description="Ed25519, base64; the other half stays on the machine"
    )
    inventory: dict[str, Any] = Field(default_factory=dict)


class EnrolledOut(BaseModel):
    """The result of an enrolment: the agent's id, the id of its credential, and the key of its commands."""

    agent_id: UUID
    credential_id: UUID = Field(description="named by the signature for a short token")
    public_key: str = Field(description="Ed25519, base64: commands are signed with it")


class ExplainedPhaseIn(_CampaignFromAgent):
    """A phase of a plan as an agent reads it, like the output of `tailroom-agent explain`.

    `ramp_s` are the seconds of rising load before the phase starts. The phase ends after `operations`; null
    if time ends it.
    """

    name: Line
    duration_s: Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)] | None = None
    ramp_s: Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)] = 0
    operations: Annotated[int, Field(ge=0, le=2**63 - 1)] | None = None
    operations_per_s: dict[Line, Rate | None] = Field(default_factory=dict, max_length=32)
    transactions_per_s: Rate | None = None
    by_agent: list[dict[str, Any]] | None = Field(
        None, description="the part of each agent: two that divide a plan differently read it differently"
    )


class SliceReportIn(_CampaignFromAgent):
    """Operations in one slice of a probe on one agent; `late` of `all` reached the limit of the objective."""

    late: Annotated[int, Field(ge=0, le=_MOST)]
    all: Annotated[int, Field(ge=0, le=_MOST)]
    failed: Annotated[int, Field(ge=0, le=_MOST)]
    is_unreliable: bool = Field(description="the load generator was late or busy")


class ProbeReportIn(_CampaignFromAgent):
    """Report of an agent about a probe, the measurement of one load in a load search; phases count from 0.

    `search_ended` is a word for the reason why the search has ended with this probe, else null.
    """

    phase: Annotated[int, Field(ge=0, le=1_000)]
    load_per_s: Annotated[float, Field(gt=0, le=1e12, allow_inf_nan=False)] = Field(
        description="of all agents together"
    )
    slices: list[SliceReportIn] | None = Field(
        None, max_length=4_000, description="once the probe is measured"
    )
    search_ended: Annotated[str, StringConstraints(pattern=r"^[a-z-]{1,40}$")] | None = None


class JobIn(_CampaignFromAgent):
    """State of an agent's job: step, phase (from 0), run of each phase, why it failed or was cut off."""

    campaign_id: UUID
    step: Step
    phase: Annotated[int, Field(ge=0, le=1_000)] | None = None
    phases: list[ExplainedPhaseIn] | None = Field(None, min_length=1, max_length=200)
    runs: dict[PhaseNumber, UUID] = Field(default_factory=dict, max_length=200)
    probe: ProbeReportIn | None = Field(None, description="the last, where it searches for the highest load")
    reason: Sentence | None = None
    interrupted: bool = Field(
        False,
        description="it was killed, or ended because this backend was away",
    )


class RefusalIn(_CampaignFromAgent):
    """A command that the agent refused, with the reason."""

    campaign_id: UUID | None = None
    sentence: Sentence


class PollIn(_CampaignFromAgent):
    """Request of an agent for work, with its state. Waits are in seconds."""

    version: AgentVersionIn
    inventory: dict[str, Any] | None = None
    wait_s: Annotated[int, Field(ge=0, le=25)] = 0
    longest_wait_s: Annotated[int, Field(ge=0, le=AGENT_WAIT_SECONDS)] = Field(
        0,
        description="wait of agents that accept blanks before an answer; the longer of both waits counts",
    )
    clock_error_ns: Nanoseconds | None = None
    wall_clock_ahead_ns: Annotated[int, Field(ge=-_MOST, le=_MOST)] | None = None
    knows: list[Line] = Field(
        default_factory=list,
        max_length=200,
        description="features of plans that older agents do not know, or ignore",
    )
    job: JobIn | None = None
    refusals: list[RefusalIn] = Field(default_factory=list, max_length=50)


class CommandOut(BaseModel):
    """A command as JSON text, and its signature in Base64."""

    text: str
    signature: str


class PollOut(BaseModel):
    """The next orders of an agent, each a signed command; none if nothing is to do."""

    commands: list[CommandOut]
    again_in_ms: int | None = Field(
        None, description="an agent at work asks again after this time; null: at its own pace"
    )


class ClockOut(BaseModel):
    """Time of the backend in ns since 1970."""

    unix_ns: int


class EnrolmentCodeOut(BaseModel):
    """A code that enrols one agent, once."""

    code: str
    expires_at: datetime


class RefusalOut(BaseModel):
    """A command that an agent refused, with the reason."""

    at: datetime
    sentence: str


class ServingAgentOut(BaseModel):
    """An agent that polls for work, and its host. The figures of its clock are null if they are not known."""

    agent_id: UUID
    name: str
    version: str
    enrolled_at: datetime
    seen_at: datetime
    present: bool = Field(description="it asked within the last minute")
    clock_error_ns: int | None = Field(description="largest error of its estimate of this clock")
    wall_clock_ahead_ns: int | None = Field(description="how far the clock of its machine is ahead")
    inventory: dict[str, Any]
    campaign_id: UUID | None = Field(description="that it takes part in now")
    campaign_title: str | None
    refusals: list[RefusalOut]


class ServingAgentsOut(BaseModel):
    """The agents of the organisation, by name."""

    agents: list[ServingAgentOut]


class SearchIn(RequestBody):
    """A search for the highest load at which an objective holds (docs/load-search.md).

    `probe_s` is the length of a probe in seconds, `warm_up_s` that of the same load before it, which is not
    recorded.
    """

    objective: Objective
    phase: Line | None = Field(None, description="of the plan; needed where it has several")
    start_per_s: Load | None = Field(
        None, description="first load of all agents together; else that of the plan"
    )
    top_per_s: Load | None = Field(None, description="no load is higher")
    precision: Annotated[float, Field(ge=0.001, le=1)] = Field(
        0.05,
        description="the search ends once the lowest load that fails is at most this share above the highest"
        " that holds",
    )
    probes: Annotated[int, Field(ge=2, le=50)] = Field(
        8, description="most probes after a load has held and another has not"
    )
    most_s: Annotated[float, Field(gt=0, le=86_400)] = Field(
        1_800, description="no probe begins after so many seconds of measuring"
    )
    probe_s: Annotated[int, Field(ge=2, le=3_600)] = 20
    warm_up_s: Annotated[int, Field(ge=0, le=3_600)] = 3


class CampaignIn(RequestBody):
    """A campaign to begin: plan, target and agents."""

    title: Name
    plan: Annotated[str, Field(min_length=1, max_length=CAMPAIGN_PLAN_CHARACTERS), TEXT] = Field(
        description="as for `tailroom-agent explain`: TOML, or a property file of YCSB"
    )
    target: Line = Field(description="the server, as every agent reaches it; without a password")
    agents: list[UUID] = Field(min_length=1, max_length=CAMPAIGN_AGENTS)
    on_lost: OnLost = Field(
        "end", description="effect of a lost agent: the campaign ends, or continues without it"
    )
    objectives: list[Objective] = Field(
        default_factory=list, max_length=CAMPAIGN_OBJECTIVES, description="that its phases are judged by"
    )
    search: SearchIn | None = Field(
        None, description="find the highest load instead of measuring the phases of the plan"
    )
    seed: Annotated[int, Field(ge=0, le=2**53)] = 1


class CampaignAgentOut(BaseModel):
    """An agent of a campaign, with the state of its part.

    `step` and `phase` (from 0) are as it reported them last, null before. `reason` is why it was lost or
    failed.
    """

    agent_id: UUID
    name: str
    state: Literal["offered", "active", "lost", "done"]
    step: Step | None
    phase: int | None
    version: str
    seen_at: datetime
    clock_error_ns: int | None
    lost_at: datetime | None
    reason: str | None
    runs: dict[Line, UUID] = Field(description="its run of each phase, by the phase's number")


class LostOut(BaseModel):
    """An agent that was lost in a phase, with time and reason."""

    agent: str
    at: datetime
    reason: str


class CampaignProbeOut(BaseModel):
    """The probe of a load search (the measurement of one load) in a phase; `step` is its number from 1."""

    step: int
    load_per_s: float = Field(description="of all agents together")
    objective: Line
    ended: str | None = Field(description="why the search has ended with it")


class CampaignPhaseOut(BaseModel):
    """A phase of a campaign, numbered from 0; `ramp_s` are the seconds of rising load before `start_at`."""

    number: int
    name: str
    kind: Literal["load", "warm-up", "measure"]
    duration_s: float | None
    ramp_s: float
    operations_per_s: dict[Line, FiniteFloat | None] = Field(
        description="asked of all agents together, by operation; null: as fast as the server answers"
    )
    transactions_per_s: float | None = Field(description="asked of all agents together; null without any")
    probe: CampaignProbeOut | None = Field(description="where the campaign searches for the highest load")
    state: Literal["waiting", "running", "ended", "stopped", "skipped"] = Field(
        description="`stopped`: the campaign ended while it was measured"
    )
    start_at: datetime | None = Field(description="when it begins on every agent")
    apart_ns: int | None = Field(
        description="largest difference between the starts of two agents, by the errors of their clocks"
    )
    agents: list[str]
    lost: list[LostOut]
    run_id: UUID | None = Field(description="the run of all agents together")
    merged: list[str] = Field(description="agents whose runs are in it")
    remarks: list[str] = Field(description="limits of its result")


class WaitingForOut(BaseModel):
    """The agents that an interrupted search waits for, and the time limit."""

    agents: list[str] = Field(description="that are away; the search continues once all are back")
    since: datetime
    until: datetime = Field(description="it ends then, if they are not back")


class CampaignOut(BaseModel):
    """A campaign with its agents and phases; phases are empty until an agent has sent them.

    `outcome` is null until it has ended. `reason` is why it was not completed, or which agents were lost,
    else null.
    """

    campaign_id: UUID
    title: str
    plan: str
    target: str
    seed: int
    on_lost: OnLost
    objectives: list[Line]
    search: SearchIn | None
    state: Literal["preparing", "loading", "running", "ended"]
    outcome: Literal["completed", "stopped", "failed"] | None
    reason: str | None
    created_at: datetime
    ended_at: datetime | None
    stop_requested: bool
    waiting_for: WaitingForOut | None = Field(description="while a search waits for a lost agent")
    repeat_of: UUID | None
    agent_count: int
    agents: list[CampaignAgentOut] = Field(description="in a list of campaigns the first eight")
    phases: list[CampaignPhaseOut]


class CampaignsOut(BaseModel):
    """The latest campaigns of the organisation, newest first."""

    campaigns: list[CampaignOut]
