"""Drives, servers, networks, databases and workloads with their facts; publications and their claims."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def _text(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def _number(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.Double(), nullable=True)


def _json(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, postgresql.JSONB(), nullable=nullable)


def _of_item(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["item_id"],
        ["catalogue_item.item_id"],
        name=f"fk_{table}_item_id_catalogue_item",
        ondelete="CASCADE",
    )


def _digest(table: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(
        "octet_length(content_sha256) = 32", name=op.f(f"ck_{table}_content_sha256_length")
    )


def upgrade() -> None:
    """Create the tables, one statement per execute."""
    op.create_table(
        "catalogue_item",
        sa.Column("item_id", sa.Uuid(), nullable=False),
        _text("slug"),
        _text("kind"),
        _text("vendor"),
        _text("name"),
        sa.Column("organisation_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("item_id", name="pk_catalogue_item"),
        sa.UniqueConstraint("slug", name="uq_catalogue_item_slug"),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name="fk_catalogue_item_organisation_id_organisation"
        ),
        sa.CheckConstraint(
            "kind IN ('drive', 'server', 'network', 'database', 'workload')",
            name=op.f("ck_catalogue_item_kind_known"),
        ),
    )
    op.create_index("ix_catalogue_item_kind_slug", "catalogue_item", ["kind", "slug"])
    op.create_table(
        "catalogue_alias",
        _text("normalised"),
        sa.Column("item_id", sa.Uuid(), nullable=False),
        _text("as_printed"),
        sa.PrimaryKeyConstraint("normalised", "item_id", name="pk_catalogue_alias"),
        _of_item("catalogue_alias"),
        sa.CheckConstraint("normalised <> ''", name=op.f("ck_catalogue_alias_says_something")),
    )
    op.create_index("ix_catalogue_alias_item_id", "catalogue_alias", ["item_id"])
    op.create_table(
        "catalogue_fact",
        sa.Column("item_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("capacity_bytes", sa.BigInteger(), nullable=True),
        _text("field"),
        _number("value_number"),
        _text("value_text", nullable=True),
        _text("unit", nullable=True),
        _text("unit_as_printed", nullable=True),
        _text("as_printed"),
        _text("comparison"),
        _number("lower"),
        _number("upper"),
        _json("conditions"),
        _text("source_slug", nullable=True),
        _text("source_text", nullable=True),
        sa.PrimaryKeyConstraint("item_id", "position", name="pk_catalogue_fact"),
        _of_item("catalogue_fact"),
        sa.CheckConstraint(
            "num_nonnulls(value_number, value_text) = 1", name=op.f("ck_catalogue_fact_one_value")
        ),
        sa.CheckConstraint(
            "num_nonnulls(source_slug, source_text) >= 1", name=op.f("ck_catalogue_fact_has_source")
        ),
    )
    op.create_index("ix_catalogue_fact_source_slug", "catalogue_fact", ["source_slug"])
    op.create_table(
        "publication",
        _text("slug"),
        _text("title"),
        _text("publisher"),
        _text("kind"),
        _text("url", nullable=True),
        _text("date_as_printed", nullable=True),
        _text("document"),
        _json("measurement"),
        sa.Column("not_disclosed", postgresql.ARRAY(sa.Text()), nullable=False),
        _json("tables"),
        sa.Column("content_sha256", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("slug", name="pk_publication"),
        _digest("publication"),
    )
    op.create_table(
        "claim",
        _text("publication_slug"),
        _text("key"),
        sa.Column("position", sa.Integer(), nullable=False),
        _text("row"),
        _text("table_id"),
        _text("row_label", nullable=True),
        _text("subject"),
        _text("item_slug", nullable=True),
        _text("quantity"),
        _text("statistic", nullable=True),
        sa.Column("threshold_ns", sa.BigInteger(), nullable=True),
        _text("operation", nullable=True),
        _text("workload", nullable=True),
        _text("metric_class", nullable=True),
        _text("config", nullable=True),
        _json("load", nullable=True),
        _json("conditions"),
        _text("as_printed"),
        _text("unit_as_printed"),
        _number("value"),
        _number("lower"),
        _number("upper"),
        _text("unit"),
        _text("comparison"),
        _text("test_date_as_printed", nullable=True),
        sa.PrimaryKeyConstraint("publication_slug", "key", name="pk_claim"),
        sa.ForeignKeyConstraint(
            ["publication_slug"],
            ["publication.slug"],
            name="fk_claim_publication_slug_publication",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["item_slug"], ["catalogue_item.slug"], name="fk_claim_item_slug_catalogue_item"
        ),
    )
    op.create_index("ix_claim_item_slug", "claim", ["item_slug"])
    op.create_table(
        "reference_state",
        _text("name"),
        sa.Column("content_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("loaded_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_reference_state"),
        _digest("reference_state"),
    )


def downgrade() -> None:
    """Drop the tables; the reference data can be loaded from the package again."""
    for table in (
        "reference_state",
        "claim",
        "publication",
        "catalogue_fact",
        "catalogue_alias",
        "catalogue_item",
    ):
        op.drop_table(table)
