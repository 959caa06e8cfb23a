"""Row-level security: transactions of an organisation use a role that reads only its rows and shown runs.

Policies compare columns with settings of the transaction and have no subqueries (docs/adr/0024). The role is
created for the whole cluster if it is missing. It is granted rights on each table individually, so that
partitions cannot be read around the policies of their table.
"""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

ROLE = "tailroom_member"
OWN = "organisation_id = current_setting('tailroom.organisation_id')::uuid"
SHOWN = "run_id = ANY (current_setting('tailroom.shown_runs')::uuid[])"
CHILDREN = ("series", "interval", "slice", "rollup_state", "analysis_state", "verdict", "run_finding")
PRIVATE = (
    "run_source",
    "rated_run",
    "budget",
    "raw_file",
    "upload",
    "upload_file",
    "work",
    "work_turn",
    "tombstone",
)
SECURED = ("run", *CHILDREN, *PRIVATE, "drive_test", "catalogue_item")
WRITABLE = (*SECURED, "catalogue_alias", "catalogue_fact", "rating_revision")
READABLE = ("publication", "claim", "publication_finding", "reference_state")


def upgrade() -> None:
    """Create the role and the policies; no row changes."""
    op.execute(
        f"DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{ROLE}') THEN"
        f" CREATE ROLE {ROLE} NOLOGIN; END IF;"
        " EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;"
        " WHEN insufficient_privilege THEN RAISE insufficient_privilege USING MESSAGE ="
        f" 'the role {ROLE} is missing, and this user may not make it', HINT = 'As a superuser: CREATE ROLE"
        f" {ROLE} NOLOGIN; GRANT {ROLE} TO ' || current_user; END $$"
    )
    op.execute(
        f"DO $$ BEGIN IF NOT pg_has_role(current_user, '{ROLE}', 'MEMBER') THEN"
        f" EXECUTE format('GRANT {ROLE} TO %I', current_user); END IF; END $$"
    )
    op.execute(f"GRANT USAGE ON SCHEMA public TO {ROLE}")
    for table in WRITABLE:
        op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {ROLE}")
    for table in READABLE:
        op.execute(f"GRANT SELECT ON {table} TO {ROLE}")
    for table in SECURED:
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        op.execute(f"CREATE POLICY own ON {table} TO {ROLE} USING ({OWN})")
    for table in CHILDREN:
        op.execute(f"CREATE POLICY shown ON {table} FOR SELECT TO {ROLE} USING ({SHOWN})")
    # An organisation's row is locked while rows of a limited number are added.
    op.execute(f"GRANT SELECT, UPDATE ON organisation TO {ROLE}")
    op.execute("ALTER TABLE organisation ENABLE ROW LEVEL SECURITY")
    op.execute(
        f"CREATE POLICY own ON organisation TO {ROLE}"
        " USING (id = current_setting('tailroom.organisation_id')::uuid)"
    )
    op.execute(f"CREATE POLICY shown ON run FOR SELECT TO {ROLE} USING (visibility <> 'private')")
    op.execute(
        f"CREATE POLICY shown ON drive_test FOR SELECT TO {ROLE}"
        " USING (organisation_id IS NULL OR visibility <> 'private')"
    )
    op.execute(f"CREATE POLICY shown ON catalogue_item FOR SELECT TO {ROLE} USING (organisation_id IS NULL)")


def downgrade() -> None:
    """Drop the policies; the role remains, because other databases of the cluster may use it."""
    for table in (*SECURED, "organisation"):
        op.execute(f"DROP POLICY IF EXISTS shown ON {table}")
        op.execute(f"DROP POLICY own ON {table}")
        op.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")
    for table in (*WRITABLE, *READABLE, "organisation"):
        op.execute(f"REVOKE ALL ON {table} FROM {ROLE}")
    op.execute(f"REVOKE USAGE ON SCHEMA public FROM {ROLE}")
