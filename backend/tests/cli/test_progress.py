"""Progress: on a terminal, of work that lasts; nothing of it in pipes, and nothing of short work."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLE = Path(__file__).parents[1] / "importers" / "samples" / "act" / "act66_storage_3x_1dev_us_90s.log"
COMMAND = """
import sys
import tailroom.cli.progress as progress
progress.SHOWN_AFTER_S = float(sys.argv.pop(1))
from tailroom.cli.main import main
main()
"""
WORDS = [sys.executable, "-c", COMMAND]
NO_KEY = {"report": [], "pack": ["--no-sign"]}


def on_terminal(shown_after_s: str, *words: str) -> tuple[str, str]:
    """Return standard output, and what a terminal gets as standard error."""
    master, terminal = pty.openpty()
    process = subprocess.Popen(
        [*WORDS, shown_after_s, *words],
        stdout=subprocess.PIPE,
        stderr=terminal,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "120"},
    )
    os.close(terminal)
    written = b""
    while True:
        try:
            piece = os.read(master, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        written += piece
    os.close(master)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return output.decode(), written.decode()


def test_long_reading_shows_its_rate_and_the_time_left_and_is_wiped_away() -> None:
    output, errors = on_terminal("0", "export", str(SAMPLE), "--to", "prometheus")
    assert f"reading {SAMPLE.name}" in errors
    assert re.search(r"[\d.]+/[\d.]+ [kM]B", errors)
    assert "\x1b[2K" in errors
    assert SAMPLE.name not in output
    assert "# TYPE tailroom_run gauge" in output


@pytest.mark.parametrize(
    ("command", "name", "doing"),
    [("report", "of.html", "writing of.html"), ("pack", "of.zip", "packing of.zip")],
)
def test_long_calculations_show_their_time(command: str, name: str, doing: str, tmp_path: Path) -> None:
    output, errors = on_terminal(
        "0", command, str(SAMPLE), "--output", str(tmp_path / name), *NO_KEY[command]
    )
    assert doing in errors
    assert re.search(r"0:00:\d\d", errors)
    assert "verdicts" in output


def test_short_reading_shows_nothing() -> None:
    assert on_terminal("3600", "export", str(SAMPLE), "--to", "prometheus")[1] == ""


def test_a_pipe_gets_no_progress() -> None:
    done = subprocess.run(
        [*WORDS, "0", "export", str(SAMPLE), "--to", "prometheus"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == ""
