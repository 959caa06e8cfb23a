"""Own prices per hour, of rented machines.

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
    """Adds the unit of use. Prices on record are of what was bought, so theirs is null."""
    op.add_column("price_list", sa.Column("per", sa.Text(), nullable=True))
    op.create_check_constraint(op.f("ck_price_list_per_known"), "price_list", "per = 'hour'")


def downgrade() -> None:
    """Drops the column and the prices per hour, which would be read as prices of bought drives without it."""
    op.execute("DELETE FROM price_list WHERE per IS NOT NULL")
    op.drop_column("price_list", "per")
