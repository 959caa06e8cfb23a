"""Send the worst body for each endpoint; measure its duration, its memory, and the latency of `healthz`."""

import gzip
import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import msgspec
import numpy as np
import psutil
import zstandard
from backend.bench.installation import Installation
from backend.tests.agent import Agent, interval, series

from tailroom.domain.transactions.plan import STAGES_PER_PLAN, WEIGHTS_PER_PLAN
from tailroom.kit.identifiers import new_id
from tailroom.kit.limits import (
    ANSWERS_BODY_BYTES,
    BATCH_INTERVALS,
    BATCH_SERIES,
    JSON_BODY_BYTES,
    QUESTION_BODY_BYTES,
)

GOAL_S, GOAL_MEMORY_MB, GOAL_HEALTH_MS = 3.0, 300.0, 200.0
_SENT, _UNPACKED = 8 * 2**20 - 64, 64 * 2**20 - 4096
_LINE_REQUESTS = 45
_RUNS_TO_MATCH = 40


@dataclass(frozen=True)
class Answered:
    """Figures of one body, or of several at once: the slowest reply, and `healthz` and memory meanwhile."""

    name: str
    sent_bytes: int
    statuses: Mapping[int, int]
    seconds: float
    cpu_s: float
    memory_mb: float
    health_ms: float
    goal_s: float = GOAL_S

    @property
    def is_within(self) -> bool:
        """Return whether every goal is met."""
        return (
            self.seconds <= self.goal_s
            and self.memory_mb <= GOAL_MEMORY_MB
            and self.health_ms <= GOAL_HEALTH_MS
            and all(status < 500 or status == 503 for status in self.statuses)
        )

    def __str__(self) -> str:
        status = ", ".join(f"{status}" + (f" × {n}" if n > 1 else "") for status, n in self.statuses.items())
        return (
            f"{'ok  ' if self.is_within else 'OVER'} {self.name:<66} {self.sent_bytes:>10,} B {status:<14}"
            f" {self.seconds:6.2f} s (processor {self.cpu_s:5.2f} s) {self.memory_mb:+6.0f} MB"
            f" healthz {self.health_ms:4.0f} ms"
        )


class _Beside(threading.Thread):
    """Requests `healthz` and samples the memory of the API until `end`."""

    def __init__(self, url: str, process: psutil.Process) -> None:
        super().__init__(daemon=True)
        self._url, self._process = url, process
        self._ending = threading.Event()
        self.health_ms = 0.0
        self.memory_bytes = 0

    def run(self) -> None:
        """Sample until `end` is called; the first request only opens the connection."""
        with httpx.Client(base_url=self._url, timeout=60) as client:
            client.get("/healthz")
            while not self._ending.wait(0.01):
                began = time.perf_counter()
                client.get("/healthz")
                self.health_ms = max(self.health_ms, (time.perf_counter() - began) * 1000)
                self.memory_bytes = max(self.memory_bytes, self._process.memory_info().rss)

    def end(self) -> None:
        """Stop sampling and wait for the thread."""
        self._ending.set()
        self.join()


