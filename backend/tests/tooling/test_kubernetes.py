"""The manifests for Kubernetes: valid for its API, hardened, and about the program as it is.

Kustomize itself is tried where `kubectl` is installed; no cluster is needed, and none was used.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from tailroom.kit.lanes import LANES
from tailroom.kit.settings import Settings

ROOT = Path(__file__).parents[3]
KUBERNETES = ROOT / "backend" / "deploy" / "kubernetes"
FOLDERS = ("base", "one-node", "many-nodes")
VERSIONS = ("1.29", "1.33")
_OF_IMAGES = {
    "TAILROOM_DATABASE_PASSWORD",
    "TAILROOM_DATABASE_SHARED_BUFFERS",
    "TAILROOM_DATABASE_MAX_CONNECTIONS",
    "TAILROOM_BROKER_PASSWORD",
    "TAILROOM_BROKER_MEMORY",
}
"""Read by the programs that start the images."""

Json = dict[str, Any]


def documents(folder: str) -> Iterator[Json]:
    """Every manifest of a folder but its kustomization."""
    for path in sorted((KUBERNETES / folder).glob("*.yaml")):
        if path.name != "kustomization.yaml":
            yield from (one for one in yaml.safe_load_all(path.read_text()) if one)


def kustomization(folder: str) -> Json:
    found: Json = yaml.safe_load((KUBERNETES / folder / "kustomization.yaml").read_text())
    return found


def pods() -> Iterator[Json]:
    for folder in FOLDERS:
        for one in documents(folder):
            if "template" in one.get("spec", {}):
                yield one["spec"]["template"]["spec"]


def containers() -> Iterator[Json]:
    for pod in pods():
        yield from pod.get("initContainers", []) + pod["containers"]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("folder", FOLDERS)
def test_manifests_are_valid(folder: str, version: str) -> None:
    count = 0
    for one in documents(folder):
        kubernetes_validate.validate(one, version, strict=True)
        count += 1
    assert count


def test_every_manifest_is_used_and_every_name_is_there() -> None:
    for folder in FOLDERS:
        files = {path.name for path in (KUBERNETES / folder).glob("*.yaml")} - {"kustomization.yaml"}
        named = kustomization(folder)["resources"]
        assert {one for one in named if not one.startswith("..")} == files
        assert all((KUBERNETES / folder / one).exists() for one in named)


def test_pods_are_hardened_and_have_limits() -> None:
    for pod in pods():
        assert pod["securityContext"]["runAsNonRoot"]
        assert pod["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault"
        assert pod["automountServiceAccountToken"] is False
    for one in containers():
        assert one["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert one["resources"]["requests"].keys() == {"cpu", "memory"}
        assert "memory" in one["resources"]["limits"]
        assert one["name"] == "migrations" or "livenessProbe" in one or "readinessProbe" in one


def test_resources_follow_what_was_measured() -> None:
    """Check that each container requests between 1.25 and 6 times the memory measured in the soak."""
    soak = (ROOT / "docs" / "performance.md").read_text()
    measured = {role: float(mb) for role, mb in re.findall(r"memory of (\S+) \(MB\) \| ([\d.]+) MB", soak)}
    by_role = {"API": "api", "judging": "worker", "background": "background", "beat": "beat"}
    requested = {one["name"]: one["resources"] for one in containers()}
    for role, name in by_role.items():
        asked, limit = (_mb(requested[name][kind]["memory"]) for kind in ("requests", "limits"))
        assert 1.25 * measured[role] <= asked <= 6 * measured[role], name
        assert limit >= 2 * measured[role], name
    # What others may use of it is set, and measured only as far as it was used.
    for role, name in {"Valkey": "broker", "PostgreSQL": "database"}.items():
        assert _mb(requested[name]["requests"]["memory"]) >= measured[role], name


def _mb(quantity: str) -> float:
    number, unit = re.fullmatch(r"(\d+)(Mi|Gi)", quantity).groups()  # type: ignore[union-attr]
    return int(number) * {"Mi": 1 << 20, "Gi": 1 << 30}[unit] / 1e6


def test_users_are_those_of_the_images() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    users = {line.split()[1].split(":")[0] for line in lines if line.startswith("USER")}
    assert {str(pod["securityContext"]["runAsUser"]) for pod in pods()} <= users


def test_settings_are_settings() -> None:
    settings = _settings()
    named = set(settings)
    named |= {one["name"] for container in containers() for one in container.get("env", [])}
    known = {f"TAILROOM_{name.upper()}" for name in Settings.model_fields}
    assert named - known - _OF_IMAGES == set()
    assert all(isinstance(value, str) for value in settings.values())


def test_every_pod_of_the_api_signs_with_the_same_key() -> None:
    (pod,) = [one for one in pods() if one["containers"][0]["name"] == "api"]
    (api,) = pod["containers"]
    (named,) = [one["value"] for one in api["env"] if one["name"] == "TAILROOM_PACK_KEY_FILE"]
    (mount,) = [one for one in api["volumeMounts"] if Path(one["mountPath"]) == Path(named).parent]
    (secret,) = [one["secret"] for one in pod["volumes"] if one["name"] == mount["name"]]
    # The kubelet gives the files to the pod's group, and to nobody else.
    assert (mount["readOnly"], secret["defaultMode"]) == (True, 0o440)
    assert pod["securityContext"]["fsGroup"] == pod["securityContext"]["runAsGroup"]
    page = (ROOT / "docs" / "kubernetes.md").read_text()
    assert f"create secret generic {secret['secretName']} --from-file={Path(named).name}" in page
    # Nobody else has it, and nobody says a setting of it without having it.
    assert sum("secret" in volume for one in pods() for volume in one["volumes"]) == 1
    assert "TAILROOM_PACK_KEY_FILE" not in _settings()


def test_a_pod_of_the_api_is_one_process() -> None:
    """As many as are counted for the installation, spread over nodes, and replaced one by one."""
    assert _settings()["TAILROOM_API_PROCESSES"] == "1"


def _settings() -> Json:
    (found,) = [one["data"] for one in documents("base") if one["kind"] == "ConfigMap"]
    assert isinstance(found, dict)
    return found


def test_commands_are_those_of_the_containers_on_one_host() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    queues: list[str] = []
    for one in containers():
        command = one.get("command")
        if command is None:
            continue
        there = services[one["name"]]["command"]
        assert command[:4] == there[:4], one["name"]
        if "--queues" in command:
            queues += command[command.index("--queues") + 1].split(",")
    assert sorted(queues) == sorted(LANES)


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
@pytest.mark.parametrize("folder", FOLDERS)
def test_overlays_can_be_built(folder: str) -> None:
    done = subprocess.run(
        ["kubectl", "kustomize", str(KUBERNETES / folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    built = list(yaml.safe_load_all(done.stdout))
    for one in built:
        kubernetes_validate.validate(one, VERSIONS[-1], strict=True)
    deployments = {one["metadata"]["name"]: one for one in built if one["kind"] == "Deployment"}
    assert deployments.keys() == {"api", "worker", "background", "beat"}
    if folder == "many-nodes":
        assert deployments["api"]["spec"]["replicas"] == 4
        (settings,) = [one["data"] for one in built if one["kind"] == "ConfigMap"]
        worker = deployments["worker"]
        command = worker["spec"]["template"]["spec"]["containers"][0]["command"]
        processes = int(command[command.index("--concurrency") + 1])
        assert worker["spec"]["replicas"] * processes == int(settings["TAILROOM_JUDGING_PROCESSES"])
