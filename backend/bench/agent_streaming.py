"""Measure the processor time of streaming a 60x load into a real backend, without the measuring threads.

The agent uses the engine that performs no I/O, so that any machine keeps up; it records, packs, spools and
sends as with a drive. Run by `make bench-agent`.
"""

import contextlib
import json
import statistics
import subprocess
from collections.abc import Callable
from pathlib import Path

from backend.bench.agent_act import by_thread
from backend.bench.ingest import installation

LOAD = "60x"
GOAL_PCT = 1.0


def streaming(agent: Path, rounds: int, seconds: int) -> list[dict[str, float]]:
    """Return percent of a core by kind of thread, for each round."""
    with installation() as (api, token, folder):
        backend = f"http://127.0.0.1:{api.port}"
        return [_round(agent, folder, backend, token, seconds) for _ in range(rounds)]


def _round(agent: Path, folder: Path, backend: str, token: str, seconds: int) -> dict[str, float]:
    """Run the agent once against the backend; return percent of a core by kind of thread."""
    command = [
        str(agent),
        "act",
        "--load",
        LOAD,
        "--file",
        str(folder / "act.dat"),
        "--size",
        "64M",
        "--json",
    ]
    command += ["--duration-s", str(seconds), "--engine", "null", "--spool", str(folder / "spool")]
    child = subprocess.Popen(  # noqa: S603
        [*command, "--backend", backend],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={"TAILROOM_AGENT_TOKEN": token},
    )
    looks: list[tuple[float, dict[tuple[str, str], float]]] = []
    for line in child.stdout or ():
        event = json.loads(line)
        if event["event"] == "progress" and event["operation"] == "read":
            with contextlib.suppress(OSError):  # a thread ended during the sample: use the samples before
                looks.append((event["elapsed_s"], by_thread(child.pid)))
    if child.wait() != 0:
        raise RuntimeError(f"the agent ended with {child.returncode}")
    (began_s, before), (ended_s, after) = looks[0], looks[-1]
    used = {key: after[key] - before.get(key, 0.0) for key in after}
    measuring = max(used, key=lambda key: used[key])
    shares: dict[str, float] = {}
    for key, seconds_used in used.items():
        kind = "measuring" if key == measuring or key[1].startswith("measure-") else key[1]
        shares[kind] = shares.get(kind, 0.0) + seconds_used / (ended_s - began_s) * 100
    shares["streaming"] = sum(share for kind, share in shares.items() if kind != "measuring")
    return shares


def show_streaming(agent: Path, rounds: int, seconds: int, median: Callable[[list[float]], float]) -> None:
    """Print percent of a core for each kind of thread."""
    rounds_measured = streaming(agent, rounds, seconds)
    print(f"\nStreaming at {LOAD} into a backend: percent of a core (goal without measuring: {GOAL_PCT:.0f})")
    for kind in sorted({kind for figures in rounds_measured for kind in figures}):
        values = [figures.get(kind, 0.0) for figures in rounds_measured]
        print(f"  {kind:<18} {median(values):>8.2f}   ({' '.join(f'{value:.2f}' for value in values)})")


if __name__ == "__main__":
    root = Path(__file__).resolve().parents[2]
    show_streaming(root / "target" / "release" / "tailroom-agent", 3, 30, statistics.median)
