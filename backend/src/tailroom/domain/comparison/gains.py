"""The gain of one figure over another, with confidence limits of the ratio.

The ratio `new / base` gets limits by the method of variance estimates recovery on the logarithm: the distance
of each side's limit from its own figure, added in squares. It starts from the recorded bounds that are
closest to each other, so that the width of buckets never counts as a difference. The spread between parts of
each run is added in squares too, because runs differ by more than the operations of one run show. A
difference is significant when the limits exclude 1 and the figures differ by at least the smallest change.
Source: docs/method.md 2.6; Zou and Donner, Statistics in Medicine 27 (2008) 1693.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from scipy.special import stdtrit

from tailroom.domain.comparison.figures import COUNT, ERROR, Better, Figure, better, is_share
from tailroom.domain.comparison.smallest_change import SMALLEST_CHANGE_RATIO
from tailroom.domain.comparison.spread import PARTS
from tailroom.domain.confidence.shares import SMALLEST_POINTS_RATIO, SMALLEST_RELATIVE_RATIO

_SPREAD_QUANTILE = -float(stdtrit(2 * (PARTS - 1), ERROR / COUNT / 2.0))
"""Student's quantile for the spread of the parts of two runs."""


class Effect(StrEnum):
    """Effect of a change on a quantity. `OPEN`: neither a difference nor equality is shown."""

    BETTER = "better"
    WORSE = "worse"
    SAME = "same"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Gain:
    """One quantity of both sides, and the effect of the change from `base` to `new`. `ratio_lower` and
    `ratio_upper` are confidence limits of `new / base`, None if open or unknown, for the reason `why`.
    """

    quantity: str
    base: Figure
    new: Figure
    ratio_lower: float | None
    ratio_upper: float | None
    effect: Effect
    why: str

    @property
    def significant(self) -> bool:
        """Whether the effect is better or worse."""
        return self.effect in {Effect.BETTER, Effect.WORSE}

    @property
    def record_ratio(self) -> tuple[float | None, float | None]:
        """Bounds of `new / base` by both records alone; None if open."""
        lower = self.new.lower / self.base.upper if self.base.upper else None
        upper = (
            self.new.upper / self.base.lower if self.new.upper is not None and self.base.lower > 0 else None
        )
        return lower, upper


def gain_of(base: Figure, new: Figure, smallest_change: float = SMALLEST_CHANGE_RATIO) -> Gain:
    """Return the gain of `new` over `base` by limits of their ratio; shares by `gain_of_shares`."""
    if is_share(base.quantity):
        return gain_of_shares(base, new)
    between = _run_half_width(base, new)
    lower = _lower_ratio_limit(new.lower, new.lower_limit, base.upper, base.upper_limit, between)
    inverse = _lower_ratio_limit(base.lower, base.lower_limit, new.upper, new.upper_limit, between)
    upper = 1.0 / inverse if inverse else None
    effect = effect_of_ratio(base, new, (lower, upper), smallest_change)
    return Gain(base.quantity, base, new, lower, upper, effect, new.why_no_limits or base.why_no_limits)


def _run_half_width(base: Figure, new: Figure) -> float:
    """Return half the interval of the difference of two runs by the spread of their parts."""
    return _SPREAD_QUANTILE * math.hypot(base.spread or 0.0, new.spread or 0.0)


def _lower_ratio_limit(
    top: float, top_limit: float | None, bottom: float | None, bottom_limit: float | None, between: float
) -> float | None:
    """Return the lower limit of `top / bottom`, None if a limit is unknown, 0 if `top` may be 0. `between` is
    half the width by the spread between runs, on the logarithm.
    """
    if top_limit is None or bottom is None or bottom_limit is None:
        return None
    if top_limit <= 0.0 or top <= 0.0 or bottom <= 0.0:
        return 0.0
    away = math.hypot(math.log(top / top_limit), math.log(bottom_limit / bottom), between)
    return top / bottom * math.exp(-away)


def effect_of_ratio(
    base: Figure, new: Figure, ratio: tuple[float | None, float | None], smallest_change: float
) -> Effect:
    """Return the effect that the confidence limits of `new / base` show: better or worse if they exclude 1
    and the figures differ by at least `smallest_change` (relative), the same if both limits are that close to
    1, else open.
    """
    lower, upper = ratio
    apart = 1.0 + smallest_change
    middle = new.middle / base.middle if base.middle > 0.0 else math.inf
    if lower is not None and lower > 1.0 and middle >= apart:
        return Effect.BETTER if better(base.quantity) is Better.HIGHER else Effect.WORSE
    if upper is not None and upper < 1.0 and middle <= 1.0 / apart:
        return Effect.WORSE if better(base.quantity) is Better.HIGHER else Effect.BETTER
    if lower is not None and upper is not None and lower >= 1.0 / apart and upper <= apart:
        return Effect.SAME
    return Effect.OPEN


def gain_of_shares(base: Figure, new: Figure) -> Gain:
    """Return the gain from `base` to `new` of a share of which less is better. It is `WORSE` or `BETTER` if
    the limits lie further apart than runs vary, and the shares differ by at least 0.1 percentage points or a
    tenth of the larger. It is `SAME` if all limits lie within the greater of these two differences, else
    `OPEN`, as with an unknown limit.
    """
    why = new.why_no_limits or base.why_no_limits
    if None in {base.lower_limit, base.upper_limit, new.lower_limit, new.upper_limit}:
        return Gain(base.quantity, base, new, None, None, Effect.OPEN, why)
    (base_lower, base_upper), (new_lower, new_upper) = share_limits(base), share_limits(new)
    between = _run_half_width(base, new)
    lower = new_lower / base_upper if base_upper > 0.0 else None
    upper = new_upper / base_lower if base_lower > 0.0 else None
    gap = abs(new.middle - base.middle)
    tenth = SMALLEST_RELATIVE_RATIO * max(new.middle, base.middle)
    matters = gap >= min(SMALLEST_POINTS_RATIO, tenth)
    effect = Effect.OPEN
    if new_lower > base_upper + between and matters:
        effect = Effect.WORSE
    elif new_upper < base_lower - between and matters:
        effect = Effect.BETTER
    elif max(new_upper, base_upper) - min(new_lower, base_lower) < max(SMALLEST_POINTS_RATIO, tenth):
        effect = Effect.SAME
    return Gain(base.quantity, base, new, lower, upper, effect, why)


def share_limits(figure: Figure) -> tuple[float, float]:
    """Return the confidence limits of a share; unknown limits count as 0 and 1."""
    return figure.lower_limit or 0.0, 1.0 if figure.upper_limit is None else figure.upper_limit
