"""Valid messages with something broken in them, for tests and `make bench-hostile`; the seed decides all."""

import json
import random
from base64 import b64encode
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from backend.tests.agent import Agent, announcement, interval, series
from fastapi.testclient import TestClient

from tailroom.kit.identifiers import new_id

_VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 2**31, 2**63 - 1, 2**63, 10**30, 10**400, 1e308, -0.5, 1e-320),
    *("", "x" * 5_000, "\x00", "\u202e", "\x1b[31m", "/dev/../etc/passwd", "NaN", "<script>", "ł" * 200),
    *([], {}, [[[]]], {"": 1}, {"a": {"b": {"c": [1, {"d": None}]}}}, ["a"] * 300),
)
_NAMES = ("path", "ladder", "act_storage", "further_paths", "x", "é")
_DEPTHS = (5, 15, 300)
_BATCHES = 4
_PLAN = {
    "title": "a run",
    "act_storage": {"path": "/dev/nvme0n1", "further_paths": [], "read_requests_per_s": 2000},
    "ladder": {"id": "one", "step": 1, "kind": "raise"},
}
_HOST = {"hostname": "a", "block_devices": [{"name": "nvme0n1", "model": "X"}]}
_FINISH = {"outcome": "completed", "duration_ns": 2_000_000_000, "last_seq": {"0": 1}}
_ANSWERS = {"host.cpu.model": "a processor", "plan.act_storage.record_bytes": 1536}
_BUDGET = {
    "kind": "transaction",
    "name": "mine",
    "title": "of mine",
    "window_ns": 1_000_000_000,
    "reserve_ns": 400_000_000,
    "objective_ratio": 0.999,
    "plan": {
        "stages": [
            {"operation": "read", "count": 20, "fan_out": 4, "scheduling": "waves"},
            {"operation": "read", "count": {"weights": {"1": 0.5, "3": 0.5}}, "overhead_ns": 1000},
        ]
    },
}
_DISTRIBUTION = {
    "layout": {"t": "explicit", "edges_ns": [0, 1_000_000, 8_000_000, 64_000_000, None]},
    "counts": [9_500, 400, 90, 10],
}
_PARTS = ("", "/timeline", "/course", "/percentiles", "/exceedance", "/findings", "/ladder")
_LISTS = (
    "/api/v1/runs?limit=200",
    "/api/v1/runs?scope=mine&sort=-workload",
    "/api/v1/leaderboard",
    "/api/v1/leaderboard.csv",
    "/api/v1/drives?limit=50",
    "/api/v1/drives/intel-dc-s3700",
    "/api/v1/drives/intel-dc-s3700/badge.svg",
    "/api/v1/budgets",
    "/api/v1/catalogue/drive",
    "/api/v1/work/given-up",
)


def mutated(message: Any, chance: random.Random, count: int = 3) -> Any:
    """A copy in which up to `count` values, at any depth, are replaced, added, doubled or left out."""
    found = _copied(message)
    for _ in range(chance.randint(1, count)):
        parent, key = _somewhere(found, chance)
        match chance.randrange(4):
            case 0 if isinstance(parent, dict):
                parent.pop(key, None)
            case 1 if isinstance(parent, dict):
                parent[chance.choice(_NAMES)] = _value(chance)
            case 2 if isinstance(parent, list):
                parent.append(_copied(parent[key]))
            case _:
                parent[key] = _value(chance)
    return found


@dataclass(frozen=True)
class Tokens:
    """Of one organisation."""

    agent: str
    viewer: str
    engineer: str


