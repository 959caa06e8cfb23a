"""API schemas of editions of the leaderboard."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from tailroom.ratings.schemas import DriveNameOut, LeaderboardOut, WithdrawnTestOut


class EditionSummaryOut(BaseModel):
    """An edition without its rows; `rows` is their number."""

    name: str = Field(description="the quarter, such as `2026-Q4`")
    made_at: datetime
    rows: int
    content_sha256: str = Field(description="of the body of the edition, byte for byte")


class EditionsOut(BaseModel):
    """All editions, the latest first."""

    items: list[EditionSummaryOut]


class EditionOut(BaseModel):
    """The public leaderboard as of `made_at`; it never changes."""

    name: str
    made_at: datetime
    board: LeaderboardOut


class EditionChangeOut(BaseModel):
    """A change of a row between two boards.

    `before` and `after` are texts of its rating, rank or standing.
    """

    row_id: str
    drive: DriveNameOut
    capacity_bytes: int | None
    kind: Literal["added", "removed", "rating", "rank", "standing"]
    before: str | None = Field(description="null: not on the earlier board")
    after: str | None = Field(description="null: not on the later board")


class EditionChangesOut(BaseModel):
    """Changes from the edition `since` to a later one, `until`."""

    since: str
    until: str = Field(description="`living`: the board of this moment")
    changes: list[EditionChangeOut]
    withdrawn: list[WithdrawnTestOut] = Field(description="withdrawn after the earlier board")
