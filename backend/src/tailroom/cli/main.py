"""The `tailroom` command: one subcommand for each thing a person or a deployment does with the backend.

Only the subcommand that was asked for is imported: `tailroom up` would otherwise spend seconds on the
parts of the API and of the analysis that it starts as processes of their own.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec

import typer

from tailroom.kit.loading import loading

_MODULES = {
    "up": "tailroom.embedded.up",
    "serve": "tailroom.cli.serve",
    "openapi": "tailroom.cli.openapi",
    "db": "tailroom.cli.db",
    "token": "tailroom.cli.token",
    "work": "tailroom.cli.work",
    "backup": "tailroom.cli.backup",
    "audit": "tailroom.cli.audit",
    "organisation": "tailroom.cli.organisation",
    "people": "tailroom.cli.people",
    "inspect": "tailroom.cli.inspect",
    "formats": "tailroom.cli.formats",
    "judge": "tailroom.cli.judge",
    "compare": "tailroom.cli.compare",
    "pack": "tailroom.cli.pack",
    "report": "tailroom.cli.report",
    "verify": "tailroom.cli.verify",
    "limits": "tailroom.cli.limits",
    "upload": "tailroom.cli.upload",
    "verdicts": "tailroom.cli.verdicts",
}
"""Each module has a function of the subcommand's name, or an `app` with subcommands of its own."""

_WITHOUT_ALGEBRA = ("inspect", "formats")
"""No matrix is multiplied here, and the threads that numpy begins for it take a tenth of a second."""

if find_spec("tailroom.embedded") is None:  # a deployment brings its own database and Valkey
    del _MODULES["up"]


def build_app(names: Sequence[str]) -> typer.Typer:
    """The command with these subcommands."""
    app = typer.Typer(
        name="tailroom",
        help="Hardware benchmark results and SLA analysis that never claim more than the buckets show.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )

    @app.callback()
    def group() -> None:
        """Hardware benchmark results and SLA analysis that never claim more than the buckets show."""

    for name in names:
        module = import_module(_MODULES[name])
        group_of_commands = getattr(module, "app", None)
        if isinstance(group_of_commands, typer.Typer):
            app.add_typer(group_of_commands, name=name)
        else:
            app.command(name)(getattr(module, name))
    return app


def main() -> None:
    """The entry point of the `tailroom` script."""
    asked = sys.argv[1] if len(sys.argv) > 1 else ""
    if asked in _WITHOUT_ALGEBRA:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with loading():
        app = build_app([asked] if asked in _MODULES else list(_MODULES))
    app()


if __name__ == "__main__":
    main()
