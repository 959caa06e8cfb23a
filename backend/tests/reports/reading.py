"""Figures read back from a report's page, as a program would."""

from html.parser import HTMLParser
from typing import Any


class Page(HTMLParser):
    """Values of `<data>` elements, by what their table, row or section is about."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.quantiles: dict[tuple[str, str, float], dict[str, float]] = {}
        self.figures: dict[tuple[str, str, str], list[tuple[str, float]]] = {}
        self.verdicts: dict[str, dict[str, Any]] = {}
        self.text = ""
        self._row: tuple[str, str] = ("", "")
        self._table: tuple[str, str] = ("", "")
        self._quantity = ""
        self._quantile: float | None = None
        self._budget = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        got = {name: value or "" for name, value in attrs}
        if tag == "table":
            self._table = (got.get("data-operation", ""), got.get("data-clock", ""))
        if tag == "tr":
            self._row = (got.get("data-operation", ""), got.get("data-clock", ""))
            self._quantity, self._quantile = got.get("data-quantity", ""), None
        if "data-quantile" in got:
            self._quantile = float(got["data-quantile"])
        if "data-budget" in got:
            self._budget = got["data-budget"]
            self.verdicts[self._budget] = {
                "verdict": got["data-verdict"],
                "strength": got["data-strength"] or None,
                "rows": [],
            }
        if tag == "section":
            self._budget = ""
        if tag == "data":
            self._note(got["class"], float(got["value"]))

    def _note(self, name: str, value: float) -> None:
        if self._quantile is not None:
            self.quantiles.setdefault((*self._row, self._quantile), {})[name] = value
        elif self._quantity:
            self.figures.setdefault((*self._table, self._quantity), []).append((name, value))
        elif self._budget and name in {"lower", "upper", "lower-limit", "upper-limit"}:
            self.verdicts[self._budget]["rows"].append(value)
        elif self._budget:
            self.verdicts[self._budget][name] = value

    def handle_data(self, data: str) -> None:
        self.text += data
