"""The assessment of a budget: its verdict, the figures behind it, and both JSON forms."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.units import NS_PER_MS
from tailroom.domain.verdicts import transaction_json
from tailroom.domain.verdicts.budget_kinds import (
    Budget,
    ExceedanceBudget,
    Limit,
)
from tailroom.domain.verdicts.exceedance import LimitRow, LimitsAssessment
from tailroom.domain.verdicts.headline import VERDICT_FIELDS, verdict_fields, words
from tailroom.domain.verdicts.measured_transactions import TransactionAssessment
from tailroom.domain.verdicts.rates import FloorRow
from tailroom.domain.verdicts.validity import Validity
from tailroom.domain.verdicts.verdict import Judgement, stage_of

NO_MODELS: dict[str, Any] = {
    "independent": None,
    "interval_mixture": None,
    "measured": None,
    "worst_case": None,
}
"""The models of a summary without transactions."""


@dataclass(frozen=True, slots=True)
class BudgetAssessment:
    """The verdict on a budget and the figures behind it. `data_through_ns` is the measured time, `bins` the
    number of time steps in the sums of a plan. `transaction`, `limits`, `floors` and `criteria` (parts of a
    rule set) are set only for budgets of that kind.
    """

    budget: Budget
    judgement: Judgement
    data_through_ns: int
    bins: int
    validity: Validity | None = None
    """Reliability of the slices of operations judged by their latencies; None for other kinds."""
    rests_on_unreliable_slices: bool = False
    """Whether the verdict, or that of a part of a rule set, was a FAIL only because of unreliable slices."""
    transaction: TransactionAssessment | None = None
    limits: LimitsAssessment | None = None
    floors: tuple[FloorRow, ...] = ()
    criteria: tuple["BudgetAssessment", ...] = ()
    is_published: bool = False
    """Whether the evidence is a published document about a test."""

    @property
    def kind(self) -> str:
        """Kind of the budget, as in its document."""
        return self.budget.kind

    def document(self, *, provisional: bool = False) -> dict[str, Any]:
        """Return the document stored with a run and shown on its page. `provisional`: the run is live."""
        return {
            **self._head(),
            **verdict_fields(self, is_provisional=provisional),
            "stage": stage_of(self.data_through_ns).value,
            "provisional": provisional,
            "method_version": METHOD_VERSION,
            "data_through_ns": self.data_through_ns,
            "validity": self.validity.document() if self.validity else None,
            "exceedance": self._exceedance(is_provisional=provisional)
            if isinstance(self.budget, ExceedanceBudget)
            else None,
            "transaction": transaction_json.document(self.transaction) if self.transaction else None,
            "rows": self.rows(is_provisional=provisional),
            "criteria": [part.document(provisional=provisional) for part in self.criteria],
        }

    def summary(self) -> dict[str, Any]:
        """Return the figures for programs (`--json`, API) by name; None if unknown or not of this kind."""
        figures = transaction_json.figures(self.transaction)
        return {
            "budget": self._head()["budget"] | {"kind": self.kind},
            **verdict_fields(self),
            "stage": stage_of(self.data_through_ns).value,
            **{name: figures[name] for name in transaction_json.FIGURES},
            "room_ms": _room_ms(figures),
            "validity": self.validity.document() if self.validity else None,
            "method_version": METHOD_VERSION,
            "models": transaction_json.models(self.transaction) if self.transaction else NO_MODELS,
            "rows": self.rows(),
            "certification": self._certification(),
            "criteria": [part.summary() for part in self.criteria],
            "measured_ns": self.data_through_ns,
        }

    def rows(self, *, is_provisional: bool = False) -> list[dict[str, Any]]:
        """Return a JSON row for each limit, then for each floor, with the measurement in the unit of the
        limit. A rule set has the rows of all its parts; budgets of other kinds have none.
        """
        limits = self.limits.rows if self.limits else ()
        rows = [_limit_row(row, is_provisional=is_provisional) for row in limits]
        rows += [_floor_row(row, is_provisional=is_provisional) for row in self.floors]
        return rows + [row for part in self.criteria for row in part.rows(is_provisional=is_provisional)]

    def _head(self) -> dict[str, Any]:
        """Return `budget` (name, version, title and question) and `kind`, which begin every document."""
        budget = self.budget
        return {
            "budget": {
                "name": budget.name,
                "version": budget.version,
                "title": budget.title,
                "question": budget.question,
            },
            "kind": self.kind,
        }

    def _exceedance(self, *, is_provisional: bool) -> dict[str, Any] | None:
        """Return the section of an `ExceedanceBudget` in the document; None if no operation was measured."""
        if self.limits is None:
            return None
        return {
            "operation": self.limits.operation,
            "clock": self.limits.clock,
            "rows": [_exceedance_row(row, is_provisional=is_provisional) for row in self.limits.rows],
            "certification": self._certification(is_provisional=is_provisional),
        }

    def _certification(self, *, is_provisional: bool = False) -> dict[str, Any] | None:
        """Return the judgement on the certification with its required and the measured duration. None if the
        budget has no certification or if no operation was measured.
        """
        if not isinstance(self.budget, ExceedanceBudget) or self.limits is None:
            return None
        if self.limits.certification is None:
            return None
        return {
            "required_duration_ns": self.budget.certification_duration_ns,
            "measured_duration_ns": self.data_through_ns,
            **_verdict_keys(self.limits.certification, is_provisional=is_provisional),
            "reason_text": self.limits.certification.reason_text,
        }


def _verdict_keys(judgement: Judgement, *, is_provisional: bool) -> dict[str, Any]:
    """Return the verdict, its strength (None if undecided), and both in words."""
    return {
        "verdict": judgement.verdict.value,
        "strength": strength_of(judgement),
        "words": words(judgement, is_provisional=is_provisional),
    }


def strength_of(judgement: Judgement) -> str | None:
    """Return a judgement's strength as in documents, `proven` or `observed`; None if it is undecided."""
    return judgement.strength.value if judgement.strength else None


