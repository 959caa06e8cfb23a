"""Every missing prerequisite is one sentence that says what to do, and all are told together."""

from dataclasses import replace
from pathlib import Path

import pytest
from backend.tooling.prerequisites import BUILD_SPACE_BYTES, Machine, missing

EVERYTHING = ["python", "node", "rust", "space"]
VERSIONS = {"node": "v20.20.0", "rustc": "rustc 1.95.0 (abc 2026-04-14)"}


def machine(**versions: str) -> Machine:
    """A machine on which nothing is missing, with these versions of tools."""
    answers = {**VERSIONS, **versions}
    return Machine(
        environment={},
        which=lambda name: f"/usr/bin/{name}",
        version_of=lambda command: answers[command[0]],
        free_bytes=lambda _path: 100 * 10**9,
        has_module=lambda _name: True,
        system="Linux",
        architecture="x86_64",
    )


def without(*tools: str) -> Machine:
    """The same machine without these tools."""
    return replace(machine(), which=lambda name: None if name in tools else f"/usr/bin/{name}")


def test_nothing_is_missing() -> None:
    assert missing(machine(), Path("/checkout"), needs=EVERYTHING) == []


@pytest.mark.parametrize(
    ("lacking", "need", "sentence"),
    [
        (without("node"), "node", "Node.js 20.19 or newer is needed and `node` is not on the PATH: install"),
        (without("npm"), "node", "`npm` is not on the PATH: install it"),
        (machine(node="v18.19.1"), "node", "Node.js 20.19 or newer is needed and this is 18.19.1: install"),
        (without("cargo"), "rust", "Rust 1.88 or newer is needed and `cargo` is not on the PATH: install"),
        (machine(rustc="rustc 1.70.0"), "rust", "and this is 1.70.0: run `rustup update stable`."),
        (machine(rustc="error: no default toolchain"), "rust", "run `rustup default stable`."),
        (without("cc"), "rust", "A C compiler is needed and there is no `cc`: install gcc"),
        (replace(without("no-cc"), environment={"CC": "no-cc"}), "rust", "CC names the C compiler no-cc"),
        (
            replace(machine(), has_module=lambda name: name != "ensurepip"),
            "python",
            "apt install python3-venv",
        ),
        (replace(machine(), free_bytes=lambda _path: 10**9), "space", "has 1.0 GB left: free some space"),
        (replace(machine(), system="Darwin"), "python", "this is Darwin: use a Linux machine."),
        (
            replace(machine(), architecture="riscv64"),
            "python",
            "x86_64 and aarch64 and this is riscv64",
        ),
    ],
)
def test_each_is_told_in_one_sentence(lacking: Machine, need: str, sentence: str) -> None:
    found = missing(lacking, Path("/checkout"), needs=[need])
    assert len(found) == 1
    assert sentence in found[0]
    assert found[0].endswith(".")
    assert "\n" not in found[0]


def test_all_are_told_together() -> None:
    bare = replace(without("node", "npm", "cargo", "cc"), free_bytes=lambda _path: BUILD_SPACE_BYTES - 1)
    assert len(missing(bare, Path("/checkout"), needs=EVERYTHING)) == 5


def test_what_no_step_needs_is_not_asked_for() -> None:
    assert missing(without("node", "cargo"), Path("/checkout"), needs=["python", "space"]) == []
