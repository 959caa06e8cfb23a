"""Measure the time of signing in through the API, Argon2id included, and of checking an agent's token.

Sign-ins are sequential. The check of a token precedes every batch of an agent; its processor time is
measured.

    .venv/bin/python backend/bench/sign_in.py --times 100

Starts the API with a temporary PostgreSQL and Valkey. Goals for p95: 300 ms, and 1 ms for a token.
"""

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from pathlib import Path

from backend.tests.people.people import PASSWORD, new_email, signed_up
from fastapi.testclient import TestClient

from tailroom.access.authenticator import Authenticator
from tailroom.access.service import create_token
from tailroom.api.app import create_app, make_threads
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.migrations import migrate
from tailroom.kit.settings import Settings
from tailroom.people import passwords

ASKED_MS = 300.0


def main() -> None:
    """Measure and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=100)
    times = parser.parse_args().times
    with (
        tempfile.TemporaryDirectory() as name,
        EmbeddedPostgres.start(Path(name) / "postgres", Path(name) / "postgres.log") as postgres,
        EmbeddedValkey.start(Path(name) / "valkey", Path(name) / "valkey.log") as valkey,
    ):
        postgres.create_database("bench")
        settings = Settings(
            database_url=postgres.url("bench"),
            redis_url=valkey.url,
            home=Path(name),
            allowed_hosts=("testserver",),
            open_sign_up=True,
        )
        database = Database.from_settings(settings)
        migrate(database.engine, settings.migrations_dir)
        with TestClient(create_app(settings)) as client:
            email = new_email()
            signed_up(client, "bench", email)
            body = {"email": email, "password": PASSWORD}
            _, text = _token(database)
            authenticator = Authenticator(
                database,
                make_threads(settings)["door"],
                local_access=False,
                requests_per_minute=settings.requests_per_minute,
            )
            token_ms = asyncio.run(_checks(authenticator, text, 10 * times))
            took_ms = []
            for _ in range(times):
                began = time.perf_counter()
                assert client.post("/api/v1/session/person", json=body).status_code == 200  # noqa: S101
                took_ms.append(1e3 * (time.perf_counter() - began))
        database.dispose()
    stored = passwords.hash_password(PASSWORD)
    hashing_ms = []
    for _ in range(times):
        began = time.perf_counter()
        passwords.is_right(stored, PASSWORD)
        hashing_ms.append(1e3 * (time.perf_counter() - began))
    for what, values in (
        ("sign-in", took_ms),
        ("Argon2id alone", hashing_ms),
        ("check of a token, processor time", token_ms),
    ):
        p50, p95 = statistics.median(values), statistics.quantiles(values, n=20)[-1]
        print(f"{what}: {len(values)} times, p50 {p50:.1f} ms, p95 {p95:.1f} ms, most {max(values):.1f} ms")
    print(f"load {os.getloadavg()[0]:.1f}; asked: p95 of signing in at most {ASKED_MS:.0f} ms")


def _token(database: Database) -> tuple[object, str]:
    """Return a new agent token as its row and its text."""
    with database.transaction() as session:
        return create_token(session, "bench", "bench", "agent", utc_now())


async def _checks(authenticator: Authenticator, text: str, times: int) -> list[float]:
    """Return the processor time of each check in ms: hashing, one statement, and building the caller."""
    took_ms = []
    for _ in range(times):
        began = time.process_time()
        await authenticator.with_token(text)
        took_ms.append(1e3 * (time.process_time() - began))
    return took_ms


if __name__ == "__main__":
    main()
