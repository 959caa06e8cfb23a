"""One product, rounds of a few agents, faults from a seed: what went wrong, and how much was tried."""

import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from backend.chaos.agents import AgentRun, RunResult
from backend.chaos.owners import Owner, Owners
from backend.chaos.product import ROLES, Product, running_product
from backend.chaos.proxy import FaultyNetwork

_SEEDS = (41, 42, 43)
"""Seeds of the latencies: each has an undisturbed run for comparison. The last run belongs to the other
organisation.
"""
_AGENT = "agent"
DISK_FULL = "disk full"
CLOCK_MOVED = "clock of an agent moved"
_FROZEN = " frozen"
"""Behind a role: it is there and does not answer for a while."""
_FULL_FOR_S, _FROZEN_FOR_S = 4.0, 3.0
_FURTHEST_CLOCK_S = 2 * 86_400


@dataclass(slots=True)
class Report:
    """Numbers of faults, and problems found."""

    runs: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.faults.items()))
        return f"{self.faults.total()} faults in {self.runs} runs ({kinds}); {len(self.problems)} problems"


class Trial:
    """Rounds against one product."""

    def __init__(
        self, product: Product, *, seed: int, duration_s: int, fault_share: float, kills: int
    ) -> None:
        """`kills` are processes killed in a round, `fault_share` (0 to 1) the requests that meet a fault."""
        self.report = Report()
        self._product, self._random = product, random.Random(seed)  # noqa: S311
        self._duration_s, self._fault_share, self._kills = duration_s, fault_share, kills
        self._rounds = 0
        self._owners = Owners(product)
        self._undisturbed = self._measure_undisturbed()

    def _measure_undisturbed(self) -> dict[int, RunResult]:
        url = f"http://127.0.0.1:{self._product.port}"
        runs = [
            AgentRun(
                self._product, url, f"undisturbed {seed}", seed, self._duration_s, owner=self._owner(seed)
            )
            for seed in _SEEDS
        ]
        results = {}
        for run in runs:
            if problem := run.deliver():
                raise RuntimeError(f"an undisturbed run was not delivered: {problem}")
            results[run.seed] = run.result()
        if len({str(result.verdicts) for result in results.values()}) == 1:
            raise RuntimeError("other seeds end in the same figures, so that equality means nothing")
        return results

    def _owner(self, seed: int) -> Owner:
        return self._owners.both[seed == _SEEDS[-1]]

    def round(self, roles: "list[str] | None" = None) -> None:
        """One round; `roles` are killed in this order, or as the seed has it."""
        self._rounds += 1
        if roles is None:
            possible = [
                *self._product.roles,
                *(role + _FROZEN for role in self._product.roles if role in ROLES),
                _AGENT,
                CLOCK_MOVED,
                *([DISK_FULL] if self._product.disk else []),
            ]
            roles = [self._random.choice(possible) for _ in range(self._kills)]
        moments = sorted(self._random.random() * self._duration_s for _ in roles)
        network = FaultyNetwork(self._product.port, self._random.randrange(2**32), self._fault_share)
        with network:
            runs = [
                AgentRun(
                    self._product,
                    network.url,
                    f"round {self._rounds} seed {seed}",
                    seed,
                    self._duration_s,
                    owner=self._owner(seed),
                    moves_clock=CLOCK_MOVED in roles,
                )
                for seed in _SEEDS
            ]
            began = time.monotonic()
            for moment, role in zip(moments, roles, strict=True):
                time.sleep(max(0.0, began + moment - time.monotonic()))
                self._kill(role, runs)
            problems = [run.deliver() for run in runs]
            self._product.await_ready()
        self.report.faults.update(network.counted)
        for run, problem in zip(runs, problems, strict=True):
            self._compare(run, problem)
        self.report.problems += [
            f"round {self._rounds}: {problem}"
            for problem in self._owners.problems([run for run in runs if run.run_id])
        ]

    def _kill(self, role: str, runs: list[AgentRun]) -> None:
        if role == DISK_FULL:
            self._product.fill_disk(self._random.random() * _FULL_FOR_S)
            self.report.faults[role] += 1
            return
        if role.endswith(_FROZEN):
            hold_s = self._random.random() * _FROZEN_FOR_S
            self.report.faults[role] += int(self._product.freeze(role.removesuffix(_FROZEN), hold_s) > 0)
            return
        if role == CLOCK_MOVED:
            ahead_s = self._random.randint(-_FURTHEST_CLOCK_S, _FURTHEST_CLOCK_S)
            self.report.faults[role] += int(self._random.choice(runs).set_clock(ahead_s))
            return
        killed = self._random.choice(runs).kill() if role == _AGENT else self._product.kill(role) > 0
        self.report.faults[f"{role} killed"] += int(killed)

    def _compare(self, run: AgentRun, problem: str) -> None:
        self.report.runs += 1
        where = f"round {self._rounds}, seed {run.seed}"
        if problem:
            self.report.problems.append(f"{where}: {problem}")
            return
        problems = run.result().problems(self._undisturbed[run.seed], was_killed=run.was_killed)
        self.report.problems += [f"{where}: {problem}" for problem in problems]


@contextmanager
def trial(
    seed: int,
    *,
    duration_s: int = 12,
    fault_share: float = 0.25,
    kills: int = 3,
    disk_bytes: int | None = None,
    citus: str | None = None,
) -> Iterator[Trial]:
    """A trial against a product of its own, on a disk of its own where `disk_bytes` says how large, on a
    cluster where `citus` names its coordinator; undisturbed runs are measured first.
    """
    with running_product(disk_bytes, citus) as product:
        yield Trial(product, seed=seed, duration_s=duration_s, fault_share=fault_share, kills=kills)
