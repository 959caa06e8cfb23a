"""Each plan for a database that the form offers is searched on each kind of server, to its bracket."""

import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote
from uuid import UUID

import pytest
from backend.tests.analysis.recording import look_at_run
from backend.tests.campaigns.serving import Installation, Json, Serving
from backend.tests.campaigns.test_campaigns import Tended
from backend.tests.campaigns.test_plans import ROOT, of_pages

from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database

AEROSPIKE = ROOT / "target" / "debug" / "aerospike-stand-in"
"""Built by `make setup`: it speaks the protocol, as no server can be installed."""
SMALL = {
    r"factor = [\d.]+": "factor = 0.0001",
    r"reads_per_transaction = \d+": "reads_per_transaction = 2",
    r"objects = [\d_]+": "objects = 200",
    r"recordcount=\d+": "recordcount=200",
    r"key_maximum = [\d_]+": "key_maximum = 199",
    r"object_bytes = \d+": "object_bytes = 100",
    r"connections = \d+": "connections = 4",
    r"threadcount=\d+": "threadcount=4",
    r"target=\d+": "target=200",
}
"""The stand-in has room for a megabyte, and a machine of tests little time."""
SOUGHT = {
    "fraud": ("transaction", "P1"),
    "ycsbSuite": ("read-modify-write", "F"),
    "ycsbD": ("read", None),
    "ycsbE": ("scan", None),
    "keyvalue": ("get", None),
}
"""An operation of each template, and its phase where it has several."""
PHASES_OF_THE_SUITE = {"ycsbA", "ycsbB", "ycsbC", "ycsbF"}
"""They issue nothing that `ycsbSuite` does not."""
OF_MACHINES = {"drives", "syncWrites"}


Servers = dict[str, tuple[str, str]]


@contextmanager
def aerospike() -> Iterator[str]:
    with subprocess.Popen(
        [str(AEROSPIKE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.stdin.close()
            server.wait(30)


@pytest.fixture
def servers(throw_away_valkey: EmbeddedValkey, empty_postgres_url: str) -> Iterator[Servers]:
    """The address and the password of a server of each kind."""
    with aerospike() as address:
        yield {
            "valkey": (f"redis://{throw_away_valkey.address}", throw_away_valkey.password or ""),
            "postgresql": (
                unquote(empty_postgres_url.replace("+psycopg", "")),
                "",
            ),
            "aerospike": (address, ""),
        }


@pytest.fixture
def agents(installation: Installation, servers: Servers, serve: Callable[..., list[Serving]]) -> None:
    """One agent for each server, named like it."""
    for name, target in servers.items():
        serve(installation, name, target=target)


def small(plan: str) -> str:
    for pattern, replacement in SMALL.items():
        plan = re.sub(pattern, replacement, plan)
    return plan


def test_every_template_is_sought(tmp_path: Path) -> None:
    assert set(of_pages(tmp_path)) == set(SOUGHT) | PHASES_OF_THE_SUITE | OF_MACHINES


@pytest.mark.usefixtures("agents")
@pytest.mark.parametrize("template", SOUGHT)
def test_a_plan_of_the_form_is_searched_on_every_server(
    installation: Installation, database: Database, servers: Servers, template: str, tmp_path: Path
) -> None:
    operation, phase = SOUGHT[template]
    search: Json = {
        "objective": f"p99 {operation} < 20s",
        "phase": phase,
        "start_per_s": 500,
        "top_per_s": 500,
        "probe_s": 2,
        "warm_up_s": 0,
    }
    plan = small(of_pages(tmp_path)[template])
    begun = {
        name: installation.begin(template, plan, address, [name], search=search)
        for name, (address, _) in servers.items()
    }
    for name, campaign in begun.items():
        ended = Tended(installation, database, campaign).when(is_over)
        if (template, name) == ("ycsbE", "aerospike"):
            assert "scan" in ended["reason"].lower(), "there is no order of keys to scan in"
            continue
        assert (ended["outcome"], ended["reason"]) == ("completed", None), name
        bracket(installation, database, ended, name)


def is_over(now: Json) -> bool:
    """Whether a campaign has ended and its records are there; objects that exist are not loaded again."""
    measured = [phase for phase in now["phases"] if phase["state"] == "ended"]
    return now["state"] == "ended" and all(phase["run_id"] for phase in measured)


def bracket(installation: Installation, database: Database, ended: Json, of: str) -> None:
    probes = [phase for phase in ended["phases"] if phase["probe"] is not None]
    with database.transaction() as session:
        for phase in probes:
            look_at_run(session, UUID(phase["run_id"]), utc_now())
    search = installation.get(f"/sla/load-search/{probes[0]['run_id']}")
    assert [probe["load_per_s"] for probe in search["probes"]] == [500], of
    assert (search["passed_per_s"], search["failed_per_s"], search["ended"]) == (500, None, "top"), of
