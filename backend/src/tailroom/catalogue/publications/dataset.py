"""Publications of the package, read from files, without a database.

A bare `0` beside numbers with decimals (“0.07 / 0”) does not mean “under half a per cent”: an author who
prints 0.07 would have printed 0.3. It is rounded like the coarsest other number of its row: beside 5.4 it
means less than 0.05, beside 5.38 less than 0.005. This applies in publications with `bare_zero: row`; in
others a 0 means less than 0.5.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from tailroom.catalogue.publications.document import (
    ClaimIn,
    ColumnIn,
    ConditionIn,
    LoadIn,
    PublicationFile,
    RowIn,
    TableIn,
)
from tailroom.domain import act
from tailroom.domain.claims.claim import (
    UNITS,
    ClaimTable,
    Load,
    PrintedNumber,
    PrintedUnreadable,
    Publication,
    PublishedClaim,
    Relation,
    last_digit,
    printed_number,
    printed_text,
)
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.published import RoundingMode

_SHARES = frozenset({"exceedance", "share_below", "read_share", "write_share", "criterion"})
"""Quantities that cannot exceed 1."""


class ReferenceInvalid(DomainError):
    """A file of the reference data is malformed; the message names the file and the place."""


def reference_files(folder: str) -> list[Traversable]:
    """Return the YAML files in a folder of the package's reference data, by name."""
    directory = files("tailroom.catalogue").joinpath("reference", folder)
    yaml_files = [file for file in directory.iterdir() if file.name.endswith(".yaml")]
    return sorted(yaml_files, key=lambda file: file.name)


@cache
def read_all() -> tuple[Publication, ...]:
    """Return every publication of the package, by slug.

    Raise ReferenceInvalid if a file is malformed or two publications have the same slug.
    """
    publications = [
        read_publication(file.read_bytes(), file.name) for file in reference_files("publications")
    ]
    slugs = [publication.slug for publication in publications]
    if len(set(slugs)) != len(slugs):
        raise ReferenceInvalid(f"publications share a slug: {', '.join(sorted(slugs))}")
    return tuple(sorted(publications, key=lambda publication: publication.slug))


def read_publication(content: bytes, name: str) -> Publication:
    """Return a publication from the content of its file.

    Raise ReferenceInvalid, starting with `name`, if it is malformed or two claims have the same key.
    """
    try:
        document = msgspec.yaml.decode(content, type=PublicationFile)
    except msgspec.MsgspecError as error:
        raise ReferenceInvalid(f"{name}: {error}") from error
    try:
        claims = tuple(_claims(document))
    except DomainError as error:
        raise ReferenceInvalid(f"{name}: {error}") from error
    keys = [claim.key for claim in claims]
    twice = sorted({key for key in keys if keys.count(key) > 1})
    if twice:
        raise ReferenceInvalid(f"{name}: claims share a key: {', '.join(twice)}")
    return Publication(
        slug=document.slug,
        title=document.title,
        publisher=document.publisher,
        kind=document.kind,
        url=document.url,
        date_as_printed=document.date_as_printed,
        document=document.document,
        measurement=document.measurement,
        not_disclosed=tuple(document.not_disclosed),
        tables=tuple(
            ClaimTable(t.id, t.title_as_printed, t.title, t.note, tuple(row.row for row in t.rows))
            for t in document.tables
        ),
        claims=claims,
    )


def _claims(document: PublicationFile) -> Iterable[PublishedClaim]:
    """Yield the claims (printed numbers) of a file in the order of the document."""
    position = 0
    for table in document.tables:
        for row in table.rows:
            for source, printed in _numbers(document, table, row):
                try:
                    claim = _claim(document, table, row, source, printed=printed, position=position)
                except DomainError as error:
                    raise ReferenceInvalid(f"{row.row}/{source.key}: {error}") from error
                yield claim
                position += 1


def _numbers(
    document: PublicationFile, table: TableIn, row: RowIn
) -> Iterable[tuple[ColumnIn | ClaimIn, PrintedNumber]]:
    """Yield the numbers of a row, each with the column or claim that defines it; empty cells are skipped.

    Raise ReferenceInvalid if cells, wordings or units do not fit the columns, or a claim has not exactly one
    of `printed` and `text`; PrintedUnreadable for a malformed number.
    """
    if row.cells and len(row.cells) != len(table.columns):
        raise ReferenceInvalid(f"{row.row}: {len(row.cells)} cells for {len(table.columns)} columns")
    if row.as_printed and len(row.as_printed) != len(row.cells):
        raise ReferenceInvalid(f"{row.row}: {len(row.as_printed)} wordings for {len(row.cells)} cells")
    unknown = row.units.keys() - {column.key for column in table.columns}
    if unknown:
        raise ReferenceInvalid(f"{row.row}: units for columns that do not exist: {', '.join(unknown)}")
    zero = _zero_digit(row.cells) if document.bare_zero == "row" else None
    wordings = row.as_printed or [None] * len(row.cells)
    for column, cell, wording in zip(table.columns, row.cells, wordings, strict=False):
        if cell is not None:
            unit = row.units.get(column.key) or column.unit or row.unit
            yield column, _number(row, column, cell, unit=unit, as_printed=wording, zero=zero)
    for claim in row.claims:
        if (claim.printed is None) == (claim.text is None):
            raise ReferenceInvalid(f"{row.row}/{claim.key}: give `printed` or `text`, one of the two")
        if claim.text is not None:
            yield claim, printed_text(claim.text)
        elif claim.printed is not None:
            yield (
                claim,
                _number(
                    row,
                    claim,
                    claim.printed,
                    unit=claim.unit or row.unit,
                    as_printed=claim.as_printed,
                    comparison=claim.comparison,
                ),
            )


