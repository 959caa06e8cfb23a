"""How a step of the trial is run and told: its name and time when it held, its output when it did not."""

import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[2]
Result = TypeVar("Result")


class TrialFailed(Exception):
    """A step did not come out as a deployment needs it; the text says what, where and what to do."""


def step(label: str, action: Callable[[], Result]) -> Result:
    started = time.monotonic()
    try:
        result = action()
    except AssertionError as error:
        raise TrialFailed(f"{label}: {error}") from None
    print(f"  {label} · {time.monotonic() - started:.1f} s", flush=True)
    return result


def run(command: Sequence[str], *, environment: Mapping[str, str], capture: bool = False) -> str:
    done = subprocess.run(  # noqa: S603 - commands of the trial itself
        list(command),
        cwd=ROOT,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if not capture else subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        output = (done.stdout + (done.stderr or ""))[-6000:]
        raise TrialFailed(f"`{' '.join(command)}` ended with {done.returncode}:\n{output}")
    return done.stdout
