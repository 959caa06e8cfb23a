"""P14: durations of tests, and whether the printed dates leave enough time for them.

A certification test of ACT runs 24 h on one drive. Dates are compared as printed; `11/2/2011` and `11/02/11`
are one day. Source: docs/method.md 7, P14, 6.1 and 3.4; findings A05, A10.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date

from tailroom.domain.plausibility.finding import Finding, consistent, figure
from tailroom.domain.plausibility.material import DriveRow
from tailroom.domain.units import NS_PER_HOUR, duration_text

HOURS_OF_A_TEST = 24
CERTIFICATION_NS = HOURS_OF_A_TEST * NS_PER_HOUR

_DATE = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})")


def date_of(printed: str) -> date | None:
    """Return a date printed as month/day/year, else None. Two digits mean a year from 2000 on."""
    match = _DATE.fullmatch(printed.strip())
    if match is None:
        return None
    month, day, year = (int(part) for part in match.groups())
    try:
        return date(year if year >= 100 else 2000 + year, month, day)
    except ValueError:
        return None


def style_of(printed: str) -> str:
    """Return how many digits month, day and year have, `2/1/4` for `11/2/2011`; `other` for other text."""
    match = _DATE.fullmatch(printed.strip())
    return "other" if match is None else "/".join(str(len(part)) for part in match.groups())


def one_day_each(tests: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the finding on drives with several tests on one day, or that none has; no date, no comparison."""
    by_day: dict[tuple[str, date], list[DriveRow]] = defaultdict(list)
    for test in tests:
        day = None if test.date is None else date_of(test.date)
        if day is not None:
            by_day[test.drive, day].append(test)
    if not by_day:
        return
    crowded = {place: same_day for place, same_day in by_day.items() if len(same_day) > 1}
    if not crowded:
        statement = f"Each of {len(tests)} tests of {HOURS_OF_A_TEST} h has a day of its own."
        yield consistent("P14", statement, (figure("tests", len(tests), "count"),))
        return
    words = "; ".join(
        f"{subject}: {len(same_day)} tests on {day.isoformat()} ({len(same_day) * HOURS_OF_A_TEST} h)"
        for (subject, day), same_day in crowded.items()
    )
    yield Finding(
        "P14",
        "medium",
        "implausible dates",
        f"One test takes {HOURS_OF_A_TEST} h. {words}. Either drives ran in parallel, or shorter, or the "
        "dates are those of a report.",
        tuple(
            figure(f"{subject}, {day.isoformat()}", len(same_day) * HOURS_OF_A_TEST, "h")
            for (subject, day), same_day in crowded.items()
        ),
        tuple(test.keys[0] for same_day in crowded.values() for test in same_day),
    )


def missing_dates(tests: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the finding on tests without a date among dated tests, if any."""
    dated = [test.date for test in tests if test.date is not None]
    missing = [test for test in tests if test.date is None]
    if not dated or not missing:
        return
    styles = {style_of(printed) for printed in dated}
    statement = (
        f"{len(missing)} of {len(tests)} tests have no date "
        f"({'; '.join(test.drive for test in missing)}); the others are written in {len(styles)} "
        "styles."
    )
    figures = (
        figure("tests without a date", len(missing), "count"),
        figure("styles of dates", len(styles), "count"),
    )
    yield Finding("P14", "low", "missing date", statement, figures, tuple(test.keys[0] for test in missing))


def long_enough(measured_ns: int) -> Finding:
    """Return the finding on whether a run (ns) lasted as long as a certification test."""
    figures = (
        figure("measured", measured_ns, "ns"),
        figure("of a certification test", CERTIFICATION_NS, "ns"),
    )
    if measured_ns < CERTIFICATION_NS:
        statement = (
            f"The run lasted {duration_text(measured_ns)}; a certification test takes "
            f"{duration_text(CERTIFICATION_NS)}. Drives have been seen to degrade after 8 to 12 h, which a "
            "shorter run does not show."
        )
        return Finding("P14", "info", "shorter than a certification test", statement, figures)
    return consistent(
        "P14", f"The run lasted {duration_text(measured_ns)}, as a certification test must.", figures
    )
