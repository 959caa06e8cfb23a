"""What a mean and a standard deviation prove about the tail, where a tool prints nothing finer.

Cantelli's inequality holds for the recorded values themselves, whatever their distribution: of values with
mean `m` and standard deviation `s`, at most `s² / (s² + (t − m)²)` lie at or over a time `t > m`, and at most
`s² / (s² + (m − t)²)` at or below a time `t < m`. The deviation of a sample (divided by n − 1) is larger
than the one meant here, so that with it the statement stays true. Source: Cantelli, "Intorno ad un teorema
fondamentale della teoria del rischio" (1910).
"""

from fractions import Fraction

from tailroom.importers.statements import MAX_TIME_NS, Statements

_STEPS = tuple(Fraction(step, 4) for step in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512))


def add_moments(
    statements: Statements, mean_ns: tuple[float, float], deviation_ns: float, *, exact_ns: int = 1
) -> None:
    """Adds the mean, and what follows at some distances from it. `deviation_ns` is its upper end.

    `exact_ns` is how much later than recorded a latency may have ended (recorded in whole microseconds:
    1,000), which keeps the statements true of the latencies themselves.
    """
    least, most = mean_ns
    statements.mean_ns = (least, most + exact_ns - 1)
    variance = Fraction(deviation_ns) ** 2
    if variance == 0:
        statements.span(max(0, int(least)), int(most) + 1 + exact_ns)
        return
    for step in _STEPS:
        distance = Fraction(deviation_ns) * step
        share = variance / (variance + distance**2)
        late_ns = -((-Fraction(most) - distance) // 1) + exact_ns
        if late_ns < MAX_TIME_NS:
            statements.at_least(int(late_ns), 1 - share)
        early_ns = (Fraction(least) - distance) // 1
        if early_ns > 0:
            statements.at_most(int(early_ns), share)
