"""`tailroom verify PACK.zip`: every verdict of an evidence pack worked out again, without a server.

Ends with 0 where everything is as the pack says, 1 where something differs, 2 for what is no pack that this
version can read, and 3 where an earlier version of the method made an intact pack: its verdicts are printed
and not compared.
"""

import json
from pathlib import Path
from typing import Annotated

import typer

from tailroom.cli.result_files import UNREADABLE, reason_of
from tailroom.cli.terminal import echo
from tailroom.domain.method import METHOD_VERSION
from tailroom.reports.verification import SignatureState, Verification
from tailroom.reports.verification import verify as verify_pack

_DIFFERS, _UNUSABLE, _NOT_COMPARED = 1, 2, 3
_SHOWN = 20
_SIGNATURES = {
    SignatureState.VALID: "signed by {fingerprint}",
    SignatureState.INVALID: "SIGNATURE INVALID: somebody changed the manifest after it was signed",
    SignatureState.NONE: "not signed",
}


def verify(
    pack: Annotated[Path, typer.Argument(metavar="PACK.zip", help="An evidence pack.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of lines.")] = False,
) -> None:
    """Recompute every verdict of an evidence pack: 0 as it says, 1 differs, 2 unusable, 3 older method."""
    try:
        found = verify_pack(pack.read_bytes())
    except UNREADABLE as error:
        echo(f"{pack} cannot be verified: {reason_of(error)}", err=True)
        raise typer.Exit(_UNUSABLE) from None
    echo(json.dumps(found.document(), allow_nan=False) if as_json else "\n".join(_lines(found)))
    raise typer.Exit(0 if found.ok else _NOT_COMPARED if found.is_intact else _DIFFERS)


def _lines(found: Verification) -> list[str]:
    signature = _SIGNATURES[found.signature].format(fingerprint=found.fingerprint)
    answers = [f"  {answer.words}: {answer.budget}" for answer in found.answers]
    omitted = [f"  not in the pack: {verdict}" for verdict in found.omitted]
    if found.ok:
        head = f"As it says: {found.verdicts} verdicts recomputed, nothing differs; {signature}."
        return [head, *answers, *omitted]
    if found.is_intact:
        method = found.method_version
        text = (
            f"Intact: nothing was changed; {signature}. Its verdicts are by method {method} and were not "
            f"compared: this tailroom answers by method {METHOD_VERSION}. "
            "The version that made it verifies them."
        )
        return [text, *answers]
    lines = [f"Not as it says: {len(found.differences)} differences; {signature}."]
    lines += [
        f"  {one.where}: the pack says {one.packed}, found {one.found}" for one in found.differences[:_SHOWN]
    ]
    if len(found.differences) > _SHOWN:
        lines.append(f"  and {len(found.differences) - _SHOWN} more (--json lists all)")
    return lines + omitted
