"""An organisation's own prices per hour, for rented machines.

Revision ID: 0066
Revises: 0065
"""

import sqlalchemy as sa
from alembic import op

revision = "0066"
down_revision = "0065"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the unit of use, null for existing prices, which are purchase prices."""
    op.add_column("price_list", sa.Column("per", sa.Text(), nullable=True))
    op.create_check_constraint(op.f("ck_price_list_per_known"), "price_list", "per = 'hour'")


def downgrade() -> None:
    """Drop the column and the prices per hour, which would otherwise be read as purchase prices."""
    op.execute("DELETE FROM price_list WHERE per IS NOT NULL")
    op.drop_column("price_list", "per")