def _number(
    row: RowIn,
    source: ColumnIn | ClaimIn,
    number: str,
    *,
    unit: str | None,
    as_printed: str | None,
    comparison: Relation = Relation.EQUAL,
    zero: Fraction | None = None,
) -> PrintedNumber:
    """Return a number of a cell or claim, with the bounds that its rounding allows; a share is at most 1.

    `zero` is the value of the last digit of a bare `0`, 1 if None. Raise PrintedUnreadable if the number is
    malformed.
    """
    word = source.rounding or row.rounding or "half"
    printed = printed_number(
        number,
        unit or "",
        as_printed=as_printed,
        comparison=comparison,
        rounding=None if word == "set" else RoundingMode(word),
        ulp=zero if number == "0" else None,
    )
    if printed.upper is not None and printed.upper > 1 and (source.quantity or row.quantity) in _SHARES:
        return replace(printed, upper=1.0)
    return printed


def _zero_digit(cells: Iterable[str | None]) -> Fraction | None:
    """Return the value of the coarsest last digit of these cells; None if all are empty or bare zeros."""
    digits = [last_digit(cell) for cell in cells if cell is not None and cell != "0"]
    return max(digits, default=None)


def _claim(
    document: PublicationFile,
    table: TableIn,
    row: RowIn,
    source: ColumnIn | ClaimIn,
    *,
    printed: PrintedNumber,
    position: int,
) -> PublishedClaim:
    """Return the claim of a number; missing values are taken from its row, table or document.

    Raise ReferenceInvalid without a quantity or subject, PrintedUnreadable for a threshold that is no time.
    """
    quantity = source.quantity or row.quantity
    subject = source.subject or row.subject
    if quantity is None or subject is None:
        raise ReferenceInvalid("a number needs a quantity and a subject")
    threshold = source.threshold or row.threshold
    conditions: dict[str, ConditionIn] = {}
    for level in (document.conditions, table.conditions, row.conditions, source.conditions):
        conditions.update(level)
    return PublishedClaim(
        key=f"{row.row}/{source.key}",
        row=row.row,
        table=table.id,
        table_title=table.title_as_printed,
        row_label=row.label,
        position=position,
        subject=subject,
        item=source.item or row.item,
        quantity=quantity,
        statistic=source.statistic or row.statistic,
        threshold_ns=None if threshold is None else _threshold_ns(threshold),
        operation=source.operation or row.operation,
        workload=source.workload or row.workload,
        metric_class=source.metric_class or row.metric_class,
        config=source.config or row.config,
        load=_load(row.load, conditions),
        conditions=conditions,
        printed=printed,
        test_date_as_printed=row.test_date_as_printed,
    )


def _threshold_ns(text: str) -> int:
    """Return a threshold such as `8 ms` in ns. Raise PrintedUnreadable if the unit is not a unit of time."""
    number, _, unit = text.partition(" ")
    canonical, factor = UNITS.get(unit, ("", Fraction(0)))
    if canonical != "ns":
        raise PrintedUnreadable(f"threshold {text!r} is no time")
    return int(Fraction(number) * factor)


def _load(stated: LoadIn | None, conditions: Mapping[str, ConditionIn]) -> Load | None:
    """Return the load of a number; None if none is stated.

    For ACT, a missing multiple follows from the operations per second, and reads and writes always follow
    from the multiple.
    """
    if stated is None:
        return None
    multiple, reads, writes = stated.multiple, stated.reads_per_s, stated.writes_per_s
    operations = stated.operations_per_s
    if conditions.get("tool") == "act":
        if multiple is None and operations is not None:
            multiple = operations / (act.READS_PER_S + act.WRITES_PER_S)
        if multiple is not None:
            reads, writes = multiple * act.READS_PER_S, multiple * act.WRITES_PER_S
            operations = operations if operations is not None else reads + writes
    return Load(multiple, reads, writes, operations, stated.as_printed)
