"""Shares are written as docs/contracts/golden/shares.json says; the page is tested against the same table."""

import json
from pathlib import Path
from typing import Any

import pytest

from tailroom.domain.units import share_text

GOLDEN = Path(__file__).parents[3] / "docs" / "contracts" / "golden" / "shares.json"


@pytest.mark.parametrize("share", json.loads(GOLDEN.read_text(encoding="utf-8"))["shares"], ids=str)
def test_a_share_is_written_as_in_the_table(share: dict[str, Any]) -> None:
    text = share_text(share["lower"], share["upper"], share["limit"], counted=share["counted"])

    assert text == share["text"], share["why"]
