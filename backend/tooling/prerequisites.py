"""Prerequisites of a machine, each with a sentence that explains how to install it.

Standard library only. A check returns None if its prerequisite is there, else a sentence; all sentences are
printed together, so that a second attempt finds no further failures.
"""

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

NODE_OLDEST = (20, 19)
RUST_OLDEST = (1, 88)
BUILD_SPACE_BYTES = 3 * 2**30
"""The Python environment, node_modules and the Rust build need about 2.5 GB together."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The facts that the checks use; tests substitute their own."""

    environment: Mapping[str, str]
    which: Callable[[str], str | None]
    """Path of a program; None if it is not on the PATH."""
    version_of: Callable[[Sequence[str]], str]
    """Output of a command that prints its version."""
    free_bytes: Callable[[Path], int]
    """Free bytes of the file system of a path."""
    has_module: Callable[[str], bool]
    """Whether Python has a module."""
    system: str
    architecture: str

    @classmethod
    def here(cls) -> "Machine":
        """Return the facts of this machine."""
        return cls(
            environment=os.environ,
            which=shutil.which,
            version_of=_version_of,
            free_bytes=lambda path: shutil.disk_usage(path).free,
            has_module=lambda name: find_spec(name) is not None,
            system=platform.system(),
            architecture=platform.machine(),
        )


def missing(machine: Machine, root: Path, *, needs: Sequence[str]) -> list[str]:
    """Return a sentence for each missing prerequisite among `needs` (python, node, rust, space).

    The platform is always checked.
    """
    sentences = [_platform(machine)]
    if "python" in needs:
        sentences.append(_venv(machine))
    if "node" in needs:
        sentences.extend([_node(machine), _npm(machine)])
    if "rust" in needs:
        sentences.extend([_rust(machine), _compiler(machine)])
    if "space" in needs:
        sentences.append(_space(machine, root))
    return [sentence for sentence in sentences if sentence is not None]


def _platform(machine: Machine) -> str | None:
    """Return None if the system is Linux on x86_64 or aarch64, else a sentence."""
    if machine.system != "Linux":
        return f"Tailroom measures with Linux's own means and this is {machine.system}: use a Linux machine."
    if machine.architecture not in {"x86_64", "aarch64"}:
        return (
            f"The embedded services come for x86_64 and aarch64 and this is {machine.architecture}: use "
            "such a machine, or run Tailroom with a database of your own (see docker-compose.yml)."
        )
    return None


def _venv(machine: Machine) -> str | None:
    """Return None if this Python can make virtual environments, else a sentence."""
    if machine.has_module("venv") and machine.has_module("ensurepip"):
        return None
    return (
        "This Python cannot make virtual environments: install its venv package "
        "(Debian: apt install python3-venv)."
    )


def _node(machine: Machine) -> str | None:
    """Return a sentence if Node.js is missing or too old, else None."""
    needed = f"Node.js {NODE_OLDEST[0]}.{NODE_OLDEST[1]} or newer"
    if machine.which("node") is None:
        return f"{needed} is needed and `node` is not on the PATH: install it from nodejs.org."
    installed = _numbers(machine.version_of(["node", "--version"]))
    if installed < NODE_OLDEST:
        return f"{needed} is needed and this is {_dotted(installed)}: install a newer one from nodejs.org."
    return None


def _npm(machine: Machine) -> str | None:
    """Return a sentence if npm is missing, else None."""
    if machine.which("npm") is None:
        return "`npm` is not on the PATH: install it (Debian: apt install npm; or Node.js from nodejs.org)."
    return None


def _rust(machine: Machine) -> str | None:
    """Return a sentence if Rust is missing, does not run, or is too old, else None."""
    needed = f"Rust {RUST_OLDEST[0]}.{RUST_OLDEST[1]} or newer"
    for tool in ("cargo", "rustc"):
        if machine.which(tool) is None:
            return f"{needed} is needed and `{tool}` is not on the PATH: install it from rustup.rs."
    text = machine.version_of(["rustc", "--version"])
    installed = _numbers(text)
    if not installed:
        return (
            f"`rustc` is on the PATH but does not run ({text or 'no answer'}): run `rustup default stable`."
        )
    if installed < RUST_OLDEST:
        return f"{needed} is needed and this is {_dotted(installed)}: run `rustup update stable`."
    return None


def _compiler(machine: Machine) -> str | None:
    """Return a sentence if the C compiler is missing: that in CC, or `cc` if CC is not set; else None."""
    named = machine.environment.get("CC")
    if machine.which(named or "cc") is None:
        if named:
            return f"CC names the C compiler {named}, which is not on the PATH: correct CC, or unset it."
        return "A C compiler is needed and there is no `cc`: install gcc (Debian: apt install gcc libc6-dev)."
    return None


def _space(machine: Machine, root: Path) -> str | None:
    """Return a sentence if the disk of the checkout has less than 3 GiB of free space, else None."""
    free = machine.free_bytes(root)
    if free < BUILD_SPACE_BYTES:
        return (
            f"Building needs {BUILD_SPACE_BYTES / 1e9:.0f} GB and {root} has {free / 1e9:.1f} GB left: "
            "free some space, or clone to another disk."
        )
    return None


def _version_of(command: Sequence[str]) -> str:
    """Return the output of a command, or the error as text if it does not run within 30 s."""
    try:
        result = subprocess.run(list(command), capture_output=True, text=True, check=False, timeout=30)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return (result.stdout or result.stderr).strip()


def _numbers(text: str) -> tuple[int, ...]:
    """Return the first dotted version in a text as numbers; an empty tuple without one."""
    match = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", text)
    return tuple(int(part) for part in match.groups() if part is not None) if match else ()


def _dotted(version: tuple[int, ...]) -> str:
    """Return a version as text; a phrase for an empty tuple."""
    return ".".join(map(str, version)) or "of an unknown version"
