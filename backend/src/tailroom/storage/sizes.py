"""Sizes of tables and of the database, with indexes; of a distributed database over all of its nodes."""

import json
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from tailroom.storage.distribution import is_distributed

_LOCAL_PARTS = """
SELECT coalesce(parent.relname, part.relname), part.relname, pg_total_relation_size(part.oid), part.reltuples
  FROM pg_class part JOIN pg_namespace n ON n.oid = part.relnamespace
  LEFT JOIN pg_inherits i ON i.inhrelid = part.oid LEFT JOIN pg_class parent ON parent.oid = i.inhparent
 WHERE n.nspname = current_schema() AND part.relkind = 'r'
"""
# A node knows its shards by the name of the table and a number.
_PARTS_OF_NODE = """
SELECT coalesce(json_agg(json_build_array(name, part, bytes, rows)), '[]') FROM (
  SELECT coalesce(parent.relname, part.relname) AS name, part.relname AS part,
         sum(pg_total_relation_size(held.oid)) AS bytes, sum(greatest(held.reltuples, 0)) AS rows
    FROM pg_dist_shard JOIN pg_class part ON part.oid = logicalrelid
    JOIN pg_class held ON held.relname = part.relname || '_' || shardid
     AND held.relnamespace = part.relnamespace AND held.relkind = 'r'
    LEFT JOIN pg_inherits i ON i.inhrelid = part.oid LEFT JOIN pg_class parent ON parent.oid = i.inhparent
   GROUP BY 1, 2) shards
"""
_DATABASE = "SELECT pg_database_size(current_database())"


class PartSize(NamedTuple):
    """Size in bytes, with indexes, and estimated rows of a table or a partition (`part`, else the table)."""

    table: str
    part: str
    size_bytes: int
    estimated_rows: int


def part_sizes(session: Session) -> list[PartSize]:
    """Return the size in bytes and estimated rows of every table and partition, over all available nodes."""
    rows = [tuple(row) for row in session.execute(text(_LOCAL_PARTS))]
    if is_distributed(session.connection()):
        for answer in _query_nodes(session, _PARTS_OF_NODE):
            rows += json.loads(answer)
    sizes: dict[tuple[str, str], PartSize] = {}
    for table, part, size, estimate in rows:
        other = sizes.get((table, part), PartSize(table, part, 0, 0))
        count = other.estimated_rows + max(0, int(estimate))
        sizes[table, part] = PartSize(table, part, other.size_bytes + int(size), count)
    return list(sizes.values())


def database_bytes(session: Session) -> int:
    """Return the size of the database in bytes; of a distributed database over all nodes that answer."""
    if is_distributed(session.connection()):
        return sum(int(answer) for answer in _query_nodes(session, _DATABASE))
    return int(session.scalar(text(_DATABASE)) or 0)


def _query_nodes(session: Session, query: str) -> list[str]:
    """Run a query on every node, the coordinator included, and return the answers of the available nodes."""
    on_all_nodes = text("SELECT result FROM run_command_on_all_nodes(:query) WHERE success")
    return list(session.scalars(on_all_nodes, {"query": query}))
