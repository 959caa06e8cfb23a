"""`tailroom siblings CAMPAIGN…`: which drive, node or link of a campaign is not like the others.

Exits with 0 if no unit is worse than its siblings (the other units), 1 if a unit is, 3 if the fleet is
undecided or units were not measured or judged, 2 if the campaign cannot be judged, and 70 if the installation
is unavailable.
"""

import json
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode
from uuid import UUID

import typer

from tailroom.cli.options import JsonOption, ServerOption, TokenOption
from tailroom.cli.terminal import echo, stop
from tailroom.kit.exit_codes import ExitCode

_SHOWN = 20
_OK = 200


def siblings(
    campaigns: Annotated[
        list[UUID],
        typer.Argument(metavar="CAMPAIGN…", help="Campaigns of one plan; their units are siblings."),
    ],
    *,
    phase: Annotated[str | None, typer.Option(help="Default: the last measured one.")] = None,
    operation: Annotated[str | None, typer.Option(help="Default: reads, or what most units have.")] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write every unit as CSV.")] = None,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: JsonOption = False,
) -> None:
    """Judge each drive, node or link of a campaign against its siblings: 0 alike, 1 one is worse."""
    from tailroom.cli.upload import local_server, request_json

    address = (server or local_server()).rstrip("/")
    parameters: list[tuple[str, str]] = [("also", str(campaign)) for campaign in campaigns[1:]]
    parameters += [("phase", phase)] if phase else []
    parameters += [("operation", operation)] if operation else []
    path = f"/api/v1/campaigns/{campaigns[0]}/siblings?{urlencode(parameters)}"
    status, answer = request_json(address, token, "GET", path)
    if status != _OK:
        stop(str(answer.get("detail") or answer))
    if csv is not None:
        from tailroom.comparison.sibling_schemas import SiblingsOut
        from tailroom.comparison.sibling_table import table

        csv.write_text(table(SiblingsOut.model_validate(answer)))
    echo(json.dumps(answer) if as_json else text_of(answer))
    raise typer.Exit(int(exit_code(answer)))


def exit_code(answer: dict[str, Any]) -> ExitCode:
    """Return FAILED if a unit is worse, UNDECIDED if the fleet or a unit is not decided, else FINE."""
    if answer["worse"]:
        return ExitCode.FAILED
    is_undecided = answer["effect"] == "open" or answer["not_judged"]
    return ExitCode.UNDECIDED if is_undecided else ExitCode.FINE


def text_of(answer: dict[str, Any]) -> str:
    """Return lines on at most 20 units that differ, with likely causes, and 20 that were not judged."""
    lines = [answer["answer"]]
    out = [unit for unit in answer["units"] if unit["effect"] in ("worse", "better")]
    for unit in out[:_SHOWN]:
        lines.append(f"  {unit['name']}: {unit['effect']}")
        lines += [
            f"    {row['label']}: {_ratio(row['ratio_lower'])} to {_ratio(row['ratio_upper'])} times its"
            " siblings"
            for row in unit["deviations"]
            if row["effect"] != "same"
        ]
        lines += [
            f"    {cause['name']}: {cause['value']}; {cause['siblings'] - cause['same_siblings']} of"
            f" {cause['siblings']} siblings have another, mostly {cause['usual']}"
            for cause in unit["causes"]
        ] or ["    Its inventory does not differ from that of its siblings."]
    if len(out) > _SHOWN:
        lines.append(f"  and {len(out) - _SHOWN} more: write all with --csv FILE")
    reasons = [
        f"  {unit['name']}: not judged: {unit['reason']}" for unit in answer["units"] if unit["reason"]
    ]
    lines += reasons[:_SHOWN] if answer["effect"] != "open" else []
    absent = answer.get("not_measured", [])
    lines += [f"  {agent['agent']}: not measured: {agent['reason']}" for agent in absent[:_SHOWN]]
    if len(absent) > _SHOWN:
        lines.append(f"  and {len(absent) - _SHOWN} more that were not measured")
    return "\n".join(lines)


def _ratio(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3f}"
