"""Container engine and base image for a machine without either.

An engine comes from Debian's packages and runs apart from any other, with folders of its own; without an
image registry, a Debian of the same release made by debootstrap replaces the base image under the tag of the
Dockerfile.
"""

import contextlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from backend.deploy.steps import ROOT, TrialFailed, run, step

# Commands in here are our own.
# ruff: noqa: S603, S607

SUITE = "trixie"
"""The Debian release of the base image in the Dockerfile."""
PACKAGES = {"dockerd": "docker.io", "docker-compose": "docker-compose", "debootstrap": "debootstrap"}


def install_missing() -> None:
    missing = [package for program, package in PACKAGES.items() if shutil.which(program) is None]
    if not missing:
        return
    if shutil.which("apt-get") is None:
        raise TrialFailed(
            f"{', '.join(missing)} not installed, and no apt-get to install them with: install them."
        )
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    step(
        "update the package lists", lambda: run(["apt-get", "update", "-q"], environment=quiet, capture=True)
    )
    command = ["apt-get", "install", "-q", "-y", "--no-install-recommends", *missing, "iptables"]
    step(f"install {', '.join(missing)}", lambda: run(command, environment=quiet, capture=True))


@contextlib.contextmanager
def engine(folder: Path) -> Iterator[dict[str, str]]:
    """A container engine of our own, apart from any other on this machine; its environment is yielded."""
    with _network_restored():
        for driver in ("overlay2", "vfs"):
            daemon = _start_daemon(folder, driver)
            if daemon is not None:
                break
        else:
            raise TrialFailed(f"the engine does not start: see {folder / 'dockerd.log'}")
        try:
            yield {**os.environ, "DOCKER_HOST": f"unix://{folder / 'docker.sock'}"}
        finally:
            daemon.terminate()
            try:
                daemon.wait(60)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
            _unmount(folder)


def _unmount(folder: Path) -> None:
    """Give back what an engine leaves mounted in its folder, the innermost first."""
    mounts = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    for mount in sorted((mounted for mounted in mounts if mounted.startswith(f"{folder}/")), reverse=True):
        subprocess.run(["umount", "--lazy", mount], check=False)


def _start_daemon(folder: Path, driver: str) -> "subprocess.Popen[bytes] | None":
    address = folder / "docker.sock"
    with (folder / "dockerd.log").open("ab") as log:
        daemon = subprocess.Popen(
            ["dockerd", "--storage-driver", driver, "--data-root", str(folder / "data"),
             "--exec-root", str(folder / "exec"), "--pidfile", str(folder / "dockerd.pid"),
             "--host", f"unix://{address}"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip
    environment = {**os.environ, "DOCKER_HOST": f"unix://{address}"}
    for _ in range(60):
        if daemon.poll() is not None:
            return None
        done = subprocess.run(["docker", "version"], env=environment, capture_output=True, check=False)
        if done.returncode == 0:
            print(f"  engine started ({driver})")
            return daemon
        time.sleep(0.5)
    daemon.kill()
    daemon.wait()
    return None


@contextlib.contextmanager
def _network_restored() -> Iterator[None]:
    """Put packet filter, forwarding and bridge back as they were: a daemon leaves them behind."""
    forwarding = Path("/proc/sys/net/ipv4/ip_forward")
    before = forwarding.read_text()
    had_bridge = Path("/sys/class/net/docker0").exists()
    rules = subprocess.run(["iptables-save"], capture_output=True, check=False).stdout
    try:
        yield
    finally:
        # An empty table is not in the list of rules: name each, so that what was added goes.
        tables = {b"*" + name: b"*" + name + b"\nCOMMIT\n" for name in (b"filter", b"nat")}
        missing = b"".join(text for head, text in tables.items() if head not in rules.splitlines())
        subprocess.run(["iptables-restore"], input=rules + missing, check=False)
        if not had_bridge:
            subprocess.run(["ip", "link", "delete", "docker0"], capture_output=True, check=False)
        forwarding.write_text(before)


def base_image(environment: Mapping[str, str], folder: Path) -> None:
    match = re.search(r"^ARG BASE=(\S+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    if match is None:
        raise TrialFailed("Dockerfile names no base: a line `ARG BASE=…` is expected")
    tag = match.group(1)
    for command in (["docker", "image", "inspect", tag], ["docker", "pull", "--quiet", tag]):
        with contextlib.suppress(subprocess.TimeoutExpired):
            done = subprocess.run(command, env=environment, capture_output=True, timeout=120, check=False)
            if done.returncode == 0:
                print(f"  base image {tag} ({command[1]})")
                return
    step(f"no registry answers: make a stand-in for {tag}", lambda: _stand_in(environment, folder, tag))


def _stand_in(environment: Mapping[str, str], folder: Path, tag: str) -> None:
    tree = folder / "base"
    shutil.rmtree(tree, ignore_errors=True)
    run(
        ["debootstrap", "--variant=minbase", "--include=ca-certificates", SUITE, str(tree)],
        environment=os.environ,
        capture=True,
    )
    # The build must trust the certificates that this machine trusts beyond Debian's list.
    extra = Path("/usr/local/share/ca-certificates")
    if extra.is_dir() and any(extra.rglob("*.crt")):
        shutil.copytree(extra, tree / "usr/local/share/ca-certificates", dirs_exist_ok=True)
        run(["chroot", str(tree), "update-ca-certificates"], environment=os.environ, capture=True)
    shutil.rmtree(tree / "var/cache/apt/archives", ignore_errors=True)
    with subprocess.Popen(["tar", "-C", str(tree), "-c", "."], stdout=subprocess.PIPE) as archive:
        subprocess.run(
            ["docker", "import", "-", tag],
            env=environment,
            stdin=archive.stdout,
            capture_output=True,
            check=True,
        )
    shutil.rmtree(tree)
