"""Steps run when what they read changed, are left out when not, and fail with the end of their output."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from backend.tests.tooling.test_prerequisites import machine, without
from backend.tooling.build import Builder, Checkout, Step, StepFailed

from tailroom.embedded.console import Console


class Room:
    """A checkout with one input file and a builder whose terminal is kept."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.checkout = Checkout(root)
        self.terminal = io.StringIO()
        (root / "input.txt").write_text("one")

    def builder(self) -> Builder:
        """A new builder, as each `make` has one."""
        return Builder(self.checkout, Console(self.terminal, live=False), machine())

    def step(self, name: str = "copy", script: str = "cat input.txt >> output.txt") -> Step:
        """A step that appends its input to its output."""
        return Step(
            name=name,
            label=name,
            commands=[["/bin/sh", "-c", script]],
            inputs=["input.txt"],
            outputs=[self.root / "output.txt"],
            needs=["rust"],
        )


@pytest.fixture
def room(tmp_path: Path) -> Room:
    """A checkout whose path has a space."""
    root = tmp_path / "a checkout"
    root.mkdir()
    return Room(root)


def test_an_unchanged_step_is_left_out(room: Room) -> None:
    room.builder().build([room.step()])
    room.builder().build([room.step()])
    assert (room.root / "output.txt").read_text() == "one"
    assert "unchanged" in room.terminal.getvalue()


def test_a_changed_input_runs_it_again(room: Room) -> None:
    room.builder().build([room.step()])
    (room.root / "input.txt").write_text("two")
    room.builder().build([room.step()])
    assert (room.root / "output.txt").read_text() == "onetwo"


def test_a_missing_output_runs_it_again(room: Room) -> None:
    room.builder().build([room.step()])
    (room.root / "output.txt").unlink()
    room.builder().build([room.step()])
    assert (room.root / "output.txt").read_text() == "one"


def test_a_step_that_another_covers_is_left_out(room: Room) -> None:
    room.builder().build([room.step("more")])
    room.builder().build([replace(room.step("less"), covered_by=["more"])])
    assert (room.root / "output.txt").read_text() == "one"


def test_chains_run_side_by_side_and_each_in_order(room: Room) -> None:
    first = room.step("first", "echo 1 > output.txt")
    second = room.step("second", "cat output.txt > second.txt")
    third = replace(room.step("third", "echo 3 > third.txt"), outputs=[room.root / "third.txt"])
    room.builder().build([first, second], [third])
    assert (room.root / "second.txt").read_text() == "1\n"
    assert (room.root / "third.txt").read_text() == "3\n"


def test_a_failure_shows_the_end_of_the_output_and_runs_again_next_time(room: Room) -> None:
    failing = room.step(script="echo the reason; exit 3")
    for _ in range(2):
        with pytest.raises(StepFailed, match=r"(?s)exit code 3.*the reason.*setup-copy\.log"):
            room.builder().build([failing])


def test_a_full_disk_is_named(room: Room) -> None:
    with pytest.raises(StepFailed, match="The disk is full"):
        room.builder().build([room.step(script="echo 'write: No space left on device'; exit 1")])


def test_a_failed_chain_ends_the_others(room: Room) -> None:
    slow = room.step("slow", "sleep 60")
    with pytest.raises(StepFailed, match="exit code 3"):
        room.builder().build([slow], [room.step("failing", "exit 3")])


def test_a_step_that_makes_nothing_is_an_error(room: Room) -> None:
    with pytest.raises(StepFailed, match=r"did not make .*output\.txt"):
        room.builder().build([room.step(script="true")])


def test_missing_prerequisites_are_told_before_anything_runs(room: Room) -> None:
    builder = Builder(room.checkout, Console(room.terminal, live=False), without("cargo"))
    with pytest.raises(StepFailed, match="`cargo` is not on the PATH"):
        builder.build([room.step()])
    assert not (room.root / "output.txt").exists()


def test_nothing_is_asked_of_the_machine_when_everything_is_there(room: Room) -> None:
    room.builder().build([room.step()])
    Builder(room.checkout, Console(room.terminal, live=False), without("cargo")).build([room.step()])
    assert "unchanged" in room.terminal.getvalue()
    assert "cargo" not in room.terminal.getvalue()


def test_the_callers_environment_does_not_send_results_elsewhere(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", "/elsewhere")
    monkeypatch.setenv("CARGO_TARGET_DIR", "/elsewhere")
    environment = room.checkout.environment()
    assert "/elsewhere" not in environment.values()
    assert environment["UV_PROJECT_ENVIRONMENT"] == str(room.root / ".venv")
