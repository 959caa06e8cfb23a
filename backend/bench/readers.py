"""A client process with readers and agents on loopback.

It reads its work as JSON from standard input, and writes the status and duration of each response to standard
output.
"""

import asyncio
import json
import random
import re
import subprocess
import sys
import time
from typing import Any

import msgspec

from tailroom.kit.identifiers import new_id

_RUN_ID = re.compile(r"[0-9a-f-]{36}")


def form_of(path: str) -> str:
    """Return the path with run IDs replaced, so that it is the same for every run."""
    return _RUN_ID.sub("…", path.removeprefix("/api/v1"))


class Connection:
    """A persistent connection with the minimum of HTTP that the measurement needs."""

    def __init__(self, port: int, token: str) -> None:
        self._port, self._token = port, token
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(
        self, path: str, body: bytes | None = None, headers: str = "", method: str = "GET"
    ) -> tuple[int, float]:
        """Send a request; return the status, 0 without a response, and the seconds until the last byte."""
        began = time.perf_counter()
        try:
            async with asyncio.timeout(60):
                status = await self._ask(path, body, headers, method)
        except (OSError, EOFError, TimeoutError, ValueError):
            self.close()
            status = 0
        return status, time.perf_counter() - began

    async def open(self) -> None:
        """Connect, so that the first request does not have to."""
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    async def _ask(self, path: str, body: bytes | None, headers: str, method: str) -> int:
        await self.open()
        assert self._reader is not None  # noqa: S101 - opened
        assert self._writer is not None  # noqa: S101 - opened
        length = "" if body is None else f"Content-Length: {len(body)}\r\n"
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self._token}\r\n"
        self._writer.write(f"{head}{headers}{length}\r\n".encode() + (body or b""))
        answer = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        at = answer.find(b"content-length:")
        if at >= 0:
            await self._reader.readexactly(int(answer[at + 15 : answer.index(b"\r\n", at)]))
        else:
            while (size := int(await self._reader.readline(), 16)) > 0:
                await self._reader.readexactly(size + 2)
            await self._reader.readexactly(2)
        return int(answer[9:12])

    def close(self) -> None:
        """Close the connection; the next request opens a new connection."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


async def client(work: dict[str, Any]) -> dict[str, Any]:
    """Perform `work`; return the responses, and the client's share of a core."""
    readers = [(Connection(work["port"], reader["token"]), reader["paths"]) for reader in work["readers"]]
    answers: list[tuple[int, float, str]] = []
    sent: list[tuple[int, float]] = []
    began_s, busy_s = time.monotonic(), time.process_time()
    until = began_s + work["seconds"]

    async def read_once(connection: Connection, path: str) -> None:
        answers.append((*await connection.ask(path), form_of(path)))

    async def read_on(connection: Connection, paths: list[str]) -> None:
        await asyncio.sleep(random.uniform(0, work["think_s"]))  # noqa: S311 - nothing is secret here
        while time.monotonic() < until:
            # A browser requests all parts of a page at once; this connection requests them one after another.
            await read_once(connection, random.choice(paths))  # noqa: S311
            await asyncio.sleep(random.uniform(0.5, 1.5) * work["think_s"])  # noqa: S311

    async def stream(token: str, bodies: list[bytes], number: int) -> None:
        connection, run_id = Connection(work["port"], token), str(new_id())
        announcement = {
            "run_id": run_id,
            "title": "load",
            "workload": "act-storage",
            "started_at_unix_ns": time.time_ns(),
            "planned_duration_ns": 10**12,
            "agent": {"version": "bench", "commit": None},
            "host": {"hostname": f"host-{number}"},
            "plan": {},
        }
        body = msgspec.json.encode(announcement)
        await asyncio.sleep(number / 50)
        await connection.ask("/api/v1/runs", body, "Content-Type: application/json\r\n", "POST")
        headers = "Content-Type: application/msgpack\r\nContent-Encoding: zstd\r\n"
        for body in bodies:
            if time.monotonic() > until:
                return
            next_at = time.monotonic() + 1.0
            sent.append(await connection.ask(f"/api/v1/runs/{run_id}/intervals", body, headers, "POST"))
            await asyncio.sleep(max(0.0, next_at - time.monotonic()))

    if work["kind"] == "burst":
        await asyncio.gather(*(connection.open() for connection, _ in readers))
        await asyncio.gather(*(read_once(connection, random.choice(paths)) for connection, paths in readers))  # noqa: S311
    else:
        bodies = [bytes.fromhex(body) for body in work["bodies"]]
        await asyncio.gather(
            *(read_on(connection, paths) for connection, paths in readers),
            *(stream(token, bodies, number) for number, token in enumerate(work["agents"])),
        )
    for connection, _ in readers:
        connection.close()
    took_s = time.monotonic() - began_s
    return {"read": answers, "sent": sent, "share": (time.process_time() - busy_s) / took_s}


def run_client(work: dict[str, Any]) -> dict[str, Any]:
    """Run the client in a separate process; return its result."""
    done = subprocess.run(
        [sys.executable, "-m", "backend.bench.readers"],
        input=json.dumps(work).encode(),
        stdout=subprocess.PIPE,
        check=True,
        timeout=300,
    )
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers


if __name__ == "__main__":
    print(json.dumps(asyncio.run(client(json.load(sys.stdin)))))
