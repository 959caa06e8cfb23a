"""Numbers that languages repeat are compared as they stand in the code."""

from pathlib import Path

import pytest
from backend.tooling import constants

_PYTHON = """
LIMITS_NS = (NS_PER_MS, 8 * NS_PER_MS)
'64 of them.'
RATIO: float = 0.7
"""
_RUST = "/// 3 words.\npub(crate) const LIMITS_NS: [u64; 2] = [1_000_000, 1 << 3];\nconst RATIO: f64 = 0.7;\n"
_PAGES = "const OTHER = 5;\nexport const RATIO = 0.7;\nconst SPAN: number = 4 * 2 ** 20;\n"
_TABLE = """# Numbers
| what | value | where |
|---|---|---|
| share | 0.7 | `a.py` `RATIO`, `b.rs` `RATIO`, `c.ts` `RATIO` |
| limits | 1000000 8000000 | `a.py` `LIMITS_NS` |
| other limits | 1000000 8 | `b.rs` `LIMITS_NS` |
| span | 4194304 | `c.ts` `SPAN` |
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small checkout in three languages."""
    (tmp_path / constants.TABLE).parent.mkdir(parents=True)
    for name, text in ((constants.TABLE, _TABLE), ("a.py", _PYTHON), ("b.rs", _RUST), ("c.ts", _PAGES)):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_equal_numbers_are_no_problem(root: Path) -> None:
    assert list(constants.problems(root)) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("a.py", "8 *", "9 *", "a.py: LIMITS_NS is [1000000.0, 9000000.0]"),
        ("b.rs", "0.7", "0.8", "b.rs: RATIO is [0.8]"),
        ("b.rs", "1 << 3", "1 << 4", "b.rs: LIMITS_NS is [1000000.0, 16.0]"),
        ("c.ts", "const RATIO", "const SHARE", "c.ts defines no RATIO"),
        ("c.ts", "2 ** 20", "2 ** 21", "c.ts: SPAN is [8388608.0]"),
        (constants.TABLE, "`a.py` `LIMITS_NS`", "nowhere", "no place is named"),
    ],
)
def test_what_differs_is_named(root: Path, file: str, old: str, new: str, expected: str) -> None:
    changed = root / file
    changed.write_text(changed.read_text().replace(old, new, 1))
    found = list(constants.problems(root))
    assert len(found) == 1
    assert expected in found[0]


def test_the_numbers_of_this_checkout_are_equal() -> None:
    assert list(constants.problems(constants.ROOT)) == []
