"""Processes end with their starter, in order when asked, and never leave children behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from backend.tests.waiting import is_gone, until

from tailroom.embedded.process import ProcessError, Specification, start, tail

SLEEPER = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(60)"]
STUBBORN_PROGRAM = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("up", flush=True)
time.sleep(60)
"""
STUBBORN = [sys.executable, "-c", STUBBORN_PROGRAM]
PARENT_PROGRAM = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(child.pid, flush=True)
time.sleep(60)
"""
PARENT = [sys.executable, "-c", PARENT_PROGRAM]
STARTER = """
import sys, time
from pathlib import Path
from backend.tests.waiting import is_gone, until
from tailroom.embedded.process import Specification, start
process = start("sleeper", Specification(argv=[sys.executable, "-c", "import time; time.sleep(60)"],
                                         remove=[Path(sys.argv[1])]))
print(process.pid, flush=True)
time.sleep(60)
"""


def test_output_goes_to_the_log_and_the_exit_code_comes_back(tmp_path: Path) -> None:
    log = tmp_path / "a log.txt"
    process = start("echo", Specification(argv=["/bin/sh", "-c", "echo hello; exit 7"]), log_path=log)
    assert process.wait(60) == 7
    assert process.log_tail() == "hello"


def test_a_signal_is_told_as_128_and_its_number(tmp_path: Path) -> None:
    process = start("sleeper", Specification(argv=SLEEPER))
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait(60) == 128 + signal.SIGKILL


def test_captured_output_ends_with_the_process() -> None:
    process = start("echo", Specification(argv=["/bin/sh", "-c", "echo one; echo two"]), capture=True)
    assert process.output.read() == b"one\ntwo\n"
    assert process.wait(60) == 0


def test_stop_ends_with_the_first_stage() -> None:
    process = start("sleeper", Specification(argv=SLEEPER), capture=True)
    process.output.readline()
    assert process.stop(5) == 128 + signal.SIGTERM


def test_who_ignores_the_stages_is_killed() -> None:
    process = start("stubborn", Specification(argv=STUBBORN, stop=((signal.SIGTERM, 0.1),)), capture=True)
    process.output.readline()
    assert process.stop(5) == 128 + signal.SIGKILL


def test_kill_does_not_wait_for_stages() -> None:
    process = start("stubborn", Specification(argv=STUBBORN, stop=((signal.SIGTERM, 60.0),)), capture=True)
    process.output.readline()
    assert process.kill() == 128 + signal.SIGKILL


def test_children_of_an_ended_process_end_too() -> None:
    process = start("parent", Specification(argv=PARENT), capture=True)
    grandchild = int(process.output.readline())
    os.kill(process.pid, signal.SIGKILL)
    process.wait(60)
    until(lambda: is_gone(grandchild))


def test_killing_the_starter_ends_the_process_and_removes_its_folders(tmp_path: Path) -> None:
    folder = tmp_path / "short"
    folder.mkdir()
    starter = subprocess.Popen([sys.executable, "-c", STARTER, str(folder)], stdout=subprocess.PIPE)
    assert starter.stdout is not None
    pid = int(starter.stdout.readline())
    assert not is_gone(pid)
    starter.kill()
    starter.wait()
    until(lambda: is_gone(pid))
    until(lambda: not folder.exists())


def test_killing_the_keeper_ends_the_process_too() -> None:
    process = start("sleeper", Specification(argv=SLEEPER), capture=True)
    process.output.readline()
    psutil.Process(process.pid).parent().kill()
    until(lambda: is_gone(process.pid))


def test_folders_stay_when_the_process_ended_by_itself(tmp_path: Path) -> None:
    folder = tmp_path / "short"
    folder.mkdir()
    process = start("echo", Specification(argv=["/bin/true"], remove=[folder]))
    process.wait(60)
    assert folder.exists()


def test_a_missing_program_is_named() -> None:
    with pytest.raises(ProcessError, match=r"nothing could not be started: .*/no/such/program"):
        start("nothing", Specification(argv=["/no/such/program"]))


def test_tail_of_a_missing_file_is_empty(tmp_path: Path) -> None:
    assert tail(tmp_path / "none", 5) == ""


def test_the_environment_reaches_the_process_and_no_argument_list() -> None:
    env = {**os.environ, "A_SECRET": "for-the-process-alone"}
    command = ["/bin/sh", "-c", 'echo "$A_SECRET"; exec sleep 60']
    process = start("keeper of secrets", Specification(argv=command, env=env), capture=True)
    assert process.output.readline() == b"for-the-process-alone\n"
    running = psutil.Process(process.pid)
    keeper = running.parent()
    assert keeper is not None
    assert "for-the-process-alone" not in " ".join([*keeper.cmdline(), *running.cmdline()])
    process.kill()
