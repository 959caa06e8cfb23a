"""Damaged files of every importer: refused by name or read with problems, never an exception, never slow.

The same harness runs for hours from the command line (`backend/bench/fuzz_importers.py`); here twenty
files of each importer, always the same ones.
"""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tailroom.importers.registry import IMPORTERS

SAMPLES = Path(__file__).parent / "samples"
NUMBER = 20


def _harness() -> ModuleType:
    path = Path(__file__).parents[2] / "bench" / "fuzz_importers.py"
    spec = importlib.util.spec_from_file_location("fuzz_importers", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


HARNESS = _harness()


@pytest.fixture(scope="module")
def samples() -> dict[str, list[tuple[str, bytes]]]:
    """Sample files by importer."""
    return HARNESS.samples_of([SAMPLES])  # type: ignore[no-any-return]


@pytest.mark.parametrize("importer", [one.name for one in IMPORTERS])
def test_damaged_files(importer: str, samples: dict[str, list[tuple[str, bytes]]]) -> None:
    """No exception but the named ones, no document that is no JSON, nothing that takes seconds."""
    of_importer = samples.get(importer, [])
    if not of_importer:
        pytest.skip(f"no samples of {importer}")
    findings = HARNESS.fuzz(of_importer, seed=2026, number=NUMBER, seconds=30.0)
    assert findings.samples > 0
    assert [(name, why) for name, why, _ in findings.wrong] == []


def test_the_harness_finds_something(
    samples: dict[str, list[tuple[str, bytes]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An importer that fails is seen; otherwise a green test would mean nothing."""
    findings = HARNESS.Findings()
    name, data = samples["act"][0]
    monkeypatch.setattr(HARNESS, "inspect_sources", lambda *_: 1 / 0)
    HARNESS.try_one(name, data, findings)
    assert "ZeroDivisionError" in findings.wrong[0][1]
