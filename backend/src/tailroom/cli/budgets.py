"""Budgets as the command line names them: a built-in name, or a file."""

from pathlib import Path

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.document import parse_json
from tailroom.domain.verdicts.budget import BUDGETS, budget_of
from tailroom.domain.verdicts.budget_kinds import Budget

_BUDGET_BYTES = 1 << 20


class BudgetUnusable(DomainError):
    """The file is unreadable, too large or no YAML, or a version was given beside a file."""


def budget_named(name_or_file: str, version: int | None = None) -> Budget:
    """Return the built-in budget of a name and version (None: the newest), else the budget in a file.

    The file is a budget document in JSON, or OpenSLO in YAML. Raise BudgetUnusable if it cannot be read, is
    over 1 MiB, or a version is given too; another DomainError for an unknown name or an invalid document.
    """
    path = Path(name_or_file)
    if any(budget.name == name_or_file for budget in BUDGETS) or not (
        path.suffix == ".json" or path.is_file()
    ):
        return budget_of(name_or_file, version)
    if version is not None:
        raise BudgetUnusable(
            "--version chooses a version of a built-in budget; a budget document states its own"
        )
    try:
        if path.stat().st_size > _BUDGET_BYTES:
            raise BudgetUnusable(
                f"{name_or_file} has more than {_BUDGET_BYTES} bytes; a budget document is small"
            )
        data = path.read_bytes()
    except OSError as error:
        raise BudgetUnusable(f"{name_or_file} cannot be read: {error.strerror or error}") from error
    if path.suffix in {".yaml", ".yml"}:
        return _from_yaml(name_or_file, data)
    from tailroom.budgets.documents import parse

    return parse(parse_json(data))


def _from_yaml(file: str, data: bytes) -> Budget:
    """Return the budget of an OpenSLO v1 document. Raise DomainError if there is none."""
    import yaml

    from tailroom.domain.verdicts.openslo import budget_from_openslo

    try:
        documents = list(yaml.safe_load_all(data))
    except yaml.YAMLError as error:
        raise BudgetUnusable(f"{file} is no YAML: {' '.join(str(error).split())[:200]}") from error
    return budget_from_openslo(documents)
