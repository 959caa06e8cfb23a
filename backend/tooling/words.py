"""Check that the product's texts follow docs/language.md: length of sentences, and banned words.

Run as a module from the root of a checkout; print a line for each violation, and the mean number of words.
Texts are strings of code, and texts of pages, templates, documents and the API's description. Sentences of
fewer than four words, code and decision records are excluded. A sentence ends at a full stop, a question
mark, an exclamation mark, a colon or a semicolon. Standard library only.
"""

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
LANGUAGE = "docs/language.md"
MEAN_WORDS = 16.0
"""Limit of the mean number of words of a sentence."""
MOST_WORDS = 30
"""Limit of the words of a sentence."""
_LEAST_WORDS = 4
"""Shorter sentences are not checked."""

_PYTHON = ("backend/src", "workers/src")
_PAGES = "frontend/src"
_AGENT = "agent/crates"
_TEMPLATES = "backend/src/tailroom"
_CONTRACT = "docs/contracts/openapi.json"
_TEXTS = ("title", "summary", "description")
_EXAMPLES = ("example", "examples", "default", "enum", "const")
_DOCUMENTS = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/*.md")
_LEFT_OUT = {
    "backend/src/tailroom/domain/verdicts/budget.py": "stored verdicts quote these questions word for word",
    "backend/src/tailroom/importers/act/configuration.py": "names of settings of another tool",
    "docs/language.md": "names the words that are not said",
}
"""Files that are not checked, with the reason."""
_WORD = re.compile(r"[\w'’.%/-]+")
_PROSE = re.compile(r"[a-z]{3} [a-z]{2}")
_CODE = re.compile(r"[{}\[\]=|<>\\]|::|\bSELECT\b|\bUPDATE\b|\bGRANT\b")
_END = re.compile(r"(?<=[.!?:;])\s+")
_QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
_TEXT = re.compile(r">([^<>{}=;]*[a-z]{2}[^<>{}=;]* [^<>{}=;]*)(?=[<{])")
_FILLED = re.compile(r"\$\{[^}]*\}")
_RUST_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_RUST_FILLED = re.compile(r"\{[^{}]*\}")
_LINE_GOES_ON = re.compile(r"\\\n\s*")
_ATTRIBUTE = re.compile(r"#!?\[[^\]]*\]")
_TEMPLATE_STEP = re.compile(r"\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_TEMPLATE_FILLED = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_TEMPLATE_TEXT = re.compile(r">([^<>]+)<")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_MARKED_CODE = re.compile(r"`[^`]*`")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_HEADING = re.compile(r"^#+ ")
_ITEM = re.compile(r"^(?:[*\-+>]|\d+\.) ")
_UNIT = r"(?:%|×|[nµm]?s|min|h|(?:ops|reads)/s|IOPS|[kMGT]i?B(?:/s)?|[MG]bit/s|GbE|W)(?![\w%/])"
_PARTED = re.compile(rf"(?:\d|X) {_UNIT}")
_JOINED = re.compile(r"\\u00a0|&nbsp;")
_COMMENT = re.compile(r"^\s*(?://|\*|/\*).*$", re.MULTILINE)


class Sentence(NamedTuple):
    """A sentence of the product."""

    place: str
    """File, and the line or the path inside JSON."""
    text: str

    @property
    def words(self) -> int:
        """Number of words; an interpolated value counts as one."""
        return len(_WORD.findall(self.text))


def main() -> int:
    """Print violations and the mean number of words; return 1 if there are violations."""
    sentences = list(sentences_in(ROOT))
    mean = sum(sentence.words for sentence in sentences) / len(sentences)
    never = unsaid((ROOT / LANGUAGE).read_text())
    broken = [problem for sentence in sentences for problem in problems(sentence, never)]
    if mean > MEAN_WORDS:
        broken.append(f"the mean sentence has {mean:.1f} words, {MEAN_WORDS:g} are the most")
    for line in broken:
        print(line)
    print(f"{len(sentences)} sentences, {mean:.1f} words each; {len(broken)} problems")
    return 1 if broken else 0


def problems(sentence: Sentence, never: list[str]) -> Iterator[str]:
    """Yield a line for each rule that a sentence breaks; `never`: the banned words and phrases."""
    if sentence.words > MOST_WORDS:
        yield f"{sentence.place}: {sentence.words} words, {MOST_WORDS} are the most: “{sentence.text}”"
    if sentence.place.startswith(_PAGES) and (parted := _PARTED.search(sentence.text)):
        yield f"{sentence.place}: “{parted[0]}” may stand on two lines, join it by a no-break space"
    for phrase in never:
        if re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", sentence.text):
            yield f"{sentence.place}: “{phrase}” is not said ({LANGUAGE}): “{sentence.text}”"


def unsaid(language: str) -> list[str]:
    """Return the banned words: those in code type in the third column of the glossary `language`."""
    rows = [line.strip().strip("|").split("|") for line in language.splitlines() if line.startswith("|")]
    return [word for cells in rows if len(cells) == 3 for word in re.findall(r"`([^`]+)`", cells[2])]


def sentences_in(root: Path) -> Iterator[Sentence]:
    """Yield every sentence of backend, workers, agent, pages, templates, documents and the API."""
    for place in _PYTHON:
        for path in sorted((root / place).rglob("*.py")):
            yield from _split(root, path, python_strings(path.read_text()))
    for path in sorted((root / _PAGES).rglob("*.ts*")):
        if "generated" not in path.parts and ".test." not in path.name and "test" not in path.parts:
            yield from _split(root, path, page_strings(path.read_text()))
    for path in sorted((root / _AGENT).rglob("src/**/*.rs")):
        if "test" not in path.name:
            yield from _split(root, path, rust_strings(path.read_text()))
    for path in sorted((root / _TEMPLATES).rglob("templates/*.html")):
        yield from _split(root, path, template_strings(path.read_text()))
    for pattern in _DOCUMENTS:
        for path in sorted(root.glob(pattern)):
            yield from _split(root, path, document_texts(path.read_text()))
    contract = root / _CONTRACT
    yield from _split(root, contract, contract_texts(json.loads(contract.read_text())))


