"""Check the lock files offline: package sources, hashes, and the policy of docs/dependency-policy.toml.

Security advisories are known only as far as the policy lists them: `pip-audit`, `npm audit` and `cargo deny`
query them over the network (docs/security.md).
"""

import json
import sys
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

POLICY = "docs/dependency-policy.toml"
_PYPI, _CRATES = "https://pypi.org/simple", "registry+https://github.com/rust-lang/crates.io-index"


class Package(NamedTuple):
    """A locked package of a registry."""

    ecosystem: str
    """`pypi`, `npm` or `crates`."""
    name: str
    version: str
    problem: str | None
    """Fault of its source or hash; None without one."""


def packages(root: Path) -> Iterator[Package]:
    """Yield all packages of the three lock files, without those of this repository."""
    for package in tomllib.loads((root / "uv.lock").read_text())["package"]:
        source = package["source"]
        if "editable" in source or "virtual" in source:
            continue
        files = [*package.get("wheels", ()), *([package["sdist"]] if "sdist" in package else ())]
        hashed = files and all(str(each.get("hash", "")).startswith("sha256:") for each in files)
        problem = None if source == {"registry": _PYPI} else f"comes from {source}"
        yield Package(
            "pypi", package["name"], package["version"], problem or (None if hashed else "has no hash")
        )
    for place, package in json.loads((root / "package-lock.json").read_text())["packages"].items():
        if "node_modules/" not in place or package.get("link"):
            continue
        resolved = package.get("resolved")
        strange = resolved is not None and not resolved.startswith("https://registry.npmjs.org/")
        hashed = str(package.get("integrity", "")).startswith("sha512-")
        problem = f"comes from {resolved}" if strange else None if hashed else "has no hash"
        yield Package("npm", place.rpartition("node_modules/")[2], package["version"], problem)
    for package in tomllib.loads((root / "Cargo.lock").read_text())["package"]:
        if "source" not in package:
            continue
        problem = None if package["source"] == _CRATES else f"comes from {package['source']}"
        problem = problem or (None if "checksum" in package else "has no hash")
        yield Package("crates", package["name"], package["version"], problem)


def problems(root: Path, today: date) -> Iterator[str]:
    """Yield a line for each violation of the policy, and if the policy is older than it allows on `today`."""
    policy: dict[str, Any] = tomllib.loads((root / POLICY).read_text())
    locked = list(packages(root))
    for package in locked:
        if package.problem is not None:
            yield f"{package.ecosystem} {package.name} {package.version} {package.problem}"
        for rule in policy.get("refused", ()):
            same = (rule["ecosystem"], rule["name"]) == (package.ecosystem, package.name)
            if same and (below := rule.get("below")) is None:
                yield f"{package.ecosystem} {package.name} is refused: {rule['why']}"
            elif same and _parts(package.version) < _parts(below):
                yield f"{package.ecosystem} {package.name} {package.version} is below {below}: {rule['why']}"
    looked_at = policy["looked_at"]
    if (today - looked_at).days > policy["days"]:
        yield f"the policy was looked at on {looked_at}: ask for advisories, and write the day into {POLICY}"


def _parts(version: str) -> list[int]:
    """Return the numbers of a version for comparison, such as [1, 22, 0] for 1.22.0+local.

    Of each part only the digits count; a part without digits is 0.
    """
    plain = version.partition("+")[0]
    return [int("".join(filter(str.isdigit, part)) or 0) for part in plain.split(".")]


def main() -> int:
    """Print problems; return 1 if there are any."""
    root = Path(__file__).resolve().parents[2]
    refused = list(problems(root, date.today()))  # noqa: DTZ011 - a day is precise enough
    for problem in refused:
        print(problem)
    print(
        f"{len(list(packages(root)))} locked packages, {len(refused)} problems; advisories are not asked for"
    )
    return bool(refused)


if __name__ == "__main__":
    sys.exit(main())
