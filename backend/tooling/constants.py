"""Check that numbers defined in several languages are equal in all of them.

Run as a module from the root of a checkout; print a line for each number that differs or is missing.
`docs/contracts/constants.md` holds the table: description, value, and places (a file, and the name of the
number there). Numbers are read from the text of the definition: literals, products with `*`, `**`, `<<`, and
named units of time. Standard library only.
"""

import ast
import operator
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = "docs/contracts/constants.md"

_ROW = re.compile(r"^\| (?P<what>[^|]+) \| (?P<values>[-\d. ]+) \| (?P<places>[^|]+) \|\s*$", re.MULTILINE)
_PLACE = re.compile(r"`([\w./-]+)` `(\w+)`")
_UNITS = {"NS_PER_US": 10**3, "NS_PER_MS": 10**6, "NS_PER_S": 10**9}
_LITERAL = r"-?(?<![\w.])(?:0x[\da-fA-F_]+|\d[\d_]*(?:\.(?!\.)\d[\d_]*)?(?:e-?\d+)?)"
_NUMBER = rf"(?:{_LITERAL}|\b(?:{'|'.join(_UNITS)})\b)"
_PRODUCT = re.compile(rf"{_NUMBER}(?:\s*(?:\*\*|\*|<<)\s*{_NUMBER})*")
_SIGNS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Mult: operator.mul,
    ast.Pow: operator.pow,
    ast.LShift: lambda value, by: value * 2.0**by,
}
_DEFINITION = (
    r"^(?:pub(?:\([^)]*\))? |export )?(?:const |static )?{name}\s*(?::[^=\n]*)?="
    r"\s*(?P<said>.*?)(?:;$|\n(?=\S)|\Z)"
)


def main() -> int:
    """Print the differences; return 1 if there are any."""
    differences = list(problems(ROOT))
    for line in differences:
        print(line)
    print(
        f"{len(differences)} numbers differ"
        if differences
        else "every repeated number is the same everywhere"
    )
    return 1 if differences else 0


def problems(root: Path) -> Iterator[str]:
    """Yield a line for each place whose numbers differ from the table.

    Also for a row without places, and for a document without a table.
    """
    rows = list(_ROW.finditer((root / TABLE).read_text()))
    if not rows:
        yield f"{TABLE}: holds no table of numbers"
    for row in rows:
        values = [float(number) for number in row["values"].split()]
        places = _PLACE.findall(row["places"])
        if not places:
            yield f"{TABLE}: {row['what']}: no place is named"
        for file, name in places:
            numbers = numbers_of(root / file, name)
            if numbers is None:
                yield f"{TABLE}: {file} defines no {name}"
            elif numbers != values:
                yield f"{file}: {name} is {numbers}, but {TABLE} says {values} ({row['what']})"


def numbers_of(path: Path, name: str) -> list[float] | None:
    """Return the numbers in the definition of a name, in order, each product as its value.

    None without a file or definition; empty if the definition has no number.
    """
    if not path.is_file():
        return None
    definition = re.search(
        _DEFINITION.format(name=re.escape(name)), path.read_text(), re.MULTILINE | re.DOTALL
    )
    return (
        None
        if definition is None
        else [
            _value(ast.parse(match.group(), mode="eval").body)
            for match in _PRODUCT.finditer(definition["said"])
        ]
    )


def _value(node: ast.expr) -> float:
    """Return the value of a number, a named unit, or a product, power, shift or negation of them."""
    if isinstance(node, ast.BinOp):
        return float(_SIGNS[type(node.op)](_value(node.left), _value(node.right)))
    if isinstance(node, ast.UnaryOp):
        return -_value(node.operand)
    return float(_UNITS[node.id]) if isinstance(node, ast.Name) else float(ast.literal_eval(node))


if __name__ == "__main__":
    sys.exit(main())
