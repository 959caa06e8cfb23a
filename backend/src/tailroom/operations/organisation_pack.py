"""The pack of an organisation: which tables and parts it has, and its manifest.

Rows are JSON as PostgreSQL writes and reads it, so numbers, times and bytes are equal bit for bit. Ids stay
the same. Credentials are left out.
"""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

import msgspec

FORMAT = 1
ROWS_AT_ONCE = 500
MANIFEST, MEMBERS, ORGANISATION = "manifest.json", "members.json", "organisation.json"
_RUNS = "(SELECT run_id FROM run WHERE organisation_id = :id)"
OWNED = "organisation_id = :id"
"""SQL condition for rows that name the organisation."""
_OF_ITEMS = "item_id IN (SELECT item_id FROM catalogue_item WHERE organisation_id = :id)"
TABLES: Mapping[str, str] = {
    "budget": OWNED,
    "price_list": OWNED,
    "catalogue_item": OWNED,
    "catalogue_alias": _OF_ITEMS,
    "catalogue_fact": _OF_ITEMS,
    "raw_file": OWNED,
    "upload": OWNED,
    "upload_file": OWNED,
    "run": OWNED,
    "series": f"run_id IN {_RUNS}",
    "interval": f"run_id IN {_RUNS}",
    "slice": f"run_id IN {_RUNS}",
    "rollup_state": f"run_id IN {_RUNS}",
    "analysis_state": f"run_id IN {_RUNS}",
    "verdict": f"run_id IN {_RUNS}",
    "run_finding": f"run_id IN {_RUNS}",
    "run_source": f"run_id IN {_RUNS}",
    "run_picture": f"run_id IN {_RUNS}",
    "chain": OWNED,
    "chain_hop": f"run_id IN {_RUNS}",
    "observation": OWNED,
    "observation_part": OWNED,
    "campaign": OWNED,
    "campaign_member": OWNED,
    "watch": OWNED,
    "watch_result": f"run_id IN {_RUNS}",
    "tombstone": OWNED,
    "trail_event": OWNED,
}
"""Exported tables with their SQL conditions; a table comes before the tables that refer to it."""
LEFT_OUT = frozenset(
    {
        "access_token",
        "alert",
        "browser_session",
        "catalogue_suggestion",  # decided by the installation
        "command_key",
        "drive_test",  # worked out again from the runs
        "test_judgement",
        "enrolment_code",
        "invitation",
        "quota",  # of the installation
        "objection",  # to tests of this installation
        "membership",  # as members.json: people belong to their installation
        "rated_run",
        "run_link",
        "serving_agent",
        "work",
        "work_turn",
    }
)
"""Tables that are not exported: credentials, work in progress, and results that are computed again."""


class OrganisationPackRefused(Exception):
    """The pack cannot be exported or imported. No rows are changed; files may be stored already."""


class PackManifest(msgspec.Struct, frozen=True):
    """Manifest of a pack. Written last: a file without it is no pack."""

    format: int
    made_at: datetime
    product_version: str
    schema_revision: str
    """Alembic revision of the exporting database; empty if it has none."""
    organisation_id: UUID
    organisation: str
    """Name of the organisation."""
    rows: dict[str, int]
    """Number of rows by table."""
    sha256: dict[str, str]
    """SHA-256 of each part of the pack in hexadecimal, by the part's name."""
    files_missing: tuple[str, ...]
    """SHA-256 in hexadecimal of uploaded files that the store did not have."""


class PackMember(msgspec.Struct, frozen=True):
    """A member of the exported organisation; importing it gives no access."""

    email: str
    name: str
    role: str
    """`owner`, `admin`, `engineer` or `viewer`."""
