"""Help and version come at once: no command imports what it works with before it runs."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from tailroom.cli.main import SUBCOMMANDS, build_app
from tailroom.domain.comparison.smallest_change import SMALLEST_CHANGE_RATIO

HEAVY = {"numpy", "scipy", "sqlalchemy", "fastapi", "celery", "redis", "psycopg"}

OF_THE_COMMAND = """
import atexit, sys
atexit.register(lambda: print(*{name.partition(".")[0] for name in sys.modules}, file=sys.stderr))
sys.argv[0] = "tailroom"
from tailroom.cli.main import main
main()
"""

OF_EACH_SUBCOMMAND = """
import sys
from typer.testing import CliRunner
from tailroom.cli.main import SUBCOMMANDS, build_app
for name in SUBCOMMANDS:
    done = CliRunner().invoke(build_app([name]), [name, "--help"])
    assert done.exit_code == 0, done.output
    assert f"{name} [" in done.output, done.output
    print(name, *{module.partition(".")[0] for module in sys.modules})
"""

OF_FILES = """
import sys
import tailroom.comparison.subjects, tailroom.reports.packing_process, tailroom.reports.verification
print(*{name.partition(".")[0] for name in sys.modules})
"""


def run(program: str, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run a program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=True, timeout=120
    )


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_the_command_itself_imports_nothing_heavy(option: str) -> None:
    done = run(OF_THE_COMMAND, option)
    imported = set(done.stderr.split())
    assert "tailroom" in done.stdout
    assert "typer" in imported
    assert imported.isdisjoint(HEAVY | {"pydantic", "rich", "msgspec"})


def test_the_help_of_no_subcommand_imports_anything_heavy() -> None:
    lines = run(OF_EACH_SUBCOMMAND).stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(SUBCOMMANDS)
    for line in lines:
        name, *imported = line.split()
        assert "typer" in imported
        assert HEAVY.isdisjoint(imported), name


def test_what_compares_packs_and_verifies_files_imports_no_database() -> None:
    imported = run(OF_FILES).stdout.split()
    assert "numpy" in imported
    assert (HEAVY - {"numpy", "scipy"}).isdisjoint(imported)


def test_every_subcommand_is_listed_with_its_help() -> None:
    listed = CliRunner().invoke(build_app(list(SUBCOMMANDS)), ["--help"]).stdout
    for name, subcommand in SUBCOMMANDS.items():
        assert f"  {name} " in listed
        assert subcommand.help in listed


def test_an_unknown_subcommand_is_refused() -> None:
    done = CliRunner().invoke(build_app(["judge"]), ["serve"])
    assert done.exit_code == 2
    assert "No such command 'serve'" in done.stderr


def test_the_default_of_compare_is_the_smallest_change_of_the_method() -> None:
    text = CliRunner().invoke(build_app(["compare"]), ["compare", "--help"]).stdout
    assert f"[default: {SMALLEST_CHANGE_RATIO:.0%}]" in " ".join(text.split())
