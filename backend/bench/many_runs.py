"""Copy a measured and judged run many times by SQL, for measurements of lists.

    copies(session, template, organisation_id, 50)                    with everything that belongs to a run
    copies(session, template, organisation_id, 1_000_000, in_full=False)    the rows of the run table alone

The copies started at one-second intervals in the past; a newer copy has a higher ID.
"""

from uuid import UUID

from sqlalchemy import text
from sqlalchemy.orm import Session

from tailroom.storage.registry import METADATA

CHILDREN = ("series", "slice", "rollup_state", "analysis_state", "verdict", "run_finding", "run_picture")
_TABLES = METADATA.tables


def copies(
    session: Session, template: UUID, organisation_id: UUID, count: int, *, in_full: bool = True
) -> list[UUID]:
    """Copy a run for an organisation; return the copies' IDs, newest first, or none if not `in_full`."""
    session.execute(
        text(
            "CREATE TEMPORARY TABLE copy_of_run ON COMMIT DROP AS SELECT uuidv7(-n * interval '1 second') AS"
            " new_id, n FROM generate_series(1, :count) AS n"
        ),
        {"count": count},
    )
    for name in ("run", *(CHILDREN if in_full else ())):
        replaced = {"run_id": "copy_of_run.new_id", "organisation_id": ":organisation_id"}
        if name == "run":
            replaced["started_at"] = "now() - copy_of_run.n * interval '1 second'"
        if name == "run_picture":
            named = "convert_from(original.body, 'UTF8'), original.run_id::text, copy_of_run.new_id::text"
            replaced["body"] = f"convert_to(replace({named}), 'UTF8')"
        if name == "verdict":
            replaced["verdict_id"] = "uuidv7()"
        columns = list(_TABLES[name].columns.keys())
        values = [replaced.get(column, f"original.{column}") for column in columns]
        session.execute(
            text(
                f"INSERT INTO {name} ({', '.join(columns)}) SELECT {', '.join(values)}"  # noqa: S608
                f" FROM {name} AS original CROSS JOIN copy_of_run WHERE original.run_id = :template"
            ),
            {"template": template, "organisation_id": organisation_id},
        )
    new_ids = list(session.scalars(text("SELECT new_id FROM copy_of_run ORDER BY n"))) if in_full else []
    session.execute(text("DROP TABLE copy_of_run"))
    return new_ids
