"""Conventions of tables: every constraint has a name, times have a time zone, integers have 64 bits."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import BigInteger, DateTime, LargeBinary, MetaData, Text, Uuid, inspect
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.orm import DeclarativeBase, Session, mapped_column

from tailroom.domain.latency.interval import Column

NAMING_CONVENTION = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """Parent of every model."""

    metadata = MetaData(naming_convention=NAMING_CONVENTION)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        int: BigInteger,
        str: Text,
        bytes: LargeBinary,
        UUID: Uuid,
        datetime: DateTime(timezone=True),
        dict[str, Any]: JSONB(none_as_null=True),
    }


def upsert(
    session: Session, model: type[Base], rows: Sequence[Mapping[str, Any]], keep: Collection[str] = ()
) -> None:
    """Insert rows (column → value); a row whose primary key exists replaces all columns except `keep`.

    All rows have the columns of the first. Nothing happens without rows.
    """
    if not rows:
        return
    key = [column.name for column in inspect(model).primary_key]
    statement = insert(model)
    changed = {name: statement.excluded[name] for name in rows[0] if name not in {*key, *keep}}
    session.execute(statement.on_conflict_do_update(index_elements=key, set_=changed), list(rows))


def declare(model: type[Base], columns: Iterable[Column]) -> None:
    """Add a 64-bit integer column to a model for each of these declarations."""
    for column in columns:
        setattr(model, column.name, mapped_column(BigInteger, nullable=column.nullable))
