"""Issuers of invitations, enrolment codes and access tokens, which end when the issuer loses the right.

Links to a deleted run leave a tombstone, so that following such a link reports that it has ended.
"""

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None

_TABLES = ("invitation", "enrolment_code", "access_token")


def upgrade() -> None:
    """Add the column and assign issuers to open invitations of members.

    Open invitations of people who have left are revoked. Unused enrolment codes, which are valid for an hour,
    expire.
    """
    for table in _TABLES:
        op.add_column(table, sa.Column("issuer_id", sa.Uuid(), nullable=True))
        op.create_index(op.f(f"ix_{table}_issuer_id"), table, ["issuer_id"])
    op.execute(
        "UPDATE invitation SET issuer_id = membership.person_id FROM membership"
        " WHERE membership.organisation_id = invitation.organisation_id"
        " AND membership.email = invitation.invited_by"
    )
    op.execute(
        "UPDATE invitation SET revoked_at = now() WHERE issuer_id IS NULL AND accepted_at IS NULL"
        " AND revoked_at IS NULL AND invited_by LIKE '%@%'"
    )
    op.execute("UPDATE enrolment_code SET expires_at = now() WHERE used_at IS NULL AND expires_at > now()")
    _kinds("'run', 'upload', 'organisation', 'link'")


def downgrade() -> None:
    """Drop the column and the tombstones of links."""
    op.execute("DELETE FROM tombstone WHERE kind = 'link'")
    _kinds("'run', 'upload', 'organisation'")
    for table in _TABLES:
        op.drop_index(op.f(f"ix_{table}_issuer_id"), table)
        op.drop_column(table, "issuer_id")


def _kinds(names: str) -> None:
    op.drop_constraint(op.f("ck_tombstone_kind_known"), "tombstone")
    op.create_check_constraint(op.f("ck_tombstone_kind_known"), "tombstone", f"kind IN ({names})")
