"""New runs against those of a baseline, and judged by a budget, for `tailroom gate`."""

from collections.abc import Sequence

from tailroom.cli import comparison_text
from tailroom.cli.baselines import Baseline, NoBaseline, baseline_of
from tailroom.cli.budgets import budget_named
from tailroom.cli.judge import Required, checks_of, exit_code_of
from tailroom.cli.pipeline_files import Check
from tailroom.cli.result_files import UNREADABLE, reason_about, reason_of, runs_of, with_answers
from tailroom.cli.subjects import compare_subjects, subject_named
from tailroom.cli.terminal import stop
from tailroom.comparison.subjects import Subject
from tailroom.domain.comparison.comparison import Comparison
from tailroom.domain.comparison.figures import QUANTILES
from tailroom.domain.comparison.history import HistoryComparison
from tailroom.domain.units import percentile_name
from tailroom.domain.verdicts.budget_kinds import PercentileBudget
from tailroom.domain.verdicts.headline import words
from tailroom.domain.verdicts.other_tools import budgets_for_uploads
from tailroom.evidence.file import judge_runs
from tailroom.kit.exit_codes import ExitCode
from tailroom.uploads.storable import workload_of


class RunComparison:
    """Comparison of new runs with those of the baseline; made by `run`."""

    def __init__(self, baseline: str, operation: str | None, smallest: float, quantile: str | None) -> None:
        """Store the options. Differences below the ratio `smallest` count as none."""
        self.baseline, self.operation, self.smallest = baseline, operation, smallest
        self.quantile = quantile
        self.comparison: Comparison | None = None
        self.differences: list[HistoryComparison] = []
        self.runs_before: Baseline | None = None

    @property
    def is_worse(self) -> bool:
        """Whether a regression is shown; False without a comparison."""
        return (
            self.comparison is not None and self.exit_code(strict=False, is_baseline=False) is ExitCode.FAILED
        )

    def run(self, names: Sequence[str]) -> None:
        """Compare the runs of these files with the baseline and store the result in this object.

        Without a baseline, no comparison is stored. End the command if a run cannot be read or compared.
        """
        new = [subject_named(name, self.operation, None, None) for name in names]
        try:
            try:
                self.runs_before = baseline_of(self.baseline, self.operation, names)
            except NoBaseline:
                # Runs that cannot even be compared with themselves are no baseline.
                self._compare(new, new)
                return
            base = subject_named(self.runs_before.address, self.operation, None, None)
            self.comparison, self.differences = self._compare([base], new)
        except UNREADABLE as error:
            stop(f"{', '.join(names)} cannot be compared with {self.baseline}: {reason_of(error)}")

    def _compare(
        self, bases: Sequence[Subject], new: Sequence[Subject]
    ) -> tuple[Comparison, list[HistoryComparison]]:
        """Return the comparison and the differences from the baseline's runs. Raise as `compare_subjects`."""
        _, comparison, differences = compare_subjects(
            bases,
            new,
            self.operation,
            smallest=self.smallest,
            baseline=self.runs_before,
            quantile=self.quantile,
        )
        return comparison, differences

    def answer(self, branch: str) -> str:
        """Return the result as a sentence; `branch`: branch of the new runs."""
        if self.comparison is None and branch == self.baseline:
            return f"First runs of {branch}: they are the baseline."
        if self.comparison is None:
            return f"There is no baseline yet: {self.baseline} has no run."
        return comparison_text.answer(self.comparison, self.differences)

    def lines(self) -> list[str]:
        """Return lines with figures, factors, notes and differences from the baseline; empty without one."""
        if self.comparison is None:
            return []
        figures = comparison_text.lines(self.comparison, self.differences)[1:]
        return [*figures, *comparison_text.history_lines(self.runs_before, self.differences)]

    def checks(self) -> list[Check]:
        """Return the figures as checks of a pipeline; empty without a comparison."""
        return [] if self.comparison is None else comparison_text.checks(self.comparison)

    def exit_code(self, *, strict: bool, is_baseline: bool) -> ExitCode:
        """Return the exit code of the comparison.

        Without a comparison: FINE if the new runs are of the baseline's branch, else NO_BASELINE. With
        `strict`, UNDECIDED instead of FINE for two single runs, which prove nothing.
        """
        if self.comparison is None:
            return ExitCode.FINE if is_baseline else ExitCode.NO_BASELINE
        return ExitCode(comparison_text.exit_code(self.comparison, strict=strict))


def watch_budget(file: str) -> str:
    """Return the name of the first budget that judges runs of this result file, or end the command."""
    try:
        runs = runs_of(file, None)
    except UNREADABLE as error:
        stop(f"{file} cannot be read: {reason_of(error)}")
    budgets = [budget.name for run in runs for budget in budgets_for_uploads(workload_of(run))]
    if not budgets:
        stop(f"{file} holds no run that a budget judges, so no branch can be watched by it.")
    return budgets[0]


def first_quantile(budget: str | None) -> str | None:
    """Return the first quantile of a budget that can be compared, as `p99.9`; None without one.

    End the command if the budget cannot be read.
    """
    if budget is None:
        return None
    try:
        chosen = budget_named(budget)
    except UNREADABLE as error:
        stop(f"the budget {budget} cannot be read: {reason_of(error)}")
    limits = chosen.limits if isinstance(chosen, PercentileBudget) else ()
    return next((percentile_name(limit.quantile) for limit in limits if limit.quantile in QUANTILES), None)


def judge_file(name: str, budget: str, operation: str | None) -> tuple[str, list[Check], ExitCode]:
    """Return the verdict on a result file as a line, as checks and as an exit code, or end the command."""
    try:
        chosen = budget_named(budget)
        runs = [with_answers(run, operation, None, None) for run in runs_of(name, None)]
        assessment, _ = judge_runs(runs, chosen)
    except UNREADABLE as error:
        stop(f"{name} cannot be judged: {reason_about(name, error)}")
    text = f"{words(assessment.judgement)}: {chosen.title or chosen.name}, {name}"
    code = exit_code_of(assessment.judgement, Required.OBSERVED)
    checks = [
        check._replace(name=f"{check.name}, {name}") for check in checks_of(assessment, Required.OBSERVED)
    ]
    return text, checks, code
