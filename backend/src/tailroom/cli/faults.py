"""End of a command after an unexpected error: one sentence and an exit code, no traceback."""

import errno
import sys
import tempfile
import traceback

from tailroom.cli.terminal import discard_output, echo
from tailroom.kit.exit_codes import ExitCode

_OUTPUT_FAULTS = frozenset({errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT})
"""Errors of writing the output, such as a full disk."""


def report_failure(error: Exception) -> int:
    """Print a sentence about an error to standard error, and return the exit code.

    It is 0 for a closed pipe, which is no error, 2 for a DomainError and an invalid setting, and 70 for any
    other error.
    """
    from tailroom.domain.errors import DomainError

    if isinstance(error, BrokenPipeError):
        discard_output()
        return int(ExitCode.FINE)
    if isinstance(error, OSError) and error.filename is None and error.errno in _OUTPUT_FAULTS:
        discard_output()
        _print_error(f"The output cannot be written: {error.strerror}.")
    elif isinstance(error, DomainError) or type(error).__module__ == "tailroom.kit.settings":
        _print_error(f"{str(error).removesuffix('.')}.")
        return int(ExitCode.UNUSABLE)
    elif (problem := _database_problem(error)) is not None:
        _print_error(f"{problem} Details: {_write_traceback(error)}")
    else:
        first = str(error).partition("\n")[0]
        _print_error(
            f"Tailroom failed ({type(error).__name__}: {first}); please report it. "
            f"Details: {_write_traceback(error)}"
        )
    return int(ExitCode.FAULT)


def _database_problem(error: Exception) -> str | None:
    """Return what is wrong with the database and what to do; None if an error is none of those known."""
    kind = type(error)
    if not kind.__module__.startswith("sqlalchemy.exc"):
        return None
    if kind.__name__ in {"OperationalError", "InterfaceError"}:
        return "No database answers: start `make up`, run the command in its folder, or set TAILROOM_HOME."
    if kind.__name__ in {"ArgumentError", "NoSuchModuleError"}:
        return "TAILROOM_DATABASE_URL is no address such as postgresql+psycopg://user:password@host/name."
    if type(getattr(error, "orig", None)).__name__ in {"UndefinedTable", "UndefinedColumn"}:
        return "The database does not have the tables of this version: run `tailroom db migrate`."
    return None


def connection_problem(error: BaseException) -> str:
    """Return why a connection failed: a time-out, else the message of the innermost OSError.

    Without an OSError, the message of `error` is returned.
    """
    cause: BaseException | None = error
    reason = " ".join(str(error).split()) or type(error).__name__
    while cause is not None:
        if isinstance(cause, TimeoutError):
            return "it did not answer in time"
        if isinstance(cause, OSError) and cause.strerror:
            reason = cause.strerror[:1].lower() + cause.strerror[1:]
        cause = cause.__cause__ or cause.__context__
    return reason


def _print_error(sentence: str) -> None:
    """Print a sentence to standard error; if that fails, write nothing there any more."""
    try:
        echo(sentence, err=True)
    except OSError:  # standard error may be the full device
        sys.stderr = None


def _write_traceback(error: Exception) -> str:
    with tempfile.NamedTemporaryFile(
        "w", prefix="tailroom-fault-", suffix=".txt", delete=False, encoding="utf-8"
    ) as file:
        file.write("".join(traceback.format_exception(error)))
    return file.name