def _split(root: Path, path: Path, strings: Iterator[tuple[int | str, str]]) -> Iterator[Sentence]:
    """Yield the sentences in the texts of a file, given with their lines; nothing for a file in `_LEFT_OUT`.

    Sentences that are too short or look like code are left out.
    """
    name = str(path.relative_to(root))
    if name in _LEFT_OUT:
        return
    for line, text in strings:
        for part in _END.split(" ".join(text.split())):
            sentence = Sentence(f"{name}:{line}", part)
            if sentence.words >= _LEAST_WORDS and _PROSE.search(part) and not _CODE.search(part):
                yield sentence


def python_strings(source: str) -> Iterator[tuple[int, str]]:
    """Yield the strings of a module with their lines, without docstrings; interpolated values become X."""
    tree = ast.parse(source)
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                skipped.add(child.value)
        if isinstance(node, ast.JoinedStr):
            skipped.update(node.values)
            yield (
                node.lineno,
                "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values),
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in skipped:
            yield node.lineno, node.value


def page_strings(source: str) -> Iterator[tuple[int, str]]:
    """Yield the strings and texts of a page with their lines; interpolated values become X.

    Lines are counted after comments were removed.
    """
    source = _JOINED.sub("_", _COMMENT.sub("", source))
    for match in _QUOTED.finditer(source):
        yield source.count("\n", 0, match.start()) + 1, _FILLED.sub("X", match[1] or match[2] or "")
    for match in _TEXT.finditer(source):
        yield source.count("\n", 0, match.start()) + 1, match[1]


def rust_strings(source: str) -> Iterator[tuple[int, str]]:
    """Yield the strings of a Rust module with their lines, without tests, comments and attributes."""
    source = _COMMENT.sub("", source.partition("#[cfg(test)]")[0])
    for match in _RUST_STRING.finditer(_ATTRIBUTE.sub("", source)):
        text = _LINE_GOES_ON.sub("", match[1]).replace("\\n", " ").replace('\\"', "'")
        yield source.count("\n", 0, match.start()) + 1, _RUST_FILLED.sub("X", text)


def template_strings(source: str) -> Iterator[tuple[int, str]]:
    """Yield the texts of a template with their lines; interpolated values become X."""
    source = _TEMPLATE_FILLED.sub("X", _TEMPLATE_STEP.sub("", source))
    for match in _TEMPLATE_TEXT.finditer(source):
        yield source.count("\n", 0, match.start()) + 1, match[1]


def document_texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield paragraphs, items and cells of a Markdown document with their lines; code becomes X."""
    source = _FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), source)
    source = _LINK.sub(r"\1", _MARKED_CODE.sub("X", source))
    begun, parts = 1, list[str]()
    for number, raw in enumerate([*source.split("\n"), ""], start=1):
        line = raw.strip()
        is_text = line != "" and not line.startswith("|") and _HEADING.match(line) is None
        if parts and (not is_text or _ITEM.match(line)):
            yield begun, " ".join(parts)
            parts = []
        if is_text:
            begun = begun if parts else number
            parts.append(_ITEM.sub("", line, count=1) if not parts else line)
        elif line.startswith("|"):
            yield from ((number, cell.strip()) for cell in line.strip("|").split("|"))


def contract_texts(node: object, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield the texts of the API's description with their paths, each text once; code becomes X."""
    seen = set[str]()
    for where, text in _texts_below(node, place):
        if text not in seen:
            seen.add(text)
            yield where, _MARKED_CODE.sub("X", text)


def _texts_below(node: object, place: str) -> Iterator[tuple[str, str]]:
    """Yield the texts below a node of the API's description with their paths, examples left out."""
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from _texts_below(item, f"{place}/{index}")
    elif isinstance(node, dict):
        for key, value in node.items():
            if key in _TEXTS and isinstance(value, str):
                yield f"{place}/{key}", value
            elif key not in _EXAMPLES:
                yield from _texts_below(value, f"{place}/{key}")


if __name__ == "__main__":
    sys.exit(main())
