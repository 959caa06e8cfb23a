"""Metadata of all tables, complete where this module is imported (migrations, schema tests)."""

from tailroom.storage import (  # noqa: F401 - each module declares its tables
    access_token,
    audit,
    backup_made,
    board_edition,
    budget,
    campaign,
    catalogue,
    chain,
    drive_test,
    interval,
    invitation,
    objection,
    observation,
    organisation,
    person,
    price_list,
    quota,
    run,
    run_link,
    run_picture,
    saved_item,
    series,
    slices,
    suggestion,
    table_revision,
    tombstone,
    trail,
    upload,
    verdicts,
    watch,
    work,
)
from tailroom.storage.base import Base

METADATA = Base.metadata
"""Metadata with every table, because this module imports all models."""
