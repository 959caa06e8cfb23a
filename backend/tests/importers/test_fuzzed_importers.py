"""Damaged files of every importer: refused by name or read with problems, never an exception, never slow.

The same harness runs for hours from the command line (`backend/bench/fuzz_importers.py`); here ten
files of each importer, always the same ones.
"""

import pytest
from backend.bench import fuzz_importers
from backend.tests.importers.reading import SAMPLES

from tailroom.importers.registry import IMPORTERS

NUMBER = 10


@pytest.fixture(scope="module")
def samples() -> dict[str, list[tuple[str, bytes]]]:
    """Sample files by importer."""
    return fuzz_importers.samples_of([SAMPLES])


@pytest.mark.parametrize("importer", [one.name for one in IMPORTERS])
def test_damaged_files(importer: str, samples: dict[str, list[tuple[str, bytes]]]) -> None:
    """No exception but the named ones, no document that is no JSON, nothing that takes seconds."""
    findings = fuzz_importers.fuzz(samples[importer], seed=2026, number=NUMBER, seconds=30.0)
    assert findings.samples > 0
    assert [(name, why) for name, why, _ in findings.wrong] == []


def test_the_harness_finds_something(
    samples: dict[str, list[tuple[str, bytes]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An importer that fails is seen; otherwise a green test would mean nothing."""
    findings = fuzz_importers.Findings()
    name, data = samples["act"][0]
    monkeypatch.setattr(fuzz_importers, "inspect_sources", lambda *_: 1 / 0)
    fuzz_importers.try_one(name, data, findings)
    assert "ZeroDivisionError" in findings.wrong[0][1]