@dataclass
class Attack:
    """Sends broken messages to one organisation and looks at every page that shows what was taken.

    Raises AssertionError with the message at the first 5xx.
    """

    client: TestClient
    tokens: Tokens
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    """How often each kind of message was answered with each status."""
    taken: list[str] = field(default_factory=list)
    """Runs that are on record now."""

    def send(self, messages: int, seed: int) -> None:
        """Sends so many; the seed decides which."""
        chance = random.Random(seed)  # noqa: S311 - the same messages every time
        until = self.statuses.total() + messages
        while self.statuses.total() < until:
            self._ask(chance, self._announce(chance))
        self.look_at_lists()

    def look_at_lists(self) -> None:
        """Every page that lists what was taken."""
        for path in _LISTS:
            self._look(path)

    def look_at_runs(self) -> None:
        """Every part of the page of every run that was taken since the last look."""
        for run_id in self.taken:
            for part in _PARTS:
                self._look(f"/api/v1/runs/{run_id}{part}")
        self.taken.clear()

    def _announce(self, chance: random.Random) -> str:
        """A broken announcement; where it is taken, also broken batches, an end and answers. The run's id."""
        run = Agent(self.client, self.tokens.agent, str(new_id()))
        first = {**announcement(run.run_id), "plan": _PLAN, "host": _HOST}
        answer = self._post("announcement", "/api/v1/runs", mutated(first, chance))
        if answer.status_code != 201:
            return ""
        path = f"/api/v1/runs/{answer.json()['run_id']}"
        self.taken.append(answer.json()["run_id"])
        batch = {
            "series": [series(0), series(1)],
            "intervals": [interval(n, k) for n in (0, 1) for k in (0, 1)],
        }
        for one in batch["intervals"]:
            one["histogram"] = None if one["histogram"] is None else b64encode(one["histogram"]).decode()
        for _ in range(_BATCHES):
            self._post("batch", f"{path}/intervals", mutated(batch, chance))
        self._post("batch", f"{path}/intervals", batch)
        end = _FINISH if chance.random() < 0.5 else mutated(_FINISH, chance)
        self._post("end", f"{path}/finish", end)
        self._post("disclosure", f"{path}/disclosure", mutated({"answers": _ANSWERS}, chance), "PATCH")
        if chance.random() < 0.2:
            self._post("publication", f"{path}/retract", mutated({"reason": "a mistake"}, chance))
        return str(answer.json()["run_id"])

    def _ask(self, chance: random.Random, run_id: str) -> None:
        """Broken questions, budgets and drives."""
        document = {"document": mutated(_BUDGET, chance, 2)}
        sent = {"distribution": mutated(_DISTRIBUTION, chance, 2)} if chance.random() < 0.5 else None
        subject = sent or {"run_id": run_id or str(new_id())}
        match chance.randrange(12):
            case 0 | 1 | 2:
                question = {"subject": subject, "budget": document}
                self._post("evaluate", "/api/v1/sla/evaluate", mutated(question, chance, 1))
            case 3:
                size = {"subject": subject, "budget": document, "target_transactions_per_s": 1000.0}
                self._post("size", "/api/v1/sla/size", mutated(size, chance, 1))
            case 4:
                self._post("match", "/api/v1/sla/match", {"budget": document, "limit": 5, "published": False})
            case 5:
                named = {**_BUDGET, "name": f"budget-{chance.randrange(30)}"}
                self._post("budget", "/api/v1/budgets", mutated({"document": named}, chance))
            case 6:
                drive = {"vendor": "Maker", "name": f"D{chance.randrange(100)}", "source": "a label"}
                self._post("drive", "/api/v1/drives", mutated({**drive, "aliases": ["D"]}, chance))
            case _:
                pass

    def _post(self, kind: str, path: str, message: Any, method: str = "POST") -> Any:
        by_agent = kind in {"announcement", "batch", "end"}
        token = self.tokens.agent if by_agent else self.tokens.engineer
        content = json.dumps(message).encode()
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        answer = self.client.request(method, path, content=content, headers=headers)
        assert answer.status_code < 500, (path, content[:2_000], answer.text)
        self.statuses[kind, answer.status_code] += 1
        return answer

    def _look(self, path: str) -> None:
        answer = self.client.get(path, headers={"Authorization": f"Bearer {self.tokens.viewer}"})
        assert answer.status_code < 500, (path, answer.text)


def _value(chance: random.Random) -> Any:
    if chance.random() >= 0.1:
        return _copied(chance.choice(_VALUES))
    value: Any = 1
    for _ in range(chance.choice(_DEPTHS)):
        value = {"deeper": value}
    return value


def _copied(value: Any) -> Any:
    """A deep copy, without recursion: what is nested without end is nested once more."""
    whole: list[Any] = []
    waiting: list[tuple[Any, Any, Any]] = [(whole, None, value)]
    while waiting:
        target, key, source = waiting.pop()
        made = type(source)() if isinstance(source, dict | list) else source
        if isinstance(target, dict):
            target[key] = made
        else:
            target.append(made)
        if isinstance(source, dict):
            waiting.extend((made, name, inner) for name, inner in reversed(source.items()))
        elif isinstance(source, list):
            waiting.extend((made, None, inner) for inner in reversed(source))
    return whole[0]


def _somewhere(message: Any, chance: random.Random) -> tuple[Any, Any]:
    """A container in the message and one of its keys."""
    places = [(message, key) for key in message]
    for parent, key in places:
        inner = parent[key]
        if isinstance(inner, dict):
            places.extend((inner, further) for further in inner)
        elif isinstance(inner, list):
            places.extend((inner, position) for position in range(len(inner)))
    return chance.choice(places) if places else (message, "x")
