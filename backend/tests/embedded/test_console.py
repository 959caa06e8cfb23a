"""Steps on a terminal and in a log."""

import io

import pytest

from tailroom.embedded.console import Console, duration


def test_in_a_log_a_step_has_a_line_at_its_start_and_one_at_its_end() -> None:
    stream = io.StringIO()
    console = Console(stream, live=False)
    with console.step("the database"):
        console.detail("the database", "creating")
    lines = stream.getvalue().splitlines()
    assert len(lines) == 2
    assert lines[0].endswith("the database")
    assert "the database (creating)" in lines[1]
    assert lines[1].endswith("0.0 s")


def test_a_failed_step_is_marked() -> None:
    stream = io.StringIO()
    console = Console(stream, live=False)
    with pytest.raises(RuntimeError), console.step("the database"):
        raise RuntimeError
    assert "✗" in stream.getvalue() or "!!" in stream.getvalue()


def test_a_live_line_gives_way_to_lines_that_stay() -> None:
    stream = io.StringIO()
    console = Console(stream, live=True)
    console.live("12 of 30 s")
    console.line("done")
    assert "12 of 30 s\r\x1b[2Kdone\n" in stream.getvalue()


def test_a_log_has_no_live_lines() -> None:
    stream = io.StringIO()
    Console(stream, live=False).live("12 of 30 s")
    assert stream.getvalue() == ""


def test_a_terminal_without_unicode_gets_plain_signs() -> None:
    raw = io.BytesIO()
    console = Console(io.TextIOWrapper(raw, encoding="ascii"), live=False)
    with console.step("µs"):
        pass
    assert raw.getvalue().splitlines()[1].startswith(b"  ok ?s")


def test_a_reader_that_went_away_does_not_stop_the_work() -> None:
    class Gone(io.StringIO):
        def write(self, _text: str) -> int:
            raise BrokenPipeError

    Console(Gone(), live=False).line("still here")


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.04, "0.0 s"), (0.84, "0.8 s"), (41.2, "41 s"), (125.0, "2 min 05 s")]
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text
