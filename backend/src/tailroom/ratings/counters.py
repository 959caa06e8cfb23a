"""Drive counters of a leaderboard row, at the highest load that it holds, if counters were read there.

Write amplification and life depend on the load, so figures of different loads are not mixed.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row

from tailroom.analysis.drive_counters import figure_out
from tailroom.domain.drive_counters.of_test import FIGURES_OF_TESTS, figures_of_document, figures_of_tests
from tailroom.ratings.load_table import LoadTable

_ENDS = [(key, end) for key in FIGURES_OF_TESTS for end in ("lower", "upper")]
COUNTER_COLUMNS = ("counters_load", *(f"{key}_{end}" for key, end in _ENDS))
"""CSV columns of drives: the load, then bounds of each figure; life in hours, throttling in s."""


def counters_of_row(table: LoadTable, index: int) -> dict[str, Any] | None:
    """Return the counter figures of the row at `index`, and their load, a multiple of 1x. That is the row's
    highest passed load if counters were read there, else the highest load with counters. None if no test has
    counters.
    """
    loads = {
        multiple: tests
        for multiple, tests in zip(table.loads, table.tests[index], strict=True)
        if any(test.counters for test in tests)
    }
    if not loads:
        return None
    held = table.rating(index).passed_load
    load = held if held in loads else max(loads)
    return {"load": load, "figures": counters_of_tests(loads[load])}


def counters_of_tests(tests: Sequence[Row[Any]]) -> list[dict[str, Any]]:
    """Return the counter figures of tests for the API; bounds hold for all that state them. May be empty."""
    figures = figures_of_tests(figures_of_document(test.counters) for test in tests)
    return [figure_out(figure).model_dump() for figure in figures]


def counter_cells(counters: dict[str, Any] | None) -> dict[str, float | None]:
    """Return the values of `COUNTER_COLUMNS` that a result of `counters_of_row` states; empty for None."""
    if counters is None:
        return {}
    bounds = {
        f"{figure['key']}_{end}": figure[end] for figure in counters["figures"] for end in ("lower", "upper")
    }
    return {"counters_load": counters["load"], **bounds}
