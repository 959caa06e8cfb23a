"""What chance may have done to the mixture: wrong words come up no more often than 5 % of the time.

The truth lies just outside of what would make the word right, so that every PASS, or FAIL, is an error. The
long table of such simulations is in docs/adr/0010.
"""

import numpy as np
import numpy.typing as npt
import pytest
from backend.bench.regimes import PIECE_READS, Truth, pieces_of, wrong_words
from backend.bench.regimes import model as model_of_pieces

from tailroom.domain.verdicts.plan_model import PlanModel


def model(over: npt.NDArray[np.int64], objective: float) -> PlanModel:
    return model_of_pieces(pieces_of(over), objective)


@pytest.mark.parametrize(
    "truth",
    [
        Truth("one regime", 120, 1e-3, 1e-3, 0.2, 1.0),
        Truth("pieces by chance", 150, 5e-4, 5e-3, 0.2, 1.0),
        Truth("episodes", 300, 5e-4, 5e-3, 0.2, 5.0),
        Truth("rare failures", 300, 1e-5, 0.5, 0.03, 1.0),
    ],
    ids=lambda one: one.name,
)
def test_wrong_words_are_rare(truth: Truth) -> None:
    passed, failed = wrong_words(truth, 40, 7)
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
