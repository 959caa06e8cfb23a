"""Observations of machines during a run or campaign, by overlap in time.

The role of a machine follows from names: a run names its server and its hosts, an observer names its host and
the servers on it.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.domain.units import NS_PER_S
from tailroom.kit.clock import from_unix_ns, unix_ns
from tailroom.kit.outside_types import is_digits
from tailroom.observations.schemas import Gauge, ObservationOut, Relation, UnknownGauge
from tailroom.storage.observation import Observation
from tailroom.storage.run import FINISHED, Run

_OBSERVATIONS_MAX = 20
_ORDER: Sequence[Relation] = ("server", "both", "load-generator", "meanwhile")
_LIVE = timedelta(seconds=30)
"""Time since the last data within which an observation counts as live."""
_PORTS = {
    **dict.fromkeys(("redis", "rediss", "valkey", "valkeys"), 6379),
    **dict.fromkeys(("postgresql", "postgres"), 5432),
    "aerospike": 3000,
    "aerospikes": 4333,
}
"""Default port of each protocol that the agent accepts in an address."""
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def window_of(run: Run, now: datetime) -> tuple[int, int] | None:
    """Return start and end of a run in nanoseconds since 1970; None if its start is not known. A run without
    a measured duration ends with its data if it is finished, else at `now`.
    """
    if not run.started_at_known:
        return None
    duration_ns = run.measured_duration_ns
    if duration_ns is None:
        duration_ns = run.data_through_ns if run.state == FINISHED else unix_ns(now) - run.started_at_unix_ns
    return run.started_at_unix_ns, run.started_at_unix_ns + max(0, duration_ns)


def observations_in_window(
    session: Session, organisation_id: UUID, from_unix_ns: int, until_unix_ns: int
) -> Sequence[Observation]:
    """Return the first `_OBSERVATIONS_MAX` observations, by start, that overlap a window (ns since 1970)."""
    query = (
        select(Observation)
        .where(
            Observation.organisation_id == organisation_id,
            Observation.started_at_unix_ns < until_unix_ns,
            Observation.started_at_unix_ns + Observation.samples * NS_PER_S > from_unix_ns,
        )
        .order_by(Observation.started_at_unix_ns, Observation.observation_id)
        .limit(_OBSERVATIONS_MAX)
    )
    return session.scalars(query).all()


def server_of(run: Run) -> str | None:
    """Return the address of the server that a run measured, as its plan states it; None if it states none."""
    target = run.plan.get("target")
    address = target.get("address") if isinstance(target, dict) else None
    return address if isinstance(address, str) else None


def hosts_of(run: Run) -> set[str]:
    """Return the names of the machines that generated the load of a run; empty if they are not stated."""
    name = run.host.get("hostname")
    return {host.strip() for host in name.split(",")} if isinstance(name, str) else set()


def relation(observation: Observation, server: str | None, hosts: Collection[str]) -> Relation:
    """Return the role of the observed machine in the measurement of this server by these hosts.

    It is `server`, `load-generator`, `both`, or `meanwhile` for a machine that only ran at the same time.
    """
    generates_load = observation.host_name in hosts
    address = None if server is None else host_and_port(server)
    is_server = address is not None and (
        address in map(host_and_port, observation.servers) or (generates_load and _host(address) in _LOOPBACK)
    )
    if is_server:
        return "both" if generates_load else "server"
    return "load-generator" if generates_load else "meanwhile"


def host_and_port(address: str) -> str:
    """Return `host:port` of a server address, whose protocol, user, port and database may be missing.

    A missing port is that of the protocol, or 0. A socket on disk becomes `localhost` and its path, with a
    blank between.
    """
    protocol, separator, rest = address.rpartition("://")
    place = rest.rpartition("@")[2].partition("/")[0].lower() if separator else rest.lower()
    if place.startswith(("unix:", "/")):
        return f"localhost {place}"
    host, colon, port = place.rpartition(":")
    if colon and is_digits(port):
        return f"{host}:{port}"
    return f"{place}:{_PORTS.get(protocol.lower(), 0)}"


def _host(address: str) -> str:
    return address.partition(" ")[0] if " " in address else address.rpartition(":")[0]


def observations_out(
    observations: Iterable[Observation],
    server: str | None,
    hosts: Collection[str],
    start_unix_ns: int,
    now: datetime,
) -> list[ObservationOut]:
    """Return the observations for the API, the server's first, without gauges of single processor cores.
    `start_unix_ns` is the origin of their times.
    """
    listed = [
        ObservationOut(
            observation_id=observation.observation_id,
            host_name=observation.host_name,
            relation=relation(observation, server, hosts),
            started_at=from_unix_ns(observation.started_at_unix_ns),
            start_ns=observation.started_at_unix_ns - start_unix_ns,
            seconds=observation.samples,
            is_live=observation.ended_at_sample is None
            and observation.last_data_at is not None
            and now - observation.last_data_at < _LIVE,
            clock_error_ns=observation.clock_error_ns,
            gauges=[Gauge(**gauge) for gauge in observation.gauges if gauge["group"] != "core"],
            unknown=[UnknownGauge(**reason) for reason in observation.unknown],
        )
        for observation in observations
    ]
    return sorted(listed, key=lambda entry: _ORDER.index(entry.relation))
