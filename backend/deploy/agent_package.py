"""The agent as a Debian package: a static binary, its manual, a unit, a user and a policy that allows none.

`make agent-package` builds the binary and `target/tailroom-agent_VERSION_ARCHITECTURE.deb`. The same sources
give the same bytes, wherever and whenever they are built: paths of the machine are left out of the binary,
and every file of the package carries the time of the commit.
"""

import argparse
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "agent" / "packaging"
_PROGRAM, _FILE = 0o755, 0o644
_INSTALLED = {
    "tailroom-agent.service": ("usr/lib/systemd/system/tailroom-agent.service", _FILE),
    "tailroom-agent.sysusers": ("usr/lib/sysusers.d/tailroom-agent.conf", _FILE),
    "campaigns.toml": ("etc/tailroom/campaigns.toml", _FILE),
}
_SCRIPTS = ("postinst", "prerm")
_COMPLETIONS = {
    "bash": "bash-completion/completions/tailroom-agent",
    "fish": "fish/vendor_completions.d/tailroom-agent.fish",
    "zsh": "zsh/vendor-completions/_tailroom-agent",
}
"""Where Debian's shells look, below /usr/share."""


def version() -> str:
    """Of the workspace."""
    number: str = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    return number


def commit_time_s() -> int:
    """When the sources were committed, in seconds since 1970."""
    return int(_output(["git", "log", "-1", "--format=%ct"]))


def build_binary(target_folder: Path) -> Path:
    """Builds the agent without shared libraries and without paths of this machine; where it is."""
    host = next(line for line in _output(["rustc", "-vV"]).splitlines() if line.startswith("host: "))[6:]
    cargo_home = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    flags = [
        "-Ctarget-feature=+crt-static",
        f"--remap-path-prefix={ROOT}=/tailroom",
        f"--remap-path-prefix={cargo_home}=/cargo",
    ]
    environment = os.environ | {
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags),
        "CARGO_TARGET_DIR": str(target_folder),
        "SOURCE_DATE_EPOCH": str(commit_time_s()),
    }
    command = ["cargo", "build", "--release", "--locked", "--package", "tailroom-agent", "--target", host]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)  # noqa: S603
    return target_folder / host / "release" / "tailroom-agent"


def build_package(binary: Path, folder: Path, time_s: int, *, level: int = 6) -> Path:
    """Build a package from a binary, small (9) or quickly (0); return its path."""
    architecture = _output(["dpkg", "--print-architecture"])
    with tempfile.TemporaryDirectory(prefix="tailroom-package-") as name:
        root = Path(name) / "root"
        _install(binary, root / "usr/bin/tailroom-agent", _PROGRAM)
        for source, (place, mode) in _INSTALLED.items():
            _install(PACKAGING / source, root / place, mode)
        _document(binary, root / "usr/share")
        for script in _SCRIPTS:
            _install(PACKAGING / script, root / "DEBIAN" / script, _PROGRAM)
        size_kib = sum(path.stat().st_size for path in root.rglob("*") if path.is_file()) // 1024 + 1
        control = root / "DEBIAN" / "control"
        control.write_text(
            f"Package: tailroom-agent\nVersion: {version()}\nArchitecture: {architecture}\n"
            f"Maintainer: Tailroom <agent@tailroom.invalid>\nInstalled-Size: {size_kib}\nSection: admin\n"
            "Priority: optional\nDescription: measures storage devices and databases for Tailroom\n"
            " Runs workloads on an exact schedule, keeps every latency bucket, and sends\n"
            " them to a Tailroom backend. Takes part in campaigns as its policy allows.\n"
        )
        (root / "DEBIAN" / "conffiles").write_text("/etc/tailroom/campaigns.toml\n")
        for path in sorted(root.rglob("*"), reverse=True):
            if path.is_dir() or (path.parent.name == "DEBIAN" and path.name not in _SCRIPTS):
                path.chmod(_PROGRAM if path.is_dir() else _FILE)
            os.utime(path, (time_s, time_s))
        root.chmod(_PROGRAM)
        os.utime(root, (time_s, time_s))
        folder.mkdir(parents=True, exist_ok=True)
        package = folder / f"tailroom-agent_{version()}_{architecture}.deb"
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", f"-z{level}", "--build", str(root), str(package)]
        subprocess.run(  # noqa: S603
            command,
            env=os.environ | {"SOURCE_DATE_EPOCH": str(time_s)},
            check=True,
            stdout=subprocess.DEVNULL,
        )
    return package


def _document(binary: Path, shared: Path) -> None:
    """Write the manual pages and the completions that the program prints of itself."""
    pages = shared / "man/man1"
    pages.mkdir(parents=True)
    _output([str(binary), "man", str(pages)])
    for page in pages.glob("*.1"):
        page.with_name(f"{page.name}.gz").write_bytes(gzip.compress(page.read_bytes(), mtime=0))
        page.unlink()
    for shell, place in _COMPLETIONS.items():
        completions = shared / place
        completions.parent.mkdir(parents=True)
        completions.write_text(_output([str(binary), "completions", shell]) + "\n")
    for path in shared.rglob("*"):
        if path.is_file():
            path.chmod(_FILE)


def _install(source: Path, place: Path, mode: int) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, place)
    place.chmod(mode)


def _output(command: list[str]) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603


def main() -> int:
    """Builds binary and package and says where it is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--target-folder", type=Path, default=ROOT / "target" / "package")
    options = parser.parse_args()
    package = build_package(build_binary(options.target_folder), ROOT / "target", commit_time_s())
    print(package.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
