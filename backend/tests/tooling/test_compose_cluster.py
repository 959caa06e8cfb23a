"""What Compose starts: `.env` takes effect where it is needed, and a cluster is one host, only more of it."""

import re
from pathlib import Path
from typing import Any

import yaml

from tailroom.kit.settings import Settings
from tailroom.kit.valkey import sentinels_of

ROOT = Path(__file__).parents[3]
Json = dict[str, Any]


def services(name: str) -> Json:
    found: Json = yaml.safe_load((ROOT / name).read_text())["services"]
    return found


def test_what_is_added_is_hardened_and_what_is_there_runs_as_on_one_host() -> None:
    one, many = services("docker-compose.yml"), services("compose.cluster.yml")
    added = many.keys() - one.keys()
    assert added == {"broker-replica-1", "broker-replica-2", "sentinel-1", "sentinel-2", "sentinel-3"}
    for name in added:
        for key in (
            "restart",
            "read_only",
            "cap_drop",
            "security_opt",
            "init",
            "logging",
            "image",
        ):
            assert many[name][key] == one["broker"][key], (name, key)
        assert list(many[name]["networks"]) == one["broker"]["networks"]
        assert "healthcheck" in many[name]
        assert "ports" not in many[name]
    for name in many.keys() & one.keys():
        assert not {"command", "image", "user", "volumes", "ports"} & many[name].keys(), name


def test_every_application_container_has_the_settings_of_a_cluster() -> None:
    many = services("compose.cluster.yml")
    known = {f"TAILROOM_{name.upper()}" for name in Settings.model_fields}
    for name in ("migrations", "api", "worker", "background", "beat"):
        environment: Json = many[name]["environment"]
        assert {one for one in environment if one.startswith("TAILROOM_")} <= known
        sentinels = sentinels_of(environment["TAILROOM_REDIS_URL"])
        assert sentinels is not None
        assert {host for host, _ in sentinels.hosts} <= many.keys()
        needs_files = name in ("api", "background")
        assert needs_files == ("TAILROOM_RAW_FILES" in environment)
        # Whoever fetches files reaches beyond the network of the deployment.
        assert needs_files == ("outside" in many[name].get("networks", []))


def test_a_master_that_died_is_still_known_by_its_address() -> None:
    many = services("compose.cluster.yml")
    servers = {
        name: one for name, one in many.items() if "TAILROOM_BROKER_NAME" in one.get("environment", {})
    }
    addresses = {f"{name}:{one['networks']['inside']['ipv4_address']}" for name, one in servers.items()}
    assert len(addresses) == len({address.rpartition(":-")[2] for address in addresses}) == 3
    for name in many:
        if name.startswith(("broker", "sentinel")):
            assert set(many[name]["extra_hosts"]) == addresses, name


def test_as_many_judging_processes_as_are_announced() -> None:
    content = (ROOT / "compose.cluster.yml").read_text()
    scales = dict(re.findall(r"--scale (\w+)=(\d)", content))
    one, many = services("docker-compose.yml"), services("compose.cluster.yml")
    for service, setting in (
        ("worker", "TAILROOM_JUDGING_PROCESSES"),
        ("background", "TAILROOM_BACKGROUND_PROCESSES"),
    ):
        command: list[str] = one[service]["command"]
        each = command[command.index("--concurrency") + 1].rpartition("-")[2].rstrip("}")
        assert int(scales[service]) * int(each) == int(many[service]["environment"][setting])
    assert scales["api"] == "4"


def test_what_the_pages_for_operators_name_takes_effect() -> None:
    known = {f"TAILROOM_{name.upper()}" for name in Settings.model_fields}
    pages = [(ROOT / "docs" / f"{name}.md").read_text() for name in ("deployment", "operations", "limits")]
    pages[0] = pages[0].partition("## Keep it")[0]
    one = services("docker-compose.yml")
    # Agents have a setting of that name too. The home folder is a volume, which holds the files.
    elsewhere = {"TAILROOM_HOME", "TAILROOM_RAW_FILES"}
    named = set(re.findall(r"TAILROOM_[A-Z_]+", " ".join(pages))) & known - elsewhere
    named |= {"TAILROOM_TIME_STAMP_URL"}
    assert len(named) > 40
    assert named - one["api"]["environment"].keys() == set()
    mails = {"TAILROOM_SMTP_URL", "TAILROOM_MAIL_FROM", "TAILROOM_PUBLIC_URL", "TAILROOM_ALERT_NETWORKS"}
    for name in ("worker", "background"):
        assert mails - one[name]["environment"].keys() == set()


def test_no_password_has_a_default() -> None:
    """Compose refuses to start without them; what may be left out opens nothing."""
    for file in ("docker-compose.yml", "compose.cluster.yml", "compose.outward.yml"):
        content = (ROOT / file).read_text()
        named = set(re.findall(r"\$\{(TAILROOM_\w*(?:PASSWORD|SECRET|TOKEN))(:?[-?])?([^}]*)\}", content))
        for name, sign, rest in named:
            assert sign == ":?" or not rest, (file, name)
    needed = set(re.findall(r"\{(\w+):\?", (ROOT / "docker-compose.yml").read_text()))
    assert {"TAILROOM_DATABASE_PASSWORD", "TAILROOM_BROKER_PASSWORD"} <= needed


def test_who_sends_mails_and_webhooks_may_have_a_way_out() -> None:
    outward = services("compose.outward.yml")
    assert outward.keys() == {"api", "worker", "background"}
    networks = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["networks"]
    assert [name for name, one in networks.items() if one is None] == ["outside"]
    assert all(one == {"networks": ["inside", "outside"]} for one in outward.values())
