"""Class names that are defined twice are reported with both places."""

from pathlib import Path

import pytest
from backend.tooling import class_names


def _write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_a_repeated_class_name_is_reported_with_its_places(tmp_path: Path) -> None:
    """Nested and private classes count, functions of the same name do not."""
    _write(tmp_path, "backend/src/a.py", "class Verdict:\n    class _Row:\n        pass\n")
    _write(tmp_path, "backend/src/room/b.py", "def Verdict():\n    pass\n\n\nclass _Row:\n    pass\n")
    _write(tmp_path, "workers/src/c.py", "class Verdict:\n    pass\n\n\nclass Worker:\n    pass\n")
    assert list(class_names.problems(tmp_path)) == [
        "class Verdict: backend/src/a.py:1, workers/src/c.py:1",
        "class _Row: backend/src/a.py:2, backend/src/room/b.py:5",
    ]


def test_class_names_of_the_checkout_are_unique(capsys: pytest.CaptureFixture[str]) -> None:
    """The check ends with 0 and says so."""
    assert class_names.main() == 0
    assert capsys.readouterr().out == "class names are unique\n"
