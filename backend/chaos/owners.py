"""Whose runs are tried: two organisations, of which neither has a row of the other's runs, or sees one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec
from backend.chaos.product import Product
from sqlalchemy import text

from tailroom.access.service import create_token
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.local_services import LocalServices, services_file
from tailroom.storage.registry import METADATA

_NEIGHBOUR = "neighbour"
_TABLES = [
    table.name
    for table in METADATA.sorted_tables
    if {"run_id", "organisation_id"} <= {*table.columns.keys()} and table.name != "run"
]


@dataclass(frozen=True)
class Owner:
    """An organisation: what lets its agents in, and by what its people read."""

    token_file: Path
    headers: Mapping[str, str]


class OwnedRun(Protocol):
    """A run of one of them."""

    owner: Owner

    @property
    def run_id(self) -> str | None:
        """Its id, where it has begun."""


class Owners:
    """The organisation of the machine, which reads without credentials, and a second organisation."""

    def __init__(self, product: Product) -> None:
        self._product = product
        home = product.token_file.parent
        services = msgspec.json.decode(services_file(home).read_bytes(), type=LocalServices)
        self._url = services.database_url
        self._token_file = product.folder / f"{_NEIGHBOUR}-token"
        database = Database(self._url, pool_size=1)
        with database.transaction() as session:
            agent, viewer = (
                create_token(session, _NEIGHBOUR, "chaos", scope, utc_now())[1]
                for scope in ("agent", "viewer")
            )
        database.dispose()
        self._token_file.touch(mode=0o600)
        self._token_file.write_text(agent)
        self.both = (
            Owner(product.token_file, {}),
            Owner(self._token_file, {"Authorization": f"Bearer {viewer}"}),
        )

    def problems(self, runs: Sequence[OwnedRun]) -> list[str]:
        """Rows of these runs that are another organisation's, and runs that it is shown."""
        problems = []
        for run in runs:
            for owner in self.both:
                status = self._product.status(f"/api/v1/runs/{run.run_id}", owner.headers)
                if (status == 200) != (owner is run.owner):
                    problems.append(f"{run.run_id} is answered {status}, owner: {owner is run.owner}")
        database = Database(self._url, pool_size=1)
        with database.transaction() as session:
            for table in _TABLES:
                query = text(
                    f"SELECT count(*) FROM {table} t JOIN run USING (run_id)"  # noqa: S608 - names of ours
                    " WHERE t.organisation_id <> run.organisation_id"
                )
                if count := session.scalar(query):
                    problems.append(f"{count} rows of {table} are of another organisation than their run")
        database.dispose()
        return problems
