"""Shares are written as docs/contracts/golden/shares.json says; the page is tested against the same table."""

import json
from pathlib import Path
from typing import Any

import pytest

from tailroom.domain.units import proven_share_text, share_text

GOLDEN = Path(__file__).parents[3] / "docs" / "contracts" / "golden" / "shares.json"


@pytest.mark.parametrize("share", json.loads(GOLDEN.read_text(encoding="utf-8"))["shares"], ids=str)
def test_a_share_is_written_as_in_the_table(share: dict[str, Any]) -> None:
    text = share_text(share["lower"], share["upper"], share["limit"], counted=share["counted"])

    assert text == share["text"], share["why"]


@pytest.mark.parametrize(
    ("lower", "upper", "text"),
    [(0.0, 0.041, "at most 4.1 %"), (0.04, 0.041, "4–4.1 %"), (0.0, 1.0, "0–100 %"), (0.0, 0.0, "0 %")],
)
def test_what_is_not_proven_below_is_no_range(lower: float, upper: float, text: str) -> None:
    assert proven_share_text(lower, upper) == text
