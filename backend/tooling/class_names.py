"""Check that every class of the backend and the workers has a unique name.

Run as a module from the root of a checkout; print a line for each repeated name with its places. Private
classes count too, because a search for a name should lead to a single definition. Standard library only.
"""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("backend/src", "workers/src")


def main() -> int:
    """Print repeated class names; return 1 if there are any."""
    repeated = list(problems(ROOT))
    for line in repeated:
        print(line)
    print(f"{len(repeated)} class names are defined more than once" if repeated else "class names are unique")
    return 1 if repeated else 0


def problems(root: Path) -> Iterator[str]:
    """Yield a line with the places of each class name that has several definitions in the source folders."""
    places: dict[str, list[str]] = defaultdict(list)
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(f"{path.relative_to(root)}:{node.lineno}")
    for name, definitions in sorted(places.items()):
        if len(definitions) > 1:
            yield f"class {name}: {', '.join(definitions)}"


if __name__ == "__main__":
    sys.exit(main())
