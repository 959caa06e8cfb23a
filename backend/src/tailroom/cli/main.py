"""The `tailroom` command: one subcommand for each thing a person or a deployment does with the backend."""

import typer

from tailroom.cli import db, openapi, serve, token, up

app = typer.Typer(
    name="tailroom",
    help="Hardware benchmark results and SLA analysis that never claim more than the buckets show.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("up")(up.up)
app.command("serve")(serve.serve)
app.command("openapi")(openapi.openapi)
app.add_typer(db.app, name="db")
app.add_typer(token.app, name="token")


def main() -> None:
    """The entry point of the `tailroom` script."""
    app()


if __name__ == "__main__":
    main()
