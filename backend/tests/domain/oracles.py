"""Known answers of docs/method.md, by id."""

import json
from pathlib import Path
from typing import Any

_ORACLES: dict[str, dict[str, Any]] = {
    one["id"]: one for one in json.loads((Path(__file__).parent / "oracles.json").read_text())
}


def oracle(name: str) -> tuple[dict[str, Any], dict[str, Any], float]:
    """Input, expected answer and tolerance."""
    one = _ORACLES[name]
    return one["input"], one["expected"], float(one["tolerance"])
