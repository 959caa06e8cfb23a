"""Measure how often a verdict is wrong if the truth equals the objective and latency regimes alternate.

Every confident PASS or FAIL about such a truth is an error; 95 % confidence allows 5 %. The last three truths
have a bad regime that occurs about once or twice in a run, so that a run may miss it (docs/adr/0010).

`python -m backend.bench.regimes --runs 100`
"""

import argparse
import sys
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import OperationEvidence
from tailroom.domain.verdicts.plan_model import PlanModel, model_of

WINDOW_NS = 1_000_000
LAYOUT = ExplicitLayout((0, WINDOW_NS, 2 * WINDOW_NS))
PIECE_READS = 2_000
"""Reads of a slice: too few to be judged alone, so that an episode may be shorter than the joined slices."""
_BINS = 1 << 9


@dataclass(frozen=True, slots=True)
class Truth:
    """Parallel reads with a share of late reads in good and in bad slices.

    `share` is the share of bad slices, and `sojourn` the mean length of an episode in slices.
    """

    name: str
    pieces: int
    good: float
    bad: float
    share: float
    sojourn: float
    reads: int = 10

    @property
    def within(self) -> float:
        """Return the share of transactions in time."""
        good, bad = ((1.0 - late) ** self.reads for late in (self.good, self.bad))
        return float(good + self.share * (bad - good))

    def recorded(self, rng: np.random.Generator) -> IntervalRecords:
        """Return one simulated run."""
        slow = regimes(rng, self.pieces, self.share, self.sojourn)
        late = rng.binomial(PIECE_READS, np.where(slow, self.bad, self.good))
        return pieces_of(late.astype(np.int64))


TRUTHS = (
    Truth("one regime, 200 pieces", 200, 1e-3, 1e-3, 0.2, 1.0),
    Truth("one regime, hardly a slow read, 60 pieces", 60, 1e-5, 1e-5, 0.2, 1.0),
    Truth("20 % of 200 pieces ten times worse, by chance", 200, 5e-4, 5e-3, 0.2, 1.0),
    Truth("the same in episodes of 5", 200, 5e-4, 5e-3, 0.2, 5.0),
    Truth("2 % of 400 pieces fail half of their reads", 400, 1e-5, 0.5, 0.02, 1.0),
    Truth("half of 1,000 pieces bad, in episodes of 20", 1_000, 5e-4, 5e-3, 0.5, 20.0),
    Truth("250 reads, 10 % of 360 pieces bad, in episodes of 6", 360, 1e-5, 1e-3, 0.1, 6.0, 250),
    Truth("one regime, 120 pieces", 120, 1e-3, 1e-3, 0.2, 1.0),
    Truth("20 % of 150 pieces ten times worse, by chance", 150, 5e-4, 5e-3, 0.2, 1.0),
    Truth("3 % of 300 pieces fail half of their reads", 300, 1e-5, 0.5, 0.03, 1.0),
    Truth("60 pieces, about two episodes of 5", 60, 5e-4, 5e-3, 1 / 6, 5.0),
    Truth("200 pieces, about two episodes of 10", 200, 5e-4, 5e-3, 0.1, 10.0),
    Truth("400 pieces, about one episode of 3", 400, 5e-4, 5e-3, 0.0075, 3.0),
)


def pieces_of(over: npt.NDArray[np.int64]) -> IntervalRecords:
    """Return slices with an exact count of reads at or over the window."""
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
    """Return which slices belong to the bad regime, which begins and ends at random."""
    leave, enter = 1.0 / sojourn, share / (1.0 - share) / sojourn
    bad, is_slow = bool(rng.random() < share), np.empty(size, np.bool_)
    for position, chance in enumerate(rng.random(size)):
        is_slow[position] = bad
        bad = chance >= leave if bad else chance < enter
    return is_slow


def model(intervals: IntervalRecords, objective: float, reads: int = 10) -> PlanModel:
    """Return the model of `reads` parallel reads, judged against the objective."""
    plan = Plan((Stage("read", reads, reads, Scheduling.PARALLEL),))
    budget = TransactionBudget("simulated", 1, "", "", plan, WINDOW_NS, objective)
    evidence = OperationEvidence("read", "service", intervals.total(), intervals)
    return model_of(budget, {"read": evidence}, _BINS)


def wrong_words(truth: Truth, runs: int, seed: int) -> tuple[int, int]:
    """Return how many runs prove a PASS, and how many a FAIL, of an objective that equals the truth."""
    rng = np.random.default_rng(seed)
    passed = failed = 0
    for _ in range(runs):
        confident = model(truth.recorded(rng), truth.within, truth.reads).confident
        passed += confident.lower > truth.within
        failed += confident.upper < truth.within
    return passed, failed


def main() -> None:
    """Simulate every truth and print the errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100, help="simulated runs of each truth")
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    for truth in TRUTHS:
        passed, failed = wrong_words(truth, arguments.runs, arguments.seed)
        shares = (100 * passed / arguments.runs, 100 * failed / arguments.runs)
        sys.stdout.write(f"{truth.name:55} wrong PASS {shares[0]:5.1f} %, wrong FAIL {shares[1]:5.1f} %\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
