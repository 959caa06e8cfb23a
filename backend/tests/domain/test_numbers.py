"""The same evidence gives the same numbers for as long as the version of the method stays.

After a change that is meant: `TAILROOM_WRITE_GOLDEN=1 pytest backend/tests/domain/test_numbers.py`.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from backend.tests.domain import numbers, numbers_of_findings, numbers_of_verdicts
from backend.tests.domain.numbers_as_json import written

from tailroom.domain.transactions.work import WorkExceeded, at_most, spend

_FILE = Path(__file__).with_name("numbers.json")
_MOST_POINTS = 10**15
"""More points of work than all scenarios need: spent after one, the error names the work of it."""
_SCENARIOS = {
    name.removeprefix("of_").replace("_", " "): scenario
    for module in (numbers, numbers_of_verdicts, numbers_of_findings)
    for name, scenario in vars(module).items()
    if name.startswith("of_")
}


def _leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Each value that is no object and no list, after its place."""
    if not isinstance(value, dict | list):
        yield place, value
        return
    yield f"{place}/", len(value)
    for key, each in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _leaves(each, f"{place}/{key}")


def _parts(value: Any) -> tuple[dict[str, float], dict[str, Any]]:
    """Fractions, which may differ in their last digits, and all else."""
    leaves = dict(_leaves(value))
    numbers = {place: each for place, each in leaves.items() if isinstance(each, float)}
    return numbers, {place: each for place, each in leaves.items() if place not in numbers}


def _lines(value: Any, depth: int) -> str:
    """JSON with a line for each entry of objects down to a depth."""
    if not depth or not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    entries = (f"{json.dumps(key)}: {_lines(each, depth - 1)}" for key, each in value.items())
    return "{\n" + ",\n".join(entries) + "\n}"


@pytest.mark.parametrize("name", _SCENARIOS)
def test_numbers_stay(name: str) -> None:
    known = json.loads(_FILE.read_text(encoding="utf-8")) if _FILE.exists() else {}
    with at_most(_MOST_POINTS):
        computed = json.loads(json.dumps(written(_SCENARIOS[name]())))
        with pytest.raises(WorkExceeded) as exceeded:
            spend(_MOST_POINTS + 1)
    computed = {"work": str(exceeded.value), "numbers": computed}
    if os.environ.get("TAILROOM_WRITE_GOLDEN") == "1":
        known[name] = computed
        _FILE.write_text(_lines(dict(sorted(known.items())), depth=3) + "\n", encoding="utf-8")
    (fractions, others), (known_fractions, known_others) = _parts(computed), _parts(known[name])
    assert others == known_others
    assert fractions == pytest.approx(known_fractions, rel=1e-6, abs=1e-12)
