"""The Debian package of the agent: what it holds, what its unit starts, and that it is the same each time."""

import configparser
import shlex
import subprocess
from pathlib import Path

import pytest
from backend.deploy.agent_package import PACKAGING, build_package, version
from backend.tests.programs import AGENT

TIME_S = 1_767_225_600
SOON = 0
"""How hard it is pressed, which nothing here depends on."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_package(AGENT, tmp_path_factory.mktemp("package"), TIME_S, level=SOON)


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_the_same_binary_gives_the_same_package(package: Path, tmp_path: Path) -> None:
    assert build_package(AGENT, tmp_path, TIME_S, level=SOON).read_bytes() == package.read_bytes()


def test_it_holds_program_unit_user_and_policy(package: Path) -> None:
    listed = output("dpkg-deb", "--contents", str(package)).splitlines()
    files = {line.split()[-1]: line.split()[:2] for line in listed if not line.endswith("/")}
    pages = {name for name in files if name.startswith("./usr/share/man/man1/")}
    assert {
        "./usr/share/man/man1/tailroom-agent.1.gz",
        "./usr/share/man/man1/tailroom-agent-run.1.gz",
    } <= pages
    assert {name: of for name, of in files.items() if name not in pages} == {
        "./etc/tailroom/campaigns.toml": ["-rw-r--r--", "root/root"],
        "./usr/bin/tailroom-agent": ["-rwxr-xr-x", "root/root"],
        "./usr/lib/systemd/system/tailroom-agent.service": ["-rw-r--r--", "root/root"],
        "./usr/lib/sysusers.d/tailroom-agent.conf": ["-rw-r--r--", "root/root"],
        "./usr/share/bash-completion/completions/tailroom-agent": ["-rw-r--r--", "root/root"],
        "./usr/share/fish/vendor_completions.d/tailroom-agent.fish": ["-rw-r--r--", "root/root"],
        "./usr/share/zsh/vendor-completions/_tailroom-agent": ["-rw-r--r--", "root/root"],
    }
    assert output("dpkg-deb", "--field", str(package), "Version").strip() == version()


def test_the_unit_starts_what_the_program_has(package: Path, tmp_path: Path) -> None:
    output("dpkg-deb", "--extract", str(package), str(tmp_path))
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(tmp_path / "usr/lib/systemd/system/tailroom-agent.service")
    program, command, *options = shlex.split(unit["Service"]["ExecStart"])
    help_text = output(str(tmp_path / program.lstrip("/")), command, "--help")
    assert all(option in help_text for option in options if option.startswith("--"))
    state = options[options.index("--state") + 1]
    # What enrolling writes is what the unit waits for.
    identity = (PACKAGING.parent / "crates/agent/src/serve/identity.rs").read_text()
    assert unit["Unit"]["ConditionPathExists"] == f"{state}/agent.json"
    assert 'self.join("agent.json")' in identity
    assert state.startswith(f"/var/lib/{unit['Service']['StateDirectory']}/")
    assert unit["Service"]["User"] in (PACKAGING / "tailroom-agent.sysusers").read_text()


def test_a_new_machine_allows_no_campaign_anything(tmp_path: Path) -> None:
    policy = (PACKAGING / "campaigns.toml").read_text()
    assert [line for line in policy.splitlines() if not line.startswith("#")] == ["targets = []"]
