"""What chance may have done to the mixture: wrong words come up no more often than 5 % of the time.

The truth lies just outside of what would make the word right, so that every PASS, or FAIL, is an error. More
such simulations: backend/bench/regimes.py.
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


def test_pieces_that_fail_altogether_are_worth_a_count_of_pieces() -> None:
    over = np.zeros(100, np.int64)
    over[[11, 50, 87]] = PIECE_READS
    found = model(over, 0.9)
    assert found.at_window[0] == pytest.approx(0.97, abs=1e-6)
    # Two thousand reads in each make a fifth as many joined pieces.
    assert found.default.independent_blocks() < 100


def test_episodes_are_worth_fewer_blocks() -> None:
    scattered, together = np.zeros(1_000, np.int64), np.zeros(1_000, np.int64)
    scattered[::20] = PIECE_READS // 2
    together[450:500] = PIECE_READS // 2
    spread, episode = model(scattered, 0.9), model(together, 0.9)
    assert episode.default.independent_blocks() < spread.default.independent_blocks() / 4.0
    assert episode.confident.lower < spread.confident.lower
