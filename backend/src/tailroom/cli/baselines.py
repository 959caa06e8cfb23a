"""Baseline of a branch: the runs of the watch that has the branch's name. New runs are compared with them."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from tailroom.cli.run_addresses import RunUnreachable, document_at
from tailroom.domain.comparison.figures import Figure


@dataclass(frozen=True, slots=True)
class Baseline:
    """Runs of a branch with which a new run is compared."""

    branch: str
    address: str
    """Address of the latest run."""
    operation: str | None
    """Operation of the figures; None without figures."""
    clock: str | None
    """Which time the figures measure, such as `response`; None without figures."""
    history: tuple[tuple[Figure, ...], ...]
    """Figures of each run, the oldest run first."""


class NoBaseline(RunUnreachable):
    """A branch has no single watch of its name, or no finished run to compare a new run with."""


def baseline_of(branch: str, operation: str | None, new: Sequence[str]) -> Baseline:
    """Return the runs of the watch named like the branch, without runs whose id is part of a name in `new`.

    Raise NoBaseline if not exactly one watch has this name (in any case), or it has no other finished run;
    RunUnreachable if TAILROOM_SERVER is not set or that installation refuses, NoAnswer if it does not answer.
    """
    server = (os.environ.get("TAILROOM_SERVER") or "").rstrip("/")
    if not server:
        raise RunUnreachable("a baseline is asked of an installation: set TAILROOM_SERVER to its address")
    watches = document_at(server, "/api/v1/watches")["watches"]
    matching = [watch for watch in watches if watch["name"].casefold() == branch.casefold()]
    if len(matching) != 1:
        names = ", ".join(watch["name"] for watch in watches) or "none"
        raise NoBaseline(f"{server} has no single watch called {branch!r}; it has: {names}")
    path = f"/api/v1/watches/{matching[0]['watch_id']}/trend"
    trend = document_at(server, path + (f"?operation={quote(operation)}" if operation else ""))
    points = [point for point in trend["points"] if not any(str(point["run_id"]) in name for name in new)]
    if not points:
        raise NoBaseline(f"the watch {branch!r} has no finished run yet: there is no baseline")
    return Baseline(
        branch,
        f"{server}/runs/{points[-1]['run_id']}",
        trend["operation"],
        trend["clock"],
        tuple(
            tuple(Figure(each["quantity"], each["lower"], each["upper"]) for each in point["figures"])
            for point in points
        ),
    )
