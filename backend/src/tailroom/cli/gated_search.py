"""A new search for the highest load against that of a baseline, for `tailroom gate`.

A search measures at several loads (probes); its bracket is the load that held and the load that failed.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from tailroom.cli import load_search
from tailroom.cli.load_search import baseline_lines, effect_on, lines_of, search_document
from tailroom.cli.pipeline_files import Check, CheckState
from tailroom.cli.result_files import UNREADABLE, reason_of, runs_of
from tailroom.cli.run_addresses import document_at
from tailroom.cli.terminal import stop
from tailroom.domain.rating.load_search import probe_of
from tailroom.kit.exit_codes import ExitCode

_RUNS_SEARCHED = 200
"""Number of the latest runs among which the baseline's search is looked for."""
_ENDS = ("surely_passed_per_s", "surely_failed_per_s")
"""Names of a bracket's bounds."""
_STATES = {"lower": CheckState.FAILED, "higher": CheckState.PASSED, "not shown": CheckState.PASSED}


def holds_search(names: Sequence[str]) -> bool:
    """Return whether result files hold probes of a search; end the command if one cannot be read."""
    try:
        return any(
            probe_of({"ladder": run.ladder}) is not None for name in names for run in runs_of(name, None)
        )
    except UNREADABLE as error:
        stop(f"{', '.join(names)} cannot be read: {reason_of(error)}")


class SearchComparison:
    """Comparison of the search in result files with a baseline's latest search; made by `run`.

    It has the interface of `tailroom.cli.gated_runs.RunComparison`.
    """

    def __init__(self, server: str, baseline: str) -> None:
        self.server, self.baseline = server, baseline
        self.search: dict[str, Any] = {}
        self.earlier: dict[str, Any] | None = None
        self.effect: str | None = None
        self.against: list[str] = []
        """The bracket of the earlier search, and the effect, as lines; empty without an earlier search."""

    @property
    def is_worse(self) -> bool:
        """Whether the bracket of the new search is wholly below the baseline's; False without a baseline."""
        return self.effect == "lower"

    def run(self, names: Sequence[str]) -> None:
        """Compare the search in these files with the baseline's latest search of the same objective.

        Set `search`, and `effect` if there is such a search. End the command if a search cannot be read or
        the server does not answer.
        """
        try:
            self.search = search_document(names)
            address = self._find_latest()
            if address is None:
                return
            self.earlier = search_document([address])
        except UNREADABLE as error:
            stop(f"the search cannot be compared with {self.baseline}: {reason_of(error)}")
        self.effect = effect_on(self.earlier, self.search)
        self.against = baseline_lines(self.earlier, self.effect)

    def _find_latest(self) -> str | None:
        """Return the address of a run of the baseline's latest search of this objective; None without one."""
        path = f"/api/v1/runs?scope=mine&limit={_RUNS_SEARCHED}&q={quote(self.baseline)}"
        for run in document_at(self.server, path)["runs"]:
            is_of_branch = run["title"].casefold() == self.baseline.casefold()
            if is_of_branch and run["probe"] and run["probe"]["objective"] == self.search["objective"]:
                return f"{self.server}/runs/{run['run_id']}"
        return None

    def answer(self, branch: str) -> str:
        """Return the result as a sentence; `branch`: branch of the new search."""
        if self.against:
            return self.against[-1][0].upper() + self.against[-1][1:]
        if branch == self.baseline:
            return f"First search of {branch}: it is the baseline."
        return f"There is no baseline yet: {self.baseline} has no search of “{self.search['objective']}”."

    def lines(self) -> list[str]:
        """Return the probes and the bracket of the new search, and the bracket of the baseline if any."""
        return [*lines_of(self.search), *self.against[:1]]

    def checks(self) -> list[Check]:
        """Return the comparison as a check of a pipeline; empty without an earlier search."""
        if self.effect is None or self.earlier is None:
            return []
        text = f"{self.search['text']}; baseline: {self.earlier['text']}"
        return [Check("highest load that holds", _STATES[self.effect], text, self.against[-1])]

    def exit_code(self, *, strict: bool, is_baseline: bool) -> ExitCode:
        """Return FAILED if the new search is worse, else its own code if that is not FINE.

        Otherwise, without an earlier search: FINE if `is_baseline`, else NO_BASELINE. With `strict`,
        UNDECIDED if nothing is shown because a bracket is open at one end.
        """
        if self.is_worse:
            return ExitCode.FAILED
        own_code = load_search.exit_code(self.search)
        if own_code is not ExitCode.FINE:
            return own_code
        if self.effect is None:
            return ExitCode.FINE if is_baseline else ExitCode.NO_BASELINE
        ends = [search[end] for search in (self.search, self.earlier or {}) for end in _ENDS]
        return ExitCode.UNDECIDED if strict and self.effect == "not shown" and None in ends else ExitCode.FINE
