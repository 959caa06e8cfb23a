"""What is asked most names one run, so that a distributed database asks one node.

On a cluster (`make test-cluster`) the plans are looked at; `TAILROOM_RECORD_PLANS=1` writes down what was
found. Everywhere else the statements are held against what was written down.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from backend.tests.agent import Agent, interval
from backend.tests.analysis.recording import look_at_run
from backend.tests.citus import COORDINATOR
from fastapi.testclient import TestClient

from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.storage.distribution import tables_of_runs

RECORDED = Path(__file__).parent / "samples" / "one_shard.json"
HOTTEST = 10
_TABLES = {table.name for table in tables_of_runs()}
_WORDS = re.compile(r"[a-z_]+")
_VERB = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE)\b")
Asked = tuple[str, Any, bool]


def shape_of(statement: str) -> str | None:
    """What a statement does, to which tables of runs; None where it concerns none."""
    tables = sorted(_TABLES & set(_WORDS.findall(statement)))
    verbs = sorted(set(_VERB.findall(statement)), key="INSERT UPDATE DELETE SELECT".index)
    return f"{verbs[0]} {', '.join(tables)}" if tables and verbs else None


@contextmanager
def watched(patch: pytest.MonkeyPatch) -> Iterator[tuple[Counter[str], dict[str, Asked]]]:
    """How often statements of each shape are sent inside the block, and one of each."""
    counted: Counter[str] = Counter()
    first: dict[str, Asked] = {}
    execute = psycopg.Cursor.execute

    def noted(self: Any, query: Any, params: Any = None, **options: Any) -> Any:
        if isinstance(query, str) and (shape := shape_of(query)) is not None:
            counted[shape] += 1
            first.setdefault(shape, (query, params, self.format == psycopg.pq.Format.BINARY))
        return execute(self, query, params, **options)

    with patch.context() as patched:
        patched.setattr(psycopg.Cursor, "execute", noted)
        yield counted, first


def test_what_is_asked_most_names_one_shard(
    client: TestClient,
    agent: Agent,
    database: Database,
    make_token: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader = {"Authorization": f"Bearer {make_token('viewer')}"}
    agent.announce()
    with watched(monkeypatch) as (counted, first):
        for seq in range(30):
            assert agent.send([interval(1, seq), interval(0, seq)]).status_code == 200
        agent.finish({0: 29, 1: 29})
        with database.transaction() as session:
            assert look_at_run(session, UUID(agent.run_id), utc_now()) is not None
        for path in ("", "/timeline", "/percentiles", "/ticks", "/verdicts"):
            for _ in range(3):
                assert client.get(f"/api/v1/runs/{agent.run_id}{path}", headers=reader).status_code in {
                    200,
                    404,
                }
    hottest = [shape for shape, _ in counted.most_common(HOTTEST)]
    assert len(hottest) == HOTTEST
    assert any(shape.startswith("INSERT interval") for shape in hottest), hottest
    if COORDINATOR is None:
        recorded = json.loads(RECORDED.read_text())
        for shape in hottest:
            assert recorded.get(shape) == 1, (
                f"{shape}: no plan that names one shard is on record; {first[shape][0]}"
            )
        return
    found = {shape: shards_of(database, *first[shape]) for shape in counted}
    assert {shape: found[shape] for shape in hottest} == dict.fromkeys(hottest, 1)
    if os.environ.get("TAILROOM_RECORD_PLANS"):
        RECORDED.write_text(json.dumps(dict(sorted(found.items())), indent=1) + "\n")


def shards_of(database: Database, statement: str, params: Mapping[str, Any], is_binary: bool) -> int:
    """How many tasks the largest part of a statement's plan has."""
    with database.engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert isinstance(raw, psycopg.Connection)
        cursor = raw.cursor(binary=is_binary)
        rows = cursor.execute(f"EXPLAIN {statement}", params).fetchall()
        connection.rollback()
    plan = "\n".join(str(row[0]) for row in rows)
    return max(map(int, re.findall(r"Task Count: (\d+)", plan)), default=0)
