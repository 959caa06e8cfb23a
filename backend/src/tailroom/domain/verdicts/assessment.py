"""The assessment of a budget: its verdict, the figures behind it, and both JSON forms."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.units import NS_PER_MS
from tailroom.domain.verdicts import transaction_json
from tailroom.domain.verdicts.budget_kinds import Budget, ExceedanceBudget, Limit
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
        return self._document(transaction_json.document, is_provisional=provisional)

    def summary(self) -> dict[str, Any]:
        """Return the figures for programs (`--json`, API) by name; None if unknown or not of this kind."""
        return summary_of(self._document(transaction_json.figures))

    def _document(
        self,
        of_transaction: Callable[[TransactionAssessment], dict[str, Any]],
        *,
        is_provisional: bool = False,
    ) -> dict[str, Any]:
        """Return the document, with `of_transaction` of the transaction's assessment as its section."""
        budget = self.budget
        return {
            "budget": {
                "name": budget.name,
                "version": budget.version,
                "title": budget.title,
                "question": budget.question,
            },
            "kind": self.kind,
            **verdict_fields(self, is_provisional=is_provisional),
            "stage": stage_of(self.data_through_ns).value,
            "provisional": is_provisional,
            "method_version": METHOD_VERSION,
            "data_through_ns": self.data_through_ns,
            "validity": self.validity.document() if self.validity else None,
            "exceedance": self._exceedance(is_provisional=is_provisional),
            "transaction": of_transaction(self.transaction) if self.transaction else None,
            "rows": self.rows(is_provisional=is_provisional),
            "criteria": [
                part._document(of_transaction, is_provisional=is_provisional) for part in self.criteria
            ],
        }

    def rows(self, *, is_provisional: bool = False) -> list[dict[str, Any]]:
        """Return a JSON row for each limit, then for each floor; of a rule set those of all its parts."""
        limits = self.limits.rows if self.limits else ()
        rows = [_limit_row(row, is_provisional=is_provisional) for row in limits]
        rows += [_floor_row(row, is_provisional=is_provisional) for row in self.floors]
        return rows + [row for part in self.criteria for row in part.rows(is_provisional=is_provisional)]

    def _exceedance(self, *, is_provisional: bool) -> dict[str, Any] | None:
        """Return the section of an `ExceedanceBudget` in the document; None for others, and if no operation
        was measured. Its certification is None if the budget has none.
        """
        limits = self.limits
        if not isinstance(self.budget, ExceedanceBudget) or limits is None:
            return None
        certification = limits.certification and {
            "required_duration_ns": self.budget.certification_duration_ns,
            "measured_duration_ns": self.data_through_ns,
            **_verdict_keys(limits.certification, is_provisional=is_provisional),
            "reason_text": limits.certification.reason_text,
        }
        return {
            "operation": limits.operation,
            "clock": limits.clock,
            "rows": [_exceedance_row(row, is_provisional=is_provisional) for row in limits.rows],
            "certification": certification,
        }


def _verdict_keys(judgement: Judgement, *, is_provisional: bool) -> dict[str, Any]:
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
    bounds_ns = {end: transaction.get(f"room_{end}_ns") for end in ("lower", "upper")}
    room_ms = {end: None if bound is None else bound / NS_PER_MS for end, bound in bounds_ns.items()}
    return {
        "budget": document["budget"] | {"kind": document["kind"]},
        **{name: document[name] for name in (*VERDICT_FIELDS, "stage")},
        **{name: transaction.get(name) for name in transaction_json.FIGURES},
        "room_ms": room_ms,
        **{name: document[name] for name in ("validity", "method_version")},
        "models": transaction.get("models") or NO_MODELS,
        "rows": document["rows"],
        "certification": (document["exceedance"] or {}).get("certification"),
        "criteria": [summary_of(part) for part in document["criteria"]],
        "measured_ns": document["data_through_ns"],
    }


def _exceedance_row(row: LimitRow, *, is_provisional: bool) -> dict[str, Any]:
    """Return a limit's row as stored with an exceedance verdict: shares at or over the threshold, and
    `limit_ratio`, the share that is allowed. Without operations, or their number, what depends on it is None.
    """
    measured, limit = row.measured, row.limit
    has_operations = measured.total > 0
    has_shares = has_operations or not measured.is_counted
    return {
        "threshold_ns": measured.threshold_ns,
        "limit_ratio": limit.ratio if isinstance(limit, Limit) else 1.0 - limit.quantile,
        "over_count": measured.over_upper if measured.is_counted else None,
        "total_count": measured.total if measured.is_counted else None,
        "ratio": measured.share_upper if has_shares else None,
        "ratio_lower": measured.ratio_lower if has_operations else None,
        "ratio_upper": measured.ratio_upper if has_operations else None,
        "share_lower": measured.share_lower if has_shares else None,
        "share_upper": measured.share_upper if has_shares else None,
        **_verdict_keys(row.judgement, is_provisional=is_provisional),
    }


_VALUES = ("value", "value_lower", "value_upper", "observed_lower", "observed_upper")
_ROW_KEYS = (
    *("kind", "operation", "clock", "threshold_ns", "quantile", "quantity", "limit"),
    *("over_count", "total_count", *_VALUES),
)
"""Keys of the JSON row of a limit or floor; those that do not apply are None."""


def _limit_row(row: LimitRow, *, is_provisional: bool) -> dict[str, Any]:
    """Return the JSON row of a limit: shares at or over an exceedance limit, else shares below the time."""
    limit, shares = row.limit, _exceedance_row(row, is_provisional=is_provisional)
    names = ("ratio", "ratio_lower", "ratio_upper", "share_lower", "share_upper")
    values = [shares[name] for name in names]
    kind, quantile, required = "exceedance", None, shares["limit_ratio"]
    if not isinstance(limit, Limit):
        kind, quantile, required = "percentile", limit.quantile, limit.quantile
        below = [None if share is None else 1.0 - share for share in values]
        values = [below[0], below[2], below[1], below[4], below[3]]
    return {
        **dict.fromkeys(_ROW_KEYS),
        "kind": kind,
        "operation": row.operation,
        "clock": row.clock,
        "threshold_ns": row.measured.threshold_ns,
        "quantile": quantile,
        "limit": required,
        "over_count": shares["over_count"],
        "total_count": shares["total_count"],
        **dict(zip(_VALUES, values, strict=True)),
        **_verdict_keys(row.judgement, is_provisional=is_provisional),
        "reason_text": row.judgement.reason_text,
    }


def _floor_row(row: FloorRow, *, is_provisional: bool) -> dict[str, Any]:
    """Return the JSON row of a floor. Values are rates per second, None if the rate was not recorded."""
    low, high = (row.measured.lower, row.measured.upper) if row.measured else (None, None)
    middle = None if row.measured is None else (row.measured.lower + row.measured.upper) / 2.0
    return {
        **dict.fromkeys(_ROW_KEYS),
        "kind": "throughput",
        "quantity": row.floor.quantity,
        "limit": row.floor.above,
        **dict(zip(_VALUES, (middle, low, high, low, high), strict=True)),
        **_verdict_keys(row.judgement, is_provisional=is_provisional),
        "reason_text": row.judgement.reason_text,
    }
