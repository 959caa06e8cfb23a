"""Decides how the processes log: one structured line for each event on standard error, never a secret."""

import logging
import sys

import structlog


def configure_logging(*, level: int = logging.INFO) -> None:
    """Lines for people on a terminal, JSON elsewhere; what is bound to the context (request id) is on every
    line.
    """
    on_terminal = sys.stderr.isatty()
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer() if on_terminal else structlog.processors.JSONRenderer()
    )
    tracebacks: list[structlog.typing.Processor] = (
        [] if on_terminal else [structlog.processors.format_exc_info]
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *tracebacks,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
