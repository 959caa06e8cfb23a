"""Figures of drive counters in words, as pages, reports and tables print them alike."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from tailroom.domain.drive_counters.summary import CounterFigure

LABELS = {
    "host_written_bytes": "Written by hosts, as the drive counts",
    "kernel_written_bytes": "Written by this machine, as its kernel counts",
    "agent_written_bytes": "Written by the measurement",
    "foreign_written_bytes": "Written by others on this machine",
    "media_written_bytes": "Written to the flash",
    "write_amplification_ratio": "Write amplification",
    "life_at_this_load_hours": "Life at this load",
    "throttled_s": "Slowed down by heat",
    "throttling_count": "Times slowed down by heat",
    "warning_minutes": "Time beyond the warning temperature",
    "temperature_max_c": "Highest temperature read",
    "media_errors": "Media errors",
    "pcie_errors": "Corrected errors of the link",
    "link_ratio": "Link, of what drive and slot can do",
    "wear_used_pct": "Rated life used",
    "available_spare_pct": "Spare blocks left",
    "spare_threshold_pct": "Least spare blocks allowed",
    "critical_warning": "Critical warning",
    "over_volume_limit_s": "Over the volume's limit",
    "over_instance_limit_s": "Over the machine's limit",
}
"""Display name of each figure by its key."""
_UNITS = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B"))
_YEAR_H, _DAY_H = 24 * 365, 24
_DIGITS = 4


def text_of(figure: CounterFigure) -> str:
    """Return the figure in a fitting unit (`TB`, `days`), rounded outward to four figures; without an upper
    bound `or more` follows. An unknown figure is `not known` with its reason.
    """
    lower, upper = figure.lower, figure.upper
    if lower is None:
        return f"not known: {figure.reason}"
    if figure.key == "critical_warning":
        return "none" if lower == 0 else f"{int(lower):#x}"
    size, unit = _unit_of(figure, upper if upper is not None else lower)
    space = "" if not unit else " "
    low = _four_digits(lower / size, ROUND_FLOOR)
    if upper is None:
        return f"{low}{space}{unit} or more"
    high = _four_digits(upper / size, ROUND_CEILING)
    return f"{low}{space}{unit}" if low == high else f"{low}–{high}{space}{unit}"


def _unit_of(figure: CounterFigure, largest: float) -> tuple[float, str]:
    """Return the size of the display unit, in units of the figure, and its name, for the value to show."""
    if figure.unit == "bytes":
        return next(((size, name) for size, name in _UNITS if largest >= size), _UNITS[-1])
    if figure.unit == "h":
        return (
            (_YEAR_H, "years") if largest >= _YEAR_H else (_DAY_H, "days") if largest >= _DAY_H else (1, "h")
        )
    if figure.key == "link_ratio":
        return 0.01, "%"
    return 1, {"ratio": "", "count": ""}.get(figure.unit, figure.unit)


def _four_digits(value: float, rounding: str) -> str:
    """Return a number with four significant digits, at most six decimals, and separated thousands."""
    if value == 0:
        return "0"
    digits = _DIGITS - 1 - math.floor(math.log10(abs(value)))
    number = Decimal(repr(value)).quantize(Decimal(1).scaleb(-min(max(digits, 0), 6)), rounding)
    return f"{number:,f}".rstrip("0").rstrip(".") if "." in f"{number:f}" else f"{number:,f}"
