"""Manual pages: one for each subcommand, with what `--help` names; the formatter does not complain."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from backend.tooling.build import Checkout

from tailroom.cli.main import SUBCOMMANDS, load_subcommand
from tailroom.cli.man import page_of_program, roff

ROOT = Path(__file__).parents[3]
COMMAND = Path(sys.executable).parent / "tailroom"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prefix") / "share" / "man" / "man1"
    subprocess.run([COMMAND, "man", folder], check=True, timeout=120)
    return folder


def test_every_subcommand_has_a_page(pages: Path) -> None:
    names = {file.name for file in pages.iterdir()}
    assert names == {"tailroom.1", *(f"tailroom-{name}.1" for name in SUBCOMMANDS)}
    listed = (pages / "tailroom.1").read_text()
    assert all(roff(f"tailroom-{name}") in listed for name in SUBCOMMANDS)


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_a_page_names_every_option(name: str, pages: Path) -> None:
    text = (pages / f"tailroom-{name}.1").read_text()
    command = load_subcommand(name)
    commands = getattr(command, "commands", {}).values() or [command]
    for each in commands:
        for parameter in each.params:
            if not getattr(parameter, "hidden", False):
                options = [option for option in parameter.opts if option.startswith("-")]
                assert all(rf"\fB{roff(option)}\fR" in text for option in options), (name, options)


@pytest.mark.skipif(shutil.which("man") is None, reason="there is no man on this machine")
def test_pages_are_formatted_without_a_warning(pages: Path) -> None:
    for page in pages.iterdir():
        done = subprocess.run(
            ["man", "--warnings", "-l", str(page)], capture_output=True, text=True, check=True, timeout=60
        )
        assert not done.stderr, (page.name, done.stderr)
        assert re.search(r"EXIT STATUS", done.stdout), page.name


def test_text_of_a_page_is_no_request() -> None:
    assert roff(".TH\n'x a-b\\") == r"\&.TH" + "\n" + r"\&'x a\-b\e"
    assert page_of_program({"judge": "Judge."}).count(".SH") == 4


def test_set_up_writes_the_pages_of_both_programs() -> None:
    checkout = Checkout(ROOT)
    steps = [*checkout.python_steps(development=True), *checkout.agent_steps()]
    written = [command for step in steps for command in step.commands if "man" in command]
    assert [Path(command[-1]).parts[-3:] for command in written] == [("share", "man", "man1")] * 2
    assert [Path(command[-1]).parents[2] for command in written] == [
        checkout.python.parents[1],
        checkout.agent.parent,
    ]
