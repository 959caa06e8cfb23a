"""Slices of ten minutes, for the timeline of a day.

Revision ID: 0035
Revises: 0034
"""

from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE slice DROP CONSTRAINT ck_slice_width_known")
    op.execute(
        "ALTER TABLE slice ADD CONSTRAINT ck_slice_width_known"
        " CHECK (width IN ('minute', 'ten', 'hour', 'run')) NOT VALID"
    )


def downgrade() -> None:
    op.execute("DELETE FROM slice WHERE width = 'ten'")
    op.execute("ALTER TABLE slice DROP CONSTRAINT ck_slice_width_known")
    op.execute(
        "ALTER TABLE slice ADD CONSTRAINT ck_slice_width_known CHECK (width IN ('minute', 'hour', 'run'))"
    )
