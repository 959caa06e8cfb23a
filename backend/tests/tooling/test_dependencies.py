"""The check of locked packages finds what it is there for."""

import shutil
from datetime import date, timedelta
from pathlib import Path

import pytest
from backend.tooling import dependencies

ROOT = Path(__file__).parents[3]
FILES = ("uv.lock", "package-lock.json", "Cargo.lock", dependencies.POLICY)
TODAY = date(2026, 11, 24)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_what_is_locked_keeps_the_policy() -> None:
    assert list(dependencies.problems(ROOT, TODAY)) == []
    assert {one.ecosystem for one in dependencies.packages(ROOT)} == {"pypi", "npm", "crates"}


@pytest.mark.parametrize(
    ("name", "old", "new", "why"),
    [
        (
            "uv.lock",
            'registry = "https://pypi.org/simple"',
            'registry = "https://evil.example"',
            "comes from",
        ),
        ("uv.lock", 'hash = "sha256:', 'hash = "md5:', "has no hash"),
        ("package-lock.json", '"integrity": "sha512-', '"integrity": "sha1-', "has no hash"),
        (
            "Cargo.lock",
            "registry+https://github.com/rust-lang/crates.io-index",
            "git+https://x",
            "comes from",
        ),
        ("Cargo.lock", "checksum = ", "nothing = ", "has no hash"),
        (dependencies.POLICY, 'below = "46.0.0"', 'below = "9999.0"', "is below 9999.0"),
        (dependencies.POLICY, 'name = "pyjwt"', 'name = "joserfc"', "is refused"),
    ],
)
def test_what_does_not_is_named(copy: Path, name: str, old: str, new: str, why: str) -> None:
    text = (copy / name).read_text()
    assert old in text
    (copy / name).write_text(text.replace(old, new, 1))
    assert why in " ".join(dependencies.problems(copy, TODAY))


def test_a_policy_that_nobody_looked_at_for_long_says_so() -> None:
    assert "looked at" in " ".join(dependencies.problems(ROOT, TODAY + timedelta(days=200)))
