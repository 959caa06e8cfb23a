"""Check that documents and comments refer to existing sections, decisions, paths, names and links.

Run as a module from the root of a checkout; print a line for each dead reference. Standard library only.

* `docs/method.md N`, with further numbers after "and", "to" or a comma: headings there.
* `ADR N` and `docs/adr/NNNN…` are files.
* Every decision ends with a paragraph `Decided in: …` that names the deciding paths.
* `docs/adr/README.md` lists every decision.
* Paths in backquotes and relative links in documents exist.
* A table row that ends with a path and names states where something is decided: the file defines each name.
* So does the file of a name that stands before it in backquotes and brackets, as in a recipe.
"""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_TOP = ("agent", "backend", "docs", "e2e", "frontend", "migrations", "workers")
_CODE = {".py", ".rs", ".ts", ".tsx", ".mjs", ".toml", ".yaml", ".yml"}
"""Suffixes of code whose comments may cite documents."""
_SKIPPED = {"node_modules", "target", "dist", "__pycache__", "test-results", "generated"}
_METHOD = "docs/method.md"
_NUMBER = r"\d+(?:\.\d+)?"
# Matches for example "1.5, 2.3 and 4.4" and "1.5 to 1.7".
_CITED = re.compile(
    rf"\bmethod\.md(?:\s+#?\s*sections?)?\s+#?\s*({_NUMBER}(?:(?:,|,?\s+#?\s*and|\s+to)\s+#?\s*{_NUMBER})*)"
)
_HEADING = re.compile(rf"^#+ ({_NUMBER})[. ]", re.MULTILINE)
_DECISION = re.compile(r"\bADR (\d+)\b|\badr/(\d{4})")
_ELSEWHERE = re.compile(r"\bMETHOD[.]md\b")
"""A name of the method outside the repository, which must not be cited."""
_PATH = re.compile(rf"`((?:{'|'.join(_TOP)})/[\w./-]+)`")
_LINK = re.compile(r"\]\(([^)#\s:]+)(?:#([^)\s]+))?\)")
_TABLE_ROW = re.compile(rf"^\|.*\| `((?:{'|'.join(_TOP)})/[\w./-]+\.\w+)` \|(.*)\|\s*$", re.MULTILINE)
_NAME_IN_FILE = re.compile(r"`([A-Za-z_]\w*)`\s+\(`([\w./-]+\.\w+)`")
_SOURCES = ("", "backend/src/tailroom", "frontend/src")
"""Folders in which recipes name files."""
_DEFINES = (
    r"(?:def|class|fn|struct|enum|trait|function|const|static|type|interface)\s+{name}\b|^\s*{name}\s*[:=]"
)
_ENDING = "Decided in:"


def main() -> int:
    """Print dead references; return 1 if there are any."""
    dead = [*citations(ROOT), *decisions(ROOT), *documents(ROOT)]
    for line in dead:
        print(line)
    print(f"{len(dead)} dead citations" if dead else "every citation leads somewhere")
    return 1 if dead else 0


def citations(root: Path) -> Iterator[str]:
    """Yield a line for each reference in code and documents to a section or decision that does not exist."""
    sections = set(_HEADING.findall((root / _METHOD).read_text()))
    numbers = {int(path.name[:4]) for path in (root / "docs/adr").glob("[0-9]*.md")}
    for path in _texts(root, {*_CODE, ".md"}):
        text = path.read_text(errors="replace")
        for match in _CITED.finditer(text):
            for section in re.findall(_NUMBER, match.group(1)):
                if section not in sections:
                    yield f"{_place(root, path, text, match)}: docs/method.md has no section {section}"
        for match in _ELSEWHERE.finditer(text):
            yield f"{_place(root, path, text, match)}: {match.group()} is not in this repository"
        for match in _DECISION.finditer(text):
            number = int(match.group(1) or match.group(2))
            if number not in numbers:
                yield f"{_place(root, path, text, match)}: docs/adr has no decision {number}"


def decisions(root: Path) -> Iterator[str]:
    """Yield a line for each decision record that is not listed, or does not end with existing paths."""
    index = (root / "docs/adr/README.md").read_text()
    for path in sorted((root / "docs/adr").glob("[0-9]*.md")):
        if f"]({path.name})" not in index:
            yield f"{path.relative_to(root)}: docs/adr/README.md does not list it"
        last = path.read_text().strip().split("\n\n")[-1]
        # The paragraph may also name functions: only a name with a slash or a dot is a path.
        paths = [named for named in re.findall(r"`([^`\s]+)`", last) if "/" in named or "." in named]
        if not last.startswith(_ENDING):
            yield f"{path.relative_to(root)}: does not end with a paragraph `{_ENDING} …`"
            continue
        if not paths:
            yield f"{path.relative_to(root)}: its last paragraph names no path"
        for named in paths:
            if not (root / named).exists():
                yield f"{path.relative_to(root)}: decided in `{named}`, which does not exist"


def documents(root: Path) -> Iterator[str]:
    """Yield a line for each dead path, link and name in documents."""
    for path in _texts(root, {".md"}):
        if path.name == "CHANGELOG.md":  # it describes earlier states
            continue
        text = path.read_text()
        for match in _PATH.finditer(text):
            named = match.group(1).rstrip(".")
            if not (root / named).exists():
                yield f"{_place(root, path, text, match)}: `{named}` does not exist"
        for match in _LINK.finditer(text):
            target = (path.parent / match.group(1)).resolve()
            if not target.exists():
                yield f"{_place(root, path, text, match)}: the link to {match.group(1)} leads nowhere"
            elif match.group(2) and target.suffix == ".md" and match.group(2) not in _anchors(target):
                yield f"{_place(root, path, text, match)}: {match.group(1)} has no heading #{match.group(2)}"
        for match in _TABLE_ROW.finditer(text):
            names = re.findall(r"`([A-Za-z_]\w*)`", match.group(2))
            for missing in _undefined(root, match.group(1), names):
                yield f"{_place(root, path, text, match)}: {missing}"
        for match in _NAME_IN_FILE.finditer(text):
            for missing in _undefined(root, match.group(2), [match.group(1)]):
                yield f"{_place(root, path, text, match)}: {missing}"


def _undefined(root: Path, file: str, names: list[str]) -> Iterator[str]:
    """Yield a text for each name that a file does not define; none for a file that is nowhere."""
    places = (root / folder / file for folder in _SOURCES)
    source = next((place.read_text() for place in places if place.is_file()), None)
    for name in names:
        if source is not None and not re.search(_DEFINES.format(name=name), source, re.MULTILINE):
            yield f"{file} defines no {name}"


def _anchors(path: Path) -> set[str]:
    """Return the anchors of a document's headings, as in a link after `#`."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
    plain_headings = (
        re.sub(r"[^\w\- ]", "", heading.replace("`", "")).strip().lower() for heading in headings
    )
    return {heading.replace(" ", "-") for heading in plain_headings}


def _texts(root: Path, suffixes: set[str]) -> Iterator[Path]:
    """Yield the files with these suffixes in the repository's source folders and directly at its root.

    Hidden folders and build outputs are left out.
    """
    for top in (*_TOP, "."):
        for folder, names, files in os.walk(root / top):
            names[:] = [
                name for name in names if name not in _SKIPPED and not name.startswith(".") and top != "."
            ]
            for name in sorted(files):
                path = Path(folder, name)
                if path.suffix in suffixes:
                    yield path


def _place(root: Path, path: Path, text: str, match: "re.Match[str]") -> str:
    """Return file and line of a match as text."""
    return f"{path.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}"


if __name__ == "__main__":
    sys.exit(main())
