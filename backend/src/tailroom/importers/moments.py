"""The bounds of the tail that follow from a mean and a standard deviation.

Cantelli's inequality holds for the recorded values themselves, whatever their distribution: of values with
mean `m` and standard deviation `s`, at most `s² / (s² + (t − m)²)` are at or over a time `t > m`, and at most
`s² / (s² + (m − t)²)` at or below a time `t < m`. The deviation of a sample (divided by n − 1) is larger than
that of the formula, so that the inequality holds with it. Source: Cantelli, "Intorno ad un
teorema fondamentale della teoria del rischio" (1910).
"""

from fractions import Fraction

from tailroom.importers.statements import MAX_TIME_NS, Statements

STEPS = tuple(
    (step, Fraction(16, 16 + step**2), Fraction(step**2, 16 + step**2))
    for step in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512)
)
"""Distance in quarters of a deviation, largest share as far from the mean on one side, and 1 minus it."""


def add_moments(
    statements: Statements, mean_ns: tuple[float, float], deviation_ns: float, *, exact_ns: int = 1
) -> None:
    """Add the bounds of the mean, and those of the distribution at the distances of `STEPS` from it.

    `mean_ns` are lower and upper bound, `deviation_ns` an upper bound; 0 puts all latencies at the mean.
    Latencies may be longer than recorded, by less than `exact_ns`: 1,000 for whole microseconds.
    """
    least, most = mean_ns
    statements.mean_ns = (least, most + exact_ns - 1)
    if deviation_ns == 0:
        statements.span(max(0, int(least)), int(most) + 1 + exact_ns)
        return
    deviation, parts = deviation_ns.as_integer_ratio()
    late, late_parts = most.as_integer_ratio()
    early, early_parts = least.as_integer_ratio()
    for step, share, rest in STEPS:
        late_ns = exact_ns - (-4 * late * parts - step * deviation * late_parts) // (4 * late_parts * parts)
        if late_ns < MAX_TIME_NS:
            statements.at_least(late_ns, rest)
        early_ns = (4 * early * parts - step * deviation * early_parts) // (4 * early_parts * parts)
        if early_ns > 0:
            statements.at_most(early_ns, share)
