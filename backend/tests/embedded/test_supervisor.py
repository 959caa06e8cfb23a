"""What watches the product's processes also keeps their logs small."""

import io
import shutil
import sys
from pathlib import Path

from backend.tests.waiting import until

from tailroom.embedded.console import Console
from tailroom.embedded.process import Specification, SupervisedProcess, start
from tailroom.embedded.supervisor import Supervisor

_TALKER = "while True: print('x' * 999, flush=True)"
_LIMIT_BYTES = 100_000


def test_a_log_that_grows_large_is_put_aside_while_its_process_writes_on(tmp_path: Path) -> None:
    log = tmp_path / "talker.log"
    older = tmp_path / "talker.log.1"

    def talk() -> SupervisedProcess:
        return start("talker", Specification(argv=[sys.executable, "-c", _TALKER]), log_path=log)

    supervisor = Supervisor(Console(io.StringIO()), _LIMIT_BYTES)
    process = talk()
    supervisor.add("talker", process, talk, stop_stage=1)
    supervisor.watch()
    try:
        until(lambda: older.exists() and older.stat().st_size > _LIMIT_BYTES)
        until(lambda: log.stat().st_size > 0)
        assert process.poll() is None
    finally:
        supervisor.stop()
    # Lines go on where the emptied log begins; a file written at its old place would begin with zeros.
    assert b"\0" not in log.read_bytes()


def test_a_process_whose_log_has_no_folder_is_started_again_once_it_has(tmp_path: Path) -> None:
    folder = tmp_path / "log"
    folder.mkdir()

    def sleep() -> SupervisedProcess:
        return start("sleeper", Specification(argv=["sleep", "600"]), log_path=folder / "sleeper.log")

    terminal = io.StringIO()
    supervisor = Supervisor(Console(terminal))
    process = sleep()
    supervisor.add("sleeper", process, sleep, stop_stage=1)
    supervisor.watch()
    try:
        shutil.rmtree(folder)
        process.request_kill()
        until(lambda: "sleeper did not start: [Errno 2] No such file or directory" in terminal.getvalue())
        folder.mkdir()
        until(lambda: "sleeper runs again" in terminal.getvalue())
    finally:
        supervisor.stop()
