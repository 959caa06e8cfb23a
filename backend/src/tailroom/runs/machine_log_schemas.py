"""API schemas of logs of iostat, sar, mpstat and vmstat that cover the time of a run.

Units: integer nanoseconds since the start of the run. A clock is how a log or run states its start: with a
time zone, or as a local time.
"""

from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

ClockWord = Literal["zone", "local", "unknown"]


class DeviceOut(BaseModel):
    """A device's largest busy percentage and queue length, as printed; null if the log has none."""

    device: str
    busy_percent_max: str | None
    queue_length_max: str | None


class MachineCourseOut(BaseModel):
    """A quantity of a device or of the machine (`subject`) over time; entry i of each list is period i.

    `start_ns` counts from the start of the run, negative before it. The value of a period is the largest that
    the log prints in it.
    """

    subject: str
    quantity: str = Field(
        description="`device_busy_percent`, `queue_length`, `device_wait_ms`, `cpu_busy_percent`, "
        "`cpu_iowait_percent`, `memory_used_percent`, `network_kb_per_s`"
    )
    start_ns: list[int]
    duration_ns: list[int]
    values: list[float]


class LogBesideOut(BaseModel):
    """A log of what the machine did during a run; the log is itself the run `run_id`."""

    run_id: UUID
    title: str
    host_name: str | None
    same_host: bool | None = Field(description="null: one of the two does not name its machine")
    came_together: bool = Field(description="log and run are from one upload")
    clock: ClockWord = Field(
        description="`zone`: both clocks have a zone; `local`: both print local times, assumed equal; "
        "`unknown`: neither"
    )
    start_ns: int | None = Field(description="from the start of the run; negative before it")
    duration_ns: int
    shared_ns: int | None = Field(description="time of the run that the log covers")
    devices: list[DeviceOut]
    courses: list[MachineCourseOut] = Field(
        description="its values during the run; empty where the clocks cannot be compared"
    )


class LogsBesideOut(BaseModel):
    """Machine logs in order of time, at most 20; only for the owner of the run.

    For a run that is itself a machine log, it is the only log; without values over time there is none.
    """

    logs: list[LogBesideOut]
