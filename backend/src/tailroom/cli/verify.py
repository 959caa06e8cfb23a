"""`tailroom verify PACK.zip`: recompute every verdict of an evidence pack without a server.

Exits with 0 if everything agrees, 1 if something differs, and 2 for a file that this version cannot verify.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tailroom.reports.verification import Verification


_DIFFERS, _UNUSABLE = 1, 2
_SHOWN = 20
_SIGNATURES = {
    "valid": "signed by {fingerprint}",
    "invalid": "SIGNATURE INVALID: somebody changed the manifest after it was signed",
    "none": "not signed",
}


def verify(
    pack: Annotated[Path, typer.Argument(metavar="PACK.zip", help="An evidence pack.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of lines.")] = False,
) -> None:
    """Recompute every verdict of an evidence pack: 0 as it says, 1 something differs, 2 unusable."""
    from tailroom.cli.result_files import UNREADABLE, reason_of
    from tailroom.reports.verification import verify as verify_pack

    try:
        verification = verify_pack(pack.read_bytes())
    except UNREADABLE as error:
        typer.echo(f"{pack} cannot be verified: {reason_of(error)}", err=True)
        raise typer.Exit(_UNUSABLE) from None
    typer.echo(
        json.dumps(verification.document(), allow_nan=False) if as_json else "\n".join(_lines(verification))
    )
    raise typer.Exit(0 if verification.ok else _DIFFERS)


def _lines(verification: "Verification") -> list[str]:
    signature = _SIGNATURES[verification.signature].format(fingerprint=verification.fingerprint)
    if verification.ok:
        return [f"As it says: {verification.verdicts} verdicts recomputed, nothing differs; {signature}."]
    lines = [f"Not as it says: {len(verification.differences)} differences; {signature}."]
    lines += [
        f"  {difference.where}: the pack says {difference.packed}, found {difference.found}"
        for difference in verification.differences[:_SHOWN]
    ]
    if len(verification.differences) > _SHOWN:
        lines.append(f"  and {len(verification.differences) - _SHOWN} more (--json lists all)")
    return lines
