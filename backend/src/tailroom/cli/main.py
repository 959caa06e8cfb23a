"""The `tailroom` command. A subcommand is imported when it is run, so that help comes at once."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from typer.core import TyperGroup
from typer.main import get_command

from tailroom.cli.completion import COMPLETE_VARIABLE
from tailroom.cli.terminal import MEANINGS
from tailroom.kit.memory import gc_paused

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter


class Subcommand(NamedTuple):
    """Module of a subcommand, and its line in the list of commands."""

    module: str
    """It has a function of the subcommand's name (dashes as underscores), or an `app` with subcommands."""
    help: str


SUBCOMMANDS = {
    "up": Subcommand("tailroom.embedded.up", "Start everything on this machine and measure it."),
    "serve": Subcommand("tailroom.cli.serve", "Serve the API and the pages."),
    "db": Subcommand("tailroom.cli.db", "The schema of the database."),
    "token": Subcommand("tailroom.cli.token", "Access tokens of agents, viewers and engineers."),
    "people": Subcommand("tailroom.cli.people", "Accounts of people."),
    "organisation": Subcommand("tailroom.cli.organisation", "Delete, invite to, export and import."),
    "audit": Subcommand("tailroom.cli.audit", "Verify the audit trail."),
    "backup": Subcommand("tailroom.cli.backup", "Create, verify and restore backups."),
    "work": Subcommand("tailroom.cli.work", "Work that failed too often."),
    "verdicts": Subcommand("tailroom.cli.verdicts", "Verdicts that differ between method versions."),
    "upload": Subcommand("tailroom.cli.upload", "Send result files to an installation."),
    "inspect": Subcommand("tailroom.cli.inspect", "Read result files and print what they hold."),
    "formats": Subcommand("tailroom.cli.formats", "List the result files that can be read."),
    "judge": Subcommand("tailroom.cli.judge", "Judge a result file by a budget."),
    "watch-prometheus": Subcommand("tailroom.cli.watch_prometheus", "Judge what a Prometheus counted."),
    "compare": Subcommand("tailroom.cli.compare", "Compare two measurements."),
    "load-search": Subcommand("tailroom.cli.load_search", "Print the highest load that holds."),
    "siblings": Subcommand(
        "tailroom.cli.siblings", "Find the unit of a campaign that is not like the others."
    ),
    "gate": Subcommand("tailroom.cli.gate", "Judge, compare with a branch and store, in a pipeline."),
    "export": Subcommand("tailroom.cli.export", "Print the figures of a run for another tool."),
    "report": Subcommand("tailroom.cli.report", "Write a report as HTML or PDF."),
    "pack": Subcommand("tailroom.cli.pack", "Write an evidence pack."),
    "verify": Subcommand("tailroom.cli.verify", "Recompute the verdicts of an evidence pack."),
    "edition": Subcommand("tailroom.cli.edition", "Editions of the leaderboard."),
    "mcp": Subcommand("tailroom.cli.mcp", "Answer an assistant's questions."),
    "completion": Subcommand("tailroom.cli.completion", "Print what completes commands in a shell."),
    "man": Subcommand("tailroom.cli.man", "Print the manual page, or write all pages."),
    "openapi": Subcommand("tailroom.cli.openapi", "Print the OpenAPI document."),
    "limits": Subcommand("tailroom.cli.limits", "Print every limit."),
}
if find_spec("tailroom.embedded") is None:  # a deployment brings its own database and Valkey
    del SUBCOMMANDS["up"]

_INTERRUPTED = 130
"""Exit code that shells report for a program ended by Ctrl-C."""
_SEVERAL_VALUES = ("--a", "--b")
"""Options that may be followed by several values."""
_WITHOUT_LINEAR_ALGEBRA = ("inspect", "formats")
"""Subcommands that multiply no matrix: starting numpy's threads would take a tenth of a second."""


class LazyGroup(TyperGroup):
    """A group that imports a subcommand when it is run or its help is shown."""

    names: Sequence[str] = ()

    def parse_args(self, ctx: "Context", args: list[str]) -> list[str]:
        """Let the options `--a` and `--b` of `compare` take several values: `--a x y` means `--a x --a y`."""
        return super().parse_args(ctx, _repeat_options(args) if args[:1] == ["compare"] else args)

    def list_commands(self, ctx: "Context") -> list[str]:  # noqa: ARG002 - required by the base class
        """Return the names of all subcommands."""
        return list(self.names)

    def get_command(self, ctx: "Context", cmd_name: str) -> "Command | None":  # noqa: ARG002
        """Import and return a subcommand; return None for an unknown name."""
        return load_subcommand(cmd_name) if cmd_name in self.names else None

    def format_commands(self, ctx: "Context", formatter: "HelpFormatter") -> None:  # noqa: ARG002
        """Write the list of subcommands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, SUBCOMMANDS[name].help) for name in self.names])
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(int(code)), meaning) for code, meaning in MEANINGS.items()])


def _repeat_options(args: Sequence[str]) -> list[str]:
    """Return the arguments with the option repeated before each further value of `--a` and `--b`."""
    words: list[str] = []
    option: str | None = None
    for word in args:
        if word.startswith("-") and word != "-":
            option = word if word in _SEVERAL_VALUES else None
        elif option is not None and words[-1] != option:
            words.append(option)
        words.append(word)
    return words


def load_subcommand(name: str) -> "Command":
    """Import a subcommand and return it."""
    with gc_paused():
        module = import_module(SUBCOMMANDS[name].module)
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.callback()(lambda: None)
    group = getattr(module, "app", None)
    if isinstance(group, typer.Typer):
        app.add_typer(group, name=name)
    else:
        app.command(name)(getattr(module, name.replace("-", "_")))
    loaded: Any = get_command(app)
    command: Command = loaded.commands[name]
    return command


def _print_version(is_requested: bool) -> None:
    """Print the version and end the command, if that is requested."""
    if is_requested:
        typer.echo(f"tailroom {version('tailroom')}")
        raise typer.Exit


def build_app(names: Sequence[str]) -> typer.Typer:
    """Return the `tailroom` command with these subcommands."""
    app = typer.Typer(
        name="tailroom",
        cls=type("Subcommands", (LazyGroup,), {"names": tuple(names)}),
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )

    @app.callback()
    def tailroom(
        *,
        print_version: Annotated[
            bool,
            typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True),
        ] = False,
    ) -> None:
        """Hardware benchmark results and SLA analysis that never claim more than the buckets show."""

    return app


def main() -> None:
    """Run the `tailroom` script and exit with its code."""
    if sys.argv[1:2] and sys.argv[1] in _WITHOUT_LINEAR_ALGEBRA:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code; errors are printed as sentences."""
    from typer._click.exceptions import ClickException

    command = get_command(build_app(list(SUBCOMMANDS)))
    if COMPLETE_VARIABLE in os.environ:
        from typer._completion_classes import completion_init
        from typer.completion import shell_complete

        completion_init()
        return shell_complete(command, {}, "tailroom", COMPLETE_VARIABLE, os.environ[COMPLETE_VARIABLE])
    # `command.main` would end a command whose pipe is closed with 1, the code of a FAIL.
    try:
        with command.make_context("tailroom", list(arguments)) as context:
            command.invoke(context)
        sys.stdout.flush()
    except typer.Exit as error:
        return error.exit_code
    except ClickException as error:
        error.show()
        return error.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return _INTERRUPTED
    except Exception as error:  # noqa: BLE001 - whatever it is, it ends as a sentence
        from tailroom.cli.faults import report_failure

        return report_failure(error)
    return 0


if __name__ == "__main__":
    main()
