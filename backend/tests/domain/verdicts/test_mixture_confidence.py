"""What chance may have done to the mixture: wrong words come up no more often than 5 % of the time.

The truth lies just outside of what would make the word right, so that every PASS, or FAIL, is an error. The
long table of such simulations is in docs/adr/0010.
"""

import numpy as np
import numpy.typing as npt
import pytest

from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import OperationEvidence
from tailroom.domain.verdicts.plan_model import PlanModel, model_of

WINDOW_NS = 1_000_000
LAYOUT = ExplicitLayout((0, WINDOW_NS, 2 * WINDOW_NS))
READS = 10
PIECE_READS = 2_000
"""Fewer than a piece needs to stand by itself: spells are shorter than the pieces that are joined."""


def pieces_of(over: npt.NDArray[np.int64]) -> IntervalRecords:
    """Pieces with an exact count of reads at or over the window."""
    size = over.size
    cells = np.stack((PIECE_READS - over, over), axis=1)
    filled = cells > 0
    none, unknown = np.zeros(size, np.int64), np.full(size, -1)
    return IntervalRecords(
        layout=LAYOUT,
        start_ns=np.arange(size) * 10**10,
        duration_ns=np.full(size, 10**10),
        offsets=np.concatenate(([0], np.cumsum(filled.sum(axis=1)))),
        indices=np.tile([0, 1], (size, 1))[filled],
        counts=cells[filled],
        errors=none,
        timeouts=none,
        unfinished=none,
        sum_ns=unknown,
        min_ns=unknown,
        max_ns=unknown,
    )


def regimes(rng: np.random.Generator, size: int, share: float, sojourn: float) -> npt.NDArray[np.bool_]:
    """Which pieces lie in the bad regime, entered and left by chance."""
    leave, enter = 1.0 / sojourn, share / (1.0 - share) / sojourn
    bad, found = bool(rng.random() < share), np.empty(size, np.bool_)
    for position, chance in enumerate(rng.random(size)):
        found[position] = bad
        bad = chance >= leave if bad else chance < enter
    return found


def model(over: npt.NDArray[np.int64], objective: float) -> PlanModel:
    intervals = pieces_of(over)
    plan = Plan((Stage("read", READS, READS, Scheduling.PARALLEL),))
    budget = TransactionBudget("simulated", 1, "", "", plan, WINDOW_NS, objective)
    reads = OperationEvidence("read", "service", intervals.total(), intervals)
    return model_of(budget, {"read": reads}, 1 << 9)


@pytest.mark.parametrize(
    ("pieces", "good", "bad", "share", "sojourn"),
    [
        (120, 1e-3, 1e-3, 0.2, 1.0),
        (150, 5e-4, 5e-3, 0.2, 1.0),
        (300, 5e-4, 5e-3, 0.2, 5.0),
        (300, 1e-5, 0.5, 0.03, 1.0),
    ],
    ids=["one regime", "pieces by chance", "episodes", "rare failures"],
)
def test_wrong_words_are_rare(pieces: int, good: float, bad: float, share: float, sojourn: float) -> None:
    rng = np.random.default_rng(7)
    truth = (1.0 - share) * (1.0 - good) ** READS + share * (1.0 - bad) ** READS
    passed = failed = 0
    for _ in range(40):
        slow = regimes(rng, pieces, share, sojourn)
        over = rng.binomial(PIECE_READS, np.where(slow, bad, good)).astype(np.int64)
        found = model(over, truth)
        passed += found.confident.lower > truth
        failed += found.confident.upper < truth
    # 5 % of 40 are 2; more than 5 would come up once in seventy times at exactly 5 %.
    assert passed <= 5
    assert failed <= 5


def test_agreeing_pieces_cost_nothing_beyond_their_reads() -> None:
    found = model(np.zeros(100, np.int64), 0.99)
    assert found.mixture is not None
    assert found.mixture.costs["operations"] > 0.0
    assert found.mixture.costs["pieces"] == pytest.approx(0.0, abs=1e-9)


def test_one_bad_piece_costs_as_much_as_a_count_of_one() -> None:
    over = np.zeros(100, np.int64)
    over[50] = PIECE_READS
    found = model(over, 0.9)
    assert found.mixture is not None
    # Clopper–Pearson for 1 of 100: at most 4.66 %.
    assert found.mixture.at_window[0] == pytest.approx(0.99)
    assert found.mixture.costs["pieces"] == pytest.approx(0.0466 - 0.01, abs=2e-4)


def test_episodes_are_worth_fewer_pieces() -> None:
    scattered, together = np.zeros(200, np.int64), np.zeros(200, np.int64)
    scattered[::20] = PIECE_READS // 2
    together[90:100] = PIECE_READS // 2
    one, other = model(scattered, 0.9), model(together, 0.9)
    assert one.mixture is not None
    assert other.mixture is not None
    assert one.at_window == pytest.approx(other.at_window)
    assert other.mixture.groups.effective_pieces < one.mixture.groups.effective_pieces / 4.0
    assert other.confident.lower < one.confident.lower
