"""`tailroom man [FOLDER]`: manual pages of `tailroom` and its subcommands, from the same data as `--help`.

One page for the program and one for each subcommand; the subcommands of a group are sections of its page.
Source: man(7), the macros TH, SH, SS, TP, B and I.
"""

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tailroom.cli.terminal import MEANINGS, echo, stop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typer._click import Command


def man(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="FOLDER", help="Write every page there, as PREFIX/share/man/man1."),
    ] = None,
) -> None:
    """Print the manual page of tailroom, or write those of all commands into a folder.

    Where bin and share are in one folder, man finds the pages by PATH; they have the same text as --help.
    """
    from tailroom.cli.main import SUBCOMMANDS, load_subcommand

    helps = {name: subcommand.help for name, subcommand in SUBCOMMANDS.items()}
    program = page_of_program(helps)
    if folder is None:
        echo(program.rstrip("\n"))
        return
    pages = {"tailroom.1": program}
    for name in SUBCOMMANDS:
        pages[f"tailroom-{name}.1"] = page_of_subcommand(load_subcommand(name), name, helps[name])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in pages.items():
            (folder / file).write_text(text, encoding="utf-8")
    except OSError as error:
        stop(f"{error.filename} cannot be written: {error.strerror}")


def page_of_program(helps: "Mapping[str, str]") -> str:
    """Return the manual page of `tailroom`; `helps`: the line about each subcommand, by name."""
    lines = [
        *_head("tailroom", "hardware benchmark results and SLA analysis"),
        r"\fBtailroom\fR \fICOMMAND\fR [\fIOPTIONS\fR]",
        ".SH COMMANDS",
    ]
    for name, text in helps.items():
        lines += [".TP", rf"\fBtailroom\-{roff(name)}\fR(1)", roff(text)]
    return "\n".join([*lines, *_end()])


def page_of_subcommand(command: "Command", name: str, help_line: str) -> str:
    """Return the manual page of a subcommand, or of a group with its subcommands as sections."""
    lines = _head(f"tailroom-{name}", help_line.rstrip("."))
    of_group: Mapping[str, Command] = getattr(command, "commands", {})
    if not of_group:
        return "\n".join(
            [*lines, _usage(f"tailroom {name}", command), *_body(command, ".SH", ".SH"), *_end()]
        )
    lines += [rf"\fBtailroom {roff(name)}\fR \fICOMMAND\fR [\fIOPTIONS\fR]", ".SH COMMANDS"]
    for of_name, subcommand in of_group.items():
        lines += [f'.SS "tailroom {name} {of_name}"', _usage(f"tailroom {name} {of_name}", subcommand)]
        lines += [".PP", *_body(subcommand, "", "")]
    return "\n".join([*lines, *_end()])


def roff(text: str) -> str:
    """Return a text escaped for a manual page: no line is a command of roff, and dashes stay dashes."""
    lines = text.replace("\\", r"\e").replace("-", r"\-").split("\n")
    return "\n".join(rf"\&{line}" if line.startswith((".", "'")) else line for line in lines)


def _head(title: str, about: str) -> list[str]:
    """Return the lines of a page up to the heading of the synopsis."""
    return [
        rf'.TH "{roff(title.upper())}" "1" "" "tailroom {version("tailroom")}" "Tailroom"',
        ".SH NAME",
        rf"{roff(title)} \- {roff(about)}",
        ".SH SYNOPSIS",
    ]


def _end() -> list[str]:
    lines = [".SH EXIT STATUS"]
    for code, meaning in MEANINGS.items():
        lines += [".TP", rf"\fB{int(code)}\fR", roff(meaning)]
    return [*lines, ""]


def _usage(words: str, command: "Command") -> str:
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    names = [rf"\fI{roff(_metavar(each))}\fR" for each in arguments]
    shown = [name if each.required else f"[{name}]" for name, each in zip(names, arguments, strict=True)]
    return " ".join([rf"\fB{roff(words)}\fR", r"[\fIOPTIONS\fR]", *shown])


def _body(command: "Command", description: str, options: str) -> Iterator[str]:
    """Yield the description of a command, then its parameters."""
    if description:
        yield f"{description} DESCRIPTION"
    yield "\n.PP\n".join(roff(" ".join(part.split())) for part in (command.help or "").split("\n\n"))
    parameters = [each for each in command.params if not getattr(each, "hidden", False)]
    if parameters and options:
        yield f"{options} OPTIONS"
    for parameter in parameters:
        yield from (".TP", _names(parameter), _about(parameter))


def _names(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return rf"\fI{roff(_metavar(parameter))}\fR"
    names: Sequence[str] = [*parameter.opts, *parameter.secondary_opts]
    text = ", ".join(rf"\fB{roff(name)}\fR" for name in names)
    return text if parameter.is_flag else rf"{text} \fI{roff(_metavar(parameter))}\fR"


def _metavar(parameter: Any) -> str:
    return str(parameter.metavar or parameter.name.upper())


def _about(parameter: Any) -> str:
    """Return the help of a parameter, with its default and its environment variable, if any."""
    text = (parameter.help or "").rstrip(".")
    sentences = [f"{text}."] if text else []
    default = parameter.default
    if isinstance(default, str | int | float) and not isinstance(default, bool) and parameter.show_default:
        sentences.append(f"Default: {getattr(default, 'value', default)}.")
    if isinstance(parameter.envvar, str):
        sentences.append(f"Variable: {parameter.envvar}.")
    return roff(" ".join(" ".join(sentences).split()))
