"""Saved items of people: questions, shortlists, drives and runs, by their address in the product."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table, which belongs to people: the role of organisations cannot access it."""
    op.create_table(
        "saved_item",
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("person_id", "address", name="pk_saved_item"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_saved_item_person_id_person", ondelete="CASCADE"
        ),
        sa.CheckConstraint(
            "kind IN ('question', 'shortlist', 'drive', 'run')",
            name=op.f("ck_saved_item_kind_known"),
        ),
    )


def downgrade() -> None:
    """Drop the table; saved items are lost."""
    op.drop_table("saved_item")
