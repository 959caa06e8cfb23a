"""`tailroom verify PACK.zip`: recompute every verdict of an evidence pack without a server.

Exits with 0 if everything agrees, 1 if something differs, 2 for a file that is no pack or that this version
cannot read, and 3 for an intact pack by an earlier version of the method, whose verdicts are not compared.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tailroom.cli.options import JsonOption
from tailroom.cli.terminal import echo, number_of, stop
from tailroom.domain.method import METHOD_VERSION
from tailroom.kit.exit_codes import ExitCode

if TYPE_CHECKING:
    from tailroom.reports.time_stamps import TimeStamp
    from tailroom.reports.verification import Verification

_SHOWN = 20


def verify(
    pack: Annotated[Path, typer.Argument(metavar="PACK.zip", help="An evidence pack.")],
    *,
    time_stamp_roots: Annotated[
        Path | None,
        typer.Option(metavar="FILE.pem", help="Root certificates of trusted time-stamp authorities."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Recompute every verdict of an evidence pack: 0 as it says, 1 differs, 2 unusable, 3 older method."""
    from cryptography.x509 import load_pem_x509_certificates

    from tailroom.cli.result_files import UNREADABLE, reason_of
    from tailroom.reports.verification import verify as verify_pack

    try:
        roots = [] if time_stamp_roots is None else load_pem_x509_certificates(time_stamp_roots.read_bytes())
    except (OSError, ValueError) as error:
        stop(f"{time_stamp_roots} holds no certificates: {reason_of(error)}")
    try:
        verification = verify_pack(pack.read_bytes(), roots)
    except UNREADABLE as error:
        stop(f"{pack} cannot be verified: {reason_of(error)}")
    if as_json:
        echo(json.dumps(verification.document(), allow_nan=False))
    else:
        echo("\n".join(_lines(verification)))
    code = ExitCode.UNDECIDED if verification.is_intact else ExitCode.FAILED
    raise typer.Exit(int(ExitCode.FINE if verification.ok else code))


def _lines(verification: "Verification") -> list[str]:
    from tailroom.reports.verification import SignatureState

    signature = {
        SignatureState.VALID: f"signed by {verification.fingerprint}",
        SignatureState.INVALID: "SIGNATURE INVALID: the manifest or its signature was changed afterwards",
        SignatureState.NONE: "not signed",
    }[verification.signature]
    signature += _stamp_text(verification.time_stamp)
    answers = [f"  {answer.words}: {answer.budget}" for answer in verification.answers]
    beside = [f"  stated by a person, not by the files: {facts}" for facts in verification.stated]
    beside += [f"  not in the pack: {verdict}" for verdict in verification.omitted]
    if verification.ok:
        recomputed = number_of(verification.verdicts, "verdict")
        head = f"As it says: {recomputed} recomputed, nothing differs; {signature}."
        return [head, *answers, *beside]
    if verification.is_intact:
        method = verification.method_version
        text = (
            f"Intact: nothing was changed; {signature}. Its verdicts are by method {method} and were not "
            f"compared: this tailroom answers by method {METHOD_VERSION}. "
            "The version that made it verifies them."
        )
        return [text, *answers]
    lines = [f"Not as it says: {number_of(len(verification.differences), 'difference')}; {signature}."]
    lines += [
        f"  {difference.where}: the pack says {difference.packed}, found {difference.derived}"
        for difference in verification.differences[:_SHOWN]
    ]
    if len(verification.differences) > _SHOWN:
        lines.append(f"  and {len(verification.differences) - _SHOWN} more (--json lists all)")
    return lines + beside


def _stamp_text(time_stamp: "TimeStamp | None") -> str:
    """Return what the time stamp of a pack proves, to be appended to its signature; empty without one."""
    if time_stamp is None:
        return ""
    at = "a time that cannot be read" if time_stamp.at is None else f"{time_stamp.at:%Y-%m-%d %H:%M:%S} UTC"
    authority = time_stamp.authority or "an authority without a name"
    if time_stamp.state == "valid":
        return f"; existed at {at} by {authority}"
    if time_stamp.state == "unchecked":
        return f"; stamped {at} by {authority}, not checked: give its root with --time-stamp-roots"
    return f"; TIME STAMP INVALID: {time_stamp.problem}"