def summary_of(document: dict[str, Any]) -> dict[str, Any]:
    """Return the same figures as `BudgetAssessment.summary`, from the stored document of a verdict."""
    transaction = document["transaction"] or {}
    exceedance = document["exceedance"] or {}
    return {
        "budget": document["budget"] | {"kind": document["kind"]},
        **{name: document[name] for name in VERDICT_FIELDS},
        **{name: document[name] for name in ("stage", "validity", "method_version", "rows")},
        **{name: transaction.get(name) for name in transaction_json.FIGURES},
        "room_ms": _room_ms(transaction),
        "models": transaction.get("models") or NO_MODELS,
        "certification": exceedance.get("certification"),
        "criteria": [summary_of(part) for part in document["criteria"]],
        "measured_ns": document["data_through_ns"],
    }


def _room_ms(figures: Mapping[str, Any]) -> dict[str, float | None]:
    """Return the headroom's bounds in ms, `lower` and `upper`, from `figures` in ns; None if unknown."""
    bounds = {end: figures.get(f"room_{end}_ns") for end in ("lower", "upper")}
    return {end: None if bound is None else bound / NS_PER_MS for end, bound in bounds.items()}


def _exceedance_row(row: LimitRow, *, is_provisional: bool) -> dict[str, Any]:
    """Return a limit's row as stored with an exceedance verdict: shares at or over the threshold, and
    `limit_ratio`, the share that is allowed. If the source does not state the number of operations, counts
    and 95 % limits are None. If there are no operations, shares and 95 % limits are None.
    """
    measured, limit = row.measured, row.limit
    has_operations = measured.total > 0
    return {
        "threshold_ns": measured.threshold_ns,
        "limit_ratio": limit.ratio if isinstance(limit, Limit) else 1.0 - limit.quantile,
        "over_count": measured.over_upper if measured.is_counted else None,
        "total_count": measured.total if measured.is_counted else None,
        "ratio": measured.ratio if has_operations or not measured.is_counted else None,
        "ratio_lower": measured.ratio_lower if has_operations else None,
        "ratio_upper": measured.ratio_upper if has_operations else None,
        "share_lower": measured.share_lower if has_operations or not measured.is_counted else None,
        "share_upper": measured.share_upper if has_operations or not measured.is_counted else None,
        **_verdict_keys(row.judgement, is_provisional=is_provisional),
    }


def _limit_row(row: LimitRow, *, is_provisional: bool) -> dict[str, Any]:
    """Return the JSON row of a limit. Values are shares at or over the threshold for an exceedance limit, but
    shares below the time for a percentile limit.
    """
    measured, limit = row.measured, row.limit
    is_exceedance = isinstance(limit, Limit)
    shares = _exceedance_row(row, is_provisional=is_provisional)

    def in_unit(name: str) -> float | None:
        """Return the named share as it is for an exceedance limit, else 1 less it; None if it is unknown."""
        value: float | None = shares[name]
        return value if value is None or is_exceedance else 1.0 - value

    first, last = ("ratio_lower", "ratio_upper") if is_exceedance else ("ratio_upper", "ratio_lower")
    observed_first, observed_last = (
        ("share_lower", "share_upper") if is_exceedance else ("share_upper", "share_lower")
    )
    return {
        "kind": "exceedance" if is_exceedance else "percentile",
        "operation": row.operation,
        "clock": row.clock,
        "threshold_ns": measured.threshold_ns,
        "quantile": None if isinstance(limit, Limit) else limit.quantile,
        "quantity": None,
        "limit": limit.ratio if isinstance(limit, Limit) else limit.quantile,
        "over_count": shares["over_count"],
        "total_count": shares["total_count"],
        "value": in_unit("ratio"),
        "value_lower": in_unit(first),
        "value_upper": in_unit(last),
        "observed_lower": in_unit(observed_first),
        "observed_upper": in_unit(observed_last),
        **_verdict_keys(row.judgement, is_provisional=is_provisional),
        "reason_text": row.judgement.reason_text,
    }


def _floor_row(row: FloorRow, *, is_provisional: bool) -> dict[str, Any]:
    """Return the JSON row of a floor, with the keys of `_limit_row`. Values are rates per second, None if the
    rate was not recorded.
    """
    measured = row.measured
    return {
        "kind": "throughput",
        "operation": None,
        "clock": None,
        "threshold_ns": None,
        "quantile": None,
        "quantity": row.floor.quantity,
        "limit": row.floor.above,
        "over_count": None,
        "total_count": None,
        "value": (measured.lower + measured.upper) / 2.0 if measured else None,
        "value_lower": measured.lower if measured else None,
        "value_upper": measured.upper if measured else None,
        "observed_lower": measured.lower if measured else None,
        "observed_upper": measured.upper if measured else None,
        **_verdict_keys(row.judgement, is_provisional=is_provisional),
        "reason_text": row.judgement.reason_text,
    }
