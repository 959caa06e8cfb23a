"""Responses as pandas data frames (`pip install 'tailroom-client[pandas]'`), with the digits of the API."""

from collections.abc import Iterable

import pandas as pd

from tailroom_client.models import Curve, Figures, LeaderboardRow, RunSummary, Trend


def runs_frame(runs: Iterable[RunSummary]) -> pd.DataFrame:
    """Return a row for each run, with two columns for each budget: the verdict and its strength."""
    rows = [
        {
            "run_id": str(run.run_id),
            "title": run.title,
            "workload": run.workload,
            "started_at": run.started_at,
            "host_name": run.host_name,
            "tool": run.tool,
            **{verdict.budget_name: verdict.verdict for verdict in run.verdicts},
            **{f"{verdict.budget_name} strength": verdict.strength for verdict in run.verdicts},
        }
        for run in runs
    ]
    return pd.DataFrame(rows)


def leaderboard_frame(rows: Iterable[LeaderboardRow]) -> pd.DataFrame:
    """Return a row for each drive under one set of conditions."""
    names = ("drive_slug", "drive", "passed_load", "failed_load", "rank_best", "rank_worst", "visibility")
    return pd.DataFrame([{name: getattr(row, name) for name in names} for row in rows])


def figures_frame(figures: Figures) -> pd.DataFrame:
    """Return a row for each quantity of each operation and clock."""
    return pd.DataFrame(
        [
            {
                "operation": operation.operation,
                "clock": operation.clock,
                "quantity": figure.quantity,
                "lower": figure.lower,
                "upper": figure.upper,
                "lower_limit": figure.lower_limit,
                "upper_limit": figure.upper_limit,
            }
            for operation in figures.operations
            for figure in operation.figures
        ]
    )


def percentiles_frame(curves: Iterable[Curve]) -> pd.DataFrame:
    """Return a row for each quantile of each operation and clock; an unbounded end is missing."""
    return pd.DataFrame(
        [
            {
                "operation": curve.operation,
                "clock": curve.clock,
                "quantile": point.quantile,
                "lower_ns": point.lower_ns,
                "upper_ns": point.upper_ns,
            }
            for curve in curves
            for point in curve.points
        ]
    )


def trend_frame(trend: Trend) -> pd.DataFrame:
    """Return a row for each run and quantity; `is_step` marks the first run at a new level."""
    steps = set(trend.steps)
    return pd.DataFrame(
        [
            {
                "run_id": str(point.run_id),
                "started_at": point.started_at,
                "verdict": point.verdict,
                "strength": point.strength,
                "quantity": figure.quantity,
                "lower": figure.lower,
                "upper": figure.upper,
                "lower_limit": figure.lower_limit,
                "upper_limit": figure.upper_limit,
                "is_step": (figure.quantity, point.run_id) in steps,
            }
            for point in trend.points
            for figure in point.figures
        ]
    )
