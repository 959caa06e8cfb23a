"""Logging: one structured line per event on standard error, without secrets; a failing log stops nothing.

Tracebacks have no values of variables: those may be tokens or whole bodies, and would take long to write.
"""

import contextlib
import logging
import sys
import traceback
from typing import TextIO

import structlog

from tailroom.kit.encodings import terminal_text

TRACEBACK_FRAMES = 30
TRACEBACK_CHARACTERS = 8_000


def configure_logging() -> None:
    """Log lines for people on a terminal, JSON elsewhere; every line has the values bound to the context."""
    renderers: list[structlog.typing.Processor] = (
        [
            _escape_controls,
            structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
        ]
        if sys.stderr.isatty()
        else [structlog.processors.JSONRenderer()]
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.ExceptionRenderer(short_traceback),
            *renderers,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=_UnfailingLoggers(sys.stderr),
        cache_logger_on_first_use=True,
    )


def _escape_controls(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Return an event with control characters escaped; in `exception` line ends stay."""
    return {
        name: value
        if not isinstance(value, str)
        else terminal_text(value)
        if name == "exception"
        else terminal_text(value).replace("\n", "\\n")
        for name, value in event.items()
    }


def short_traceback(exc_info: structlog.typing.ExcInfo) -> str:
    """Return the last 30 frames and the message of an error, without the middle of a very long text."""
    lines = traceback.TracebackException(*exc_info, limit=-TRACEBACK_FRAMES, max_group_width=3).format()
    text = "".join(lines).strip()
    if len(text) <= TRACEBACK_CHARACTERS:
        return text
    half = TRACEBACK_CHARACTERS // 2
    return f"{text[:half]}\n… {len(text) - 2 * half:,} characters left out …\n{text[-half:]}"


class _UnfailingLoggers:
    """Factory of loggers that write lines to `file`."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def __call__(self, *_names: object) -> "_UnfailingLogger":
        return _UnfailingLogger(self._file)


class _UnfailingLogger:
    """Logger that drops a line if it cannot be written, for example to a full disk."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def msg(self, message: str) -> None:
        """Write a log line; drop it if that fails."""
        with contextlib.suppress(OSError, ValueError):
            self._file.write(message + "\n")
            self._file.flush()

    debug = info = warning = error = critical = exception = msg
