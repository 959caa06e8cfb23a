"""Measure the cost of open live pages: 1,000 event streams of a run that receives a batch each second.

Compare the processor time of one API process with the pages and without. Start PostgreSQL, Valkey and an API.
Run with `make bench-viewers`; exit with 1 if the pages use more than a tenth of a core.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from itertools import cycle
from uuid import UUID

import httpx
import msgspec
import zstandard
from backend.bench.ingest import Api, installation, machine
from backend.tests.agent import announcement, interval, series
from sqlalchemy import update

from tailroom.access.service import create_token
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.storage.run import PUBLIC, Run

MOST_CORES = 0.10
_SERIES = 4
_ORGANISATIONS = 4
"""Organisations of the viewers, since each may open only some hundred streams; the run is public."""


def ticks(batches: int) -> list[bytes]:
    """Return batches that a page draws immediately: one second of four series each."""
    numbers = [2 * number for number in range(_SERIES)]
    definitions = [series(number) for number in numbers]
    return [
        zstandard.compress(
            msgspec.msgpack.encode(
                {"series": definitions, "intervals": [interval(number, seq) for number in numbers]}
            )
        )
        for seq in range(batches)
    ]


class Page:
    """An open event stream that counts its events."""

    def __init__(self) -> None:
        self.frames, self.is_open = 0, False

    async def watch(self, port: int, run_id: UUID, token: str, places: asyncio.Semaphore) -> None:
        """Open the stream and count its events until cancelled."""
        async with places:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(
                f"GET /api/v1/runs/{run_id}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                f"Authorization: Bearer {token}\r\n\r\n".encode()
            )
            first = await reader.readline()
            if b" 200 " not in first:
                raise SystemExit(f"a stream was refused: {first!r}")
        self.is_open = True
        try:
            while line := await reader.readline():
                self.frames += line.startswith(b"event:")
        finally:
            writer.close()


async def crowd(
    api: Api, agent: str, viewers: Sequence[str], publish: Callable[[], None], options: argparse.Namespace
) -> tuple[float, float, int]:
    """Return the API's cores without pages and with pages, and the fewest events that a page received."""
    run_id, pages, seconds = new_id(), options.pages, options.seconds
    bodies = ticks(2 * seconds)
    url = f"http://127.0.0.1:{api.port}/api/v1/runs"
    headers = {"Authorization": f"Bearer {agent}"}
    packed = headers | {"Content-Type": "application/msgpack", "Content-Encoding": "zstd"}
    async with httpx.AsyncClient(timeout=30) as client:
        announced = announcement(str(run_id)) | {
            "started_at_unix_ns": time.time_ns(),
            "planned_duration_ns": 10**12,
        }
        (await client.post(url, json=announced, headers=headers)).raise_for_status()

        async def send(part: list[bytes]) -> float:
            began, before = time.perf_counter(), api.cpu_s()
            for number, body in enumerate(part):
                (
                    await client.post(f"{url}/{run_id}/intervals", content=body, headers=packed)
                ).raise_for_status()
                await asyncio.sleep(max(0.0, began + number + 1 - time.perf_counter()))
            return (api.cpu_s() - before) / (time.perf_counter() - began)

        publish()
        alone = await send(bodies[:seconds])
        watching, places = [Page() for _ in range(pages)], asyncio.Semaphore(20)
        tasks = [
            asyncio.create_task(page.watch(api.port, run_id, viewer, places))
            for page, viewer in zip(watching, cycle(viewers), strict=False)
        ]
        while not all(page.is_open for page in watching):
            await asyncio.sleep(0.2)
            if failed := [task for task in tasks if task.done()]:
                failed[0].result()
                raise SystemExit("a stream ended")
        watched = await send(bodies[seconds:])
        await asyncio.sleep(1.0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return alone, watched, min(page.frames for page in watching)


def main() -> int:
    """Measure and print the figures; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=20)
    chosen = parser.parse_args()
    print("  machine   " + ", ".join(f"{key} {value}" for key, value in machine().items()))
    with installation() as (api, agent, _):
        database = Database(api.database_url, pool_size=1)
        with database.transaction() as session:
            viewers = [
                create_token(session, f"viewers {number}", "pages", "viewer", utc_now())[1]
                for number in range(_ORGANISATIONS)
            ]

        def publish() -> None:
            with database.transaction() as session:
                session.execute(update(Run).values(visibility=PUBLIC))

        alone, watched, frames = asyncio.run(crowd(api, agent, viewers, publish, chosen))
        database.dispose()
    cost = watched - alone
    print(f"  API       {alone:.3f} cores without pages, {watched:.3f} with {chosen.pages}")
    print(
        f"  pages     {cost:.3f} cores (bound {MOST_CORES}); each got {frames} frames or more"
        f" of {chosen.seconds} batches"
    )
    return int(cost > MOST_CORES or frames < chosen.seconds)


if __name__ == "__main__":
    sys.exit(main())