@dataclass
class Place:
    """The API under test, the tokens to use, and the function that reports each measurement."""

    url: str
    process: psutil.Process
    agent: str
    engineer: str
    say: Callable[[Answered], None]

    def send(
        self,
        name: str,
        path: str,
        content: bytes,
        *,
        encoding: str | None = None,
        media_type: str = "application/json",
        as_agent: bool = False,
        method: str = "POST",
    ) -> Answered:
        """Send one body and return its figures."""
        token = self.agent if as_agent else self.engineer
        headers = {"Authorization": f"Bearer {token}", "Content-Type": media_type}
        if encoding is not None:
            headers["Content-Encoding"] = encoding

        def ask(client: httpx.Client) -> int:
            return client.request(method, path, content=content, headers=headers).status_code

        return self.watch(name, len(content), [ask])

    def watch(
        self, name: str, sent_bytes: int, asks: list[Callable[[httpx.Client], int]], goal_s: float = GOAL_S
    ) -> Answered:
        """Send requests at once; return their slowest time, and `healthz` and memory meanwhile."""
        beside = _Beside(self.url, self.process)
        before = self.process.memory_info().rss
        times = self.process.cpu_times()
        beside.start()
        statuses: dict[int, int] = {}
        longest = 0.0
        lock = threading.Lock()

        def one(ask: Callable[[httpx.Client], int]) -> None:
            nonlocal longest
            with httpx.Client(base_url=self.url, timeout=120) as client:
                began = time.perf_counter()
                status = ask(client)
                took = time.perf_counter() - began
            with lock:
                statuses[status] = statuses.get(status, 0) + 1
                longest = max(longest, took)

        threads = [threading.Thread(target=one, args=(ask,)) for ask in asks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        beside.end()
        after = self.process.cpu_times()
        cpu_s = after.user + after.system - times.user - times.system
        memory_mb = (beside.memory_bytes - before) / 2**20
        answer = Answered(name, sent_bytes, statuses, longest, cpu_s, memory_mb, beside.health_ms, goal_s)
        self.say(answer)
        return answer


def measure(
    installation: Installation, url: str, pid: int, say: Callable[[Answered], None]
) -> list[Answered]:
    """Send one body after the other; pass each measurement to `say` at once, and return all."""
    place = Place(
        url,
        psutil.Process(pid),
        installation.token("agent", "bodies"),
        installation.token("engineer", "bodies"),
        say,
    )
    with httpx.Client(base_url=url, timeout=120) as client:
        run = Agent(client, place.agent)
        run.announce()
        run.send([interval(number, seq) for number in (0, 1) for seq in range(200)])
        run.finish({0: 199, 1: 199})
        answers = [*_batches(place, client), *_documents(place, run), *_questions(place, client, run)]
        return [*answers, *_files(place, client)]


def _batches(place: Place, client: httpx.Client) -> list[Answered]:
    """Send batches of an agent that unpack to many bytes or count many intervals."""
    empty = b'{"series":[],"intervals":[' + b",".join([b"{}"] * (_UNPACKED // 3)) + b"]}"
    deep = b'{"series":[],"intervals":[' + b"[" * (_UNPACKED // 2) + b"]}"
    digits = b'{"series":[],"intervals":[{"series":' + b"9" * (_UNPACKED - 100) + b"}]}"
    header = b"\x82" + msgspec.msgpack.encode("series") + b"\x90" + msgspec.msgpack.encode("intervals")
    maps = header + b"\xdd" + (_UNPACKED - 100).to_bytes(4, "big") + b"\x80" * (_UNPACKED - 100)
    members = gzip.compress(b"") * (_SENT // 20)
    bomb = gzip.compress(b"\0" * 2**30)
    frames = zstandard.compress(b"") * (_SENT // 9)
    many = {"series": [series(n) for n in range(BATCH_SERIES)], "intervals": []}
    run = Agent(client, place.agent)
    run.announce()
    rows = [interval(1, seq) for seq in range(BATCH_INTERVALS)]
    most = msgspec.msgpack.encode({"series": [series(1)], "intervals": rows})
    broken = msgspec.msgpack.encode(
        {"series": [series(1)], "intervals": [{**row, "pins": [9]} for row in rows]}
    )
    path, packed = f"/api/v1/runs/{run.run_id}/intervals", "application/msgpack"
    send = place.send
    return [
        send(
            "batch: millions of empty intervals, gzip",
            path,
            gzip.compress(empty),
            encoding="gzip",
            as_agent=True,
        ),
        send("batch: nested without end, gzip", path, gzip.compress(deep), encoding="gzip", as_agent=True),
        send(
            "batch: a number of 64 M digits, zstd",
            path,
            zstandard.compress(digits),
            encoding="zstd",
            as_agent=True,
        ),
        send(
            "batch: 64 M empty maps, zstd",
            path,
            zstandard.compress(maps),
            encoding="zstd",
            media_type=packed,
            as_agent=True,
        ),
        send("batch: 400,000 empty gzip members", path, members, encoding="gzip", as_agent=True),
        send("batch: a gigabyte of zeros, gzip", path, bomb, encoding="gzip", as_agent=True),
        send("batch: a million empty zstd frames", path, frames, encoding="zstd", as_agent=True),
        send("batch: most series", path, msgspec.msgpack.encode(many), media_type=packed, as_agent=True),
        send("batch: most intervals, each broken", path, broken, media_type=packed, as_agent=True),
        send("batch: most intervals", path, most, media_type=packed, as_agent=True),
        send("batch: most intervals once more", path, most, media_type=packed, as_agent=True),
    ]


def _documents(place: Place, run: Agent) -> list[Answered]:
    """Send the free-form documents of people and agents."""
    path = "/api/v1/runs"

    def announced(**changes: Any) -> bytes:
        largest = {
            "run_id": str(new_id()),
            "title": "a",
            "workload": "act-storage",
            "started_at_unix_ns": 1,
            "planned_duration_ns": 1,
            "agent": {"version": "1"},
            "host": {},
            "plan": {},
            **changes,
        }
        return json.dumps(largest).encode()

    wide = announced(plan={f"k{n}": n for n in range(60_000)})
    deep = announced()[:-3] + b'{"a":' * 150_000 + b"1" + b"}" * 150_000 + b"}"
    fields = {f"field{n}": "x" * 20 for n in range(ANSWERS_BODY_BYTES // 40)}
    answers = json.dumps({"answers": fields}).encode()[:ANSWERS_BODY_BYTES]
    too_large = json.dumps({"answers": {f"field{n}": "x" * 20 for n in range(_SENT // 40)}}).encode()
    text = json.dumps({"reason": "x" * (JSON_BODY_BYTES - 100)}).encode()
    aliases = json.dumps(
        {"vendor": "a", "name": "b", "source": "c", "aliases": ["x"] * (JSON_BODY_BYTES // 5 - 20)}
    ).encode()
    half = ANSWERS_BODY_BYTES // 2
    deep_json = b'{"answers":' + b"[" * (half - 20) + b"]" * (half - 20) + b"}"
    flood = b'{"answers":{' + b",".join(b'"%x":0' % n for n in range(ANSWERS_BODY_BYTES // 10)) + b"}}"
    token = b'{"token":"' + b"x" * (JSON_BODY_BYTES - 100) + b'"}'
    of_run = f"{path}/{run.run_id}"
    return [
        place.send("announcement: 60,000 values", path, wide, as_agent=True),
        place.send("announcement: 150,000 levels", path, deep, as_agent=True),
        place.send("disclosure: 8 MB of answers", f"{of_run}/disclosure", too_large, method="PATCH"),
        place.send("disclosure: 6,000 answers", f"{of_run}/disclosure", answers, method="PATCH"),
        place.send("disclosure: 130,000 levels", f"{of_run}/disclosure", deep_json, method="PATCH"),
        place.send("disclosure: 26,000 names", f"{of_run}/disclosure", flood, method="PATCH"),
        place.send("retraction: a reason of 64 KB", f"{of_run}/retract", text),
        place.send("drive: 13,000 aliases", "/api/v1/drives", aliases),
        place.send("sign-in: a token of 64 KB", "/api/v1/session", token),
    ]


def _questions(place: Place, client: httpx.Client, run: Agent) -> list[Answered]:
    """Send questions with the most stages, weights, percentiles and counts."""
    weights = {str(n + 1): 1 / WEIGHTS_PER_PLAN for n in range(WEIGHTS_PER_PLAN)}
    weighted = {"operation": "read", "count": {"weights": weights}, "fan_out": 4, "scheduling": "waves"}
    stages = [{"operation": "read", "count": 1_000, "fan_out": 8, "scheduling": "pool"}] * STAGES_PER_PLAN
    share = WEIGHTS_PER_PLAN // STAGES_PER_PLAN
    spread = {
        "operation": "read",
        "count": {"weights": {str(97 * n + 1): 1 / share for n in range(share)}},
        "fan_out": 3,
        "scheduling": "waves",
    }

    def budget(plan: list[Any]) -> dict[str, Any]:
        return {
            "kind": "transaction",
            "name": "worst",
            "window_ns": 3_600_000_000_000,
            "objective_ratio": 0.999,
            "plan": {"stages": plan},
        }

    def asked(plan: list[Any], subject: dict[str, Any], **more: Any) -> bytes:
        return json.dumps({"subject": subject, "budget": {"document": budget(plan)}, **more}).encode()

    for _ in range(_RUNS_TO_MATCH):
        second = Agent(client, place.agent)
        second.announce()
        second.send([interval(number, seq) for number in (0, 1) for seq in range(40)])
        second.finish({0: 39, 1: 39})
    edges = [0, *np.unique(np.geomspace(10_000, 10**11, 50_000).astype(np.int64)).tolist(), None]
    counted: dict[str, Any] = {
        "layout": {"t": "explicit", "edges_ns": edges},
        "counts": [1] * (len(edges) - 1),
    }
    few = [0, *np.geomspace(50_000, 10**9, 200).astype(np.int64).tolist(), None]
    short: dict[str, Any] = {"layout": {"t": "explicit", "edges_ns": few}, "counts": [5_000] * (len(few) - 1)}
    lists: dict[str, Any] = {"knots": [[]] * (QUESTION_BODY_BYTES // 4 - 300)}
    flooded: dict[str, Any] = {"layout": {f"{n:x}": 0 for n in range(QUESTION_BODY_BYTES // 12)}}
    of_run = {"run_id": run.run_id}
    answers = []
    for name, plan in (
        ("one stage, most weights", [weighted]),
        ("most stages", stages),
        ("most stages, each with weights", [spread] * STAGES_PER_PLAN),
    ):
        for detail in ("display", "full"):
            content = asked(plan, of_run, detail=detail)
            answers.append(place.send(f"evaluate ({detail}): {name}", "/api/v1/sla/evaluate", content))
        match = json.dumps({"budget": {"document": budget(plan)}, "limit": 200}).encode()
        answers.append(place.send(f"match: {name}", "/api/v1/sla/match", match))
        size = asked(plan, of_run, target_transactions_per_s=1e6)
        answers.append(place.send(f"size: {name}", "/api/v1/sla/size", size))
        for kind, document in (("50,000 buckets", counted), ("200 buckets", short)):
            for detail in ("display", "full"):
                content = asked(plan, {"distribution": document}, detail=detail)
                title = f"evaluate ({detail}) {kind}: {name}"
                answers.append(place.send(title, "/api/v1/sla/evaluate", content))
    for name, document in (("260,000 lists", lists), ("87,000 names", flooded)):
        content = asked([weighted], {"distribution": document})
        answers.append(place.send(f"evaluate: a distribution of {name}", "/api/v1/sla/evaluate", content))
    flood = (
        b'{"document":{"name":"a","kind":"transaction","plan":{"stages":['
        + b"{}," * (JSON_BODY_BYTES // 3 - 40)
        + b"{}]}}}"
    )
    answers.append(place.send("budget: 21,000 stages", "/api/v1/budgets", flood))
    return answers


def _files(place: Place, client: httpx.Client) -> list[Answered]:
    """Send uploads that unpack to many bytes, and request lines at large offsets."""
    headers = {"Authorization": f"Bearer {place.engineer}"}
    bomb = gzip.compress(b"a line of text\n" * (2**30 // 15), compresslevel=1)
    members = gzip.compress(b"") * 400_000
    nested = gzip.compress(gzip.compress(gzip.compress(b"\0" * 2**28)))
    answers = []
    for name, content in (
        ("a gigabyte of text, gzip", bomb),
        ("400,000 gzip members", members),
        ("gzip in gzip in gzip", nested),
    ):
        files = {"files": ("a.log.gz", content)}

        def send(sender: httpx.Client, files: Any = files) -> int:
            return sender.post("/api/v1/uploads", headers=headers, files=files).status_code

        # The API reads for up to `upload_at_once_s`, then replies that a worker continues.
        answers.append(place.watch(f"upload: {name}", len(content), [send], goal_s=25.0))
    uploads = client.get("/api/v1/uploads", headers=headers).json()["uploads"]
    detail = client.get(f"/api/v1/uploads/{uploads[-1]['upload_id']}", headers=headers).json()
    sha256 = detail["files"][0]["sha256"]

    def lines(number: int) -> Callable[[httpx.Client], int]:
        path = f"/api/v1/raw-files/{sha256}/lines?line={10**12 - number}"
        return lambda sender: sender.get(path, headers=headers).status_code

    answers.append(place.watch("line 10¹² of a compressed file", 0, [lines(0)]))
    # The API processes two, queues sixteen, and refuses the others with Retry-After.
    many = [lines(number) for number in range(_LINE_REQUESTS)]
    answers.append(place.watch(f"line 10¹² of it, {_LINE_REQUESTS} at once", 0, many, goal_s=30.0))
    return answers
