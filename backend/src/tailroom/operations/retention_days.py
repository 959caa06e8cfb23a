"""Retention days of an organisation for each kind of data.

An operator's settings are the maximum; an owner may choose fewer days. Finer data expire before the sums made
from them.
"""

from dataclasses import asdict, dataclass
from typing import Self

from tailroom.kit.errors import LocatedProblem
from tailroom.kit.settings import Settings
from tailroom.storage.organisation import RETENTION, Organisation

MOST_DAYS = 36_500
_LABELS = {
    "tick_days": "seconds",
    "interval_days": "intervals",
    "minute_days": "minutes",
    "raw_file_days": "uploaded files",
}


@dataclass(frozen=True, slots=True)
class RetentionDays:
    """Days after the last data of a run, or after the arrival of a file; None means until deletion."""

    tick_days: int | None = None
    """Data of single seconds."""
    interval_days: int | None = None
    """Intervals, as agents send them."""
    minute_days: int | None = None
    """Slices of a minute and of ten minutes."""
    raw_file_days: int | None = None
    """Uploaded files."""

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """Return the operator's settings: the maximum for every organisation."""
        return cls(*(getattr(settings, name) for name in RETENTION))

    @classmethod
    def wanted_by(cls, organisation: Organisation) -> Self:
        """Return the days chosen by the owners of an organisation; None for each that they did not choose."""
        return cls(*(getattr(organisation, name) for name in RETENTION))

    def within(self, longest: "RetentionDays") -> "RetentionDays":
        """Return for each kind of data the fewer days of both; None if both are None."""
        return RetentionDays(*map(_minimum, self._in_order(), longest._in_order()))

    def problems(self, longest: "RetentionDays") -> list[LocatedProblem]:
        """Return why an owner cannot set these days, given the operator's maximum; empty if the owner can."""
        problems = [
            LocatedProblem(field=name, reason=f"{_LABELS[name]} are stored for {most} days at most here")
            for name, days, most in zip(_LABELS, self._in_order(), longest._in_order(), strict=True)
            if days is not None and most is not None and days > most
        ]
        if problems:
            return problems
        held = self.within(longest)
        finer = (("tick_days", "interval_days"), ("interval_days", "minute_days"))
        return [
            LocatedProblem(
                field=name,
                reason=f"{_LABELS[name]} go before {_LABELS[coarser]}: give them at most {days} days",
            )
            for name, coarser in finer
            if not getattr(self, name) is getattr(self, coarser) is None
            and (days := getattr(held, coarser)) is not None
            and ((own := getattr(held, name)) is None or own > days)
        ]

    def _in_order(self) -> list[int | None]:
        return list(asdict(self).values())


def _minimum(first: int | None, second: int | None) -> int | None:
    return min((days for days in (first, second) if days is not None), default=None)
