"""`tailroom load-search PROBE…`: the highest load that held, from the probes of a search.

Probes are the measurements of a search, each at one load: result files of `tailroom-agent seek`, or the
address of any run of a search. Exits with 0 if a load holds, 1 if none does, 3 if no load is decided. With
`--baseline` it exits with 1 if the new bracket lies wholly below that of the earlier search.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from tailroom.cli.options import JsonOption
from tailroom.cli.terminal import echo, stop
from tailroom.kit.exit_codes import ExitCode


def load_search(
    probes: Annotated[
        list[str],
        typer.Argument(metavar="PROBE…", help="Result files of a search, or the address of one of its runs."),
    ],
    *,
    baseline: Annotated[
        list[str] | None,
        typer.Option(metavar="PROBE", help="Probes of an earlier search to compare with; may be repeated."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print the probes of a search and the highest load that holds: 0 one, 1 none or less than before."""
    from tailroom.cli.result_files import UNREADABLE, reason_of

    try:
        search = search_document(probes)
        earlier = search_document(baseline) if baseline else None
    except UNREADABLE as error:
        stop(reason_of(error))
    effect = None if earlier is None else effect_on(earlier, search)
    if as_json:
        echo(json.dumps(search | ({} if effect is None else {"baseline": earlier, "effect": effect})))
    else:
        echo("\n".join(lines_of(search)))
        if earlier is not None and effect is not None:
            echo("\n".join(baseline_lines(earlier, effect)))
    raise typer.Exit(int(ExitCode.FAILED if effect == "lower" else exit_code(search)))


def search_document(names: Sequence[str]) -> dict[str, Any]:
    """Return the search that an address or result files hold, in the form of the API.

    Raise DomainError for none or several searches, a file without a result, or an address without an answer;
    OSError for a file that cannot be opened.
    """
    from tailroom.cli.result_files import runs_of
    from tailroom.cli.run_addresses import answer_about_run, is_address
    from tailroom.domain.errors import DomainError
    from tailroom.evidence.load_search import searches_of_files

    if len(names) == 1 and is_address(names[0]):
        return answer_about_run(names[0], "/api/v1/sla/load-search/{run_id}")
    searches = searches_of_files([run for name in names for run in runs_of(name, None)])
    if len(searches) != 1:
        content = f"probes of {len(searches)} searches" if searches else "no probe of a search"
        raise DomainError(f"{content} in {', '.join(names)}: give the result files of one search")
    return _document(searches[0])


def _document(search: Any) -> dict[str, Any]:
    from dataclasses import asdict

    from tailroom.domain.rating.load_search import LoadBracket
    from tailroom.sla.load_search_schema import WordChangeOut

    bracket: LoadBracket = search.bracket
    return {
        "search_id": search.search_id,
        "objective": search.objective,
        "limit_ns": search.budget.limits[0].below_ns,
        "text": search.text,
        "probes": [
            {
                "run_id": judged.record.parameters.get("run_id"),
                "step": judged.plan.step,
                "load_per_s": judged.plan.load_per_s,
                "quantile_lower_ns": judged.quantile.lower_ns if judged.quantile else None,
                "quantile_upper_ns": judged.quantile.upper_ns if judged.quantile else None,
                "late_share": judged.probe.counts.share if judged.probe else None,
                **{
                    name: judged.assessment.summary()[name]
                    for name in ("verdict", "strength", "words", "reason_text")
                },
            }
            for judged in search.probes
        ],
        **asdict(bracket),
        "changes": [
            WordChangeOut.model_validate(change, from_attributes=True).model_dump(mode="json")
            for change in bracket.changes
            if change.is_beyond_scatter
        ],
    }


def lines_of(search: Mapping[str, Any]) -> list[str]:
    """Return a search as lines: its probes, the bracket, and what contradicts a single highest load.

    That is a load with another answer later, or a load that passed above a load that failed.
    """
    from tailroom.domain.latency.distribution import TimeBounds
    from tailroom.evidence.load_search import load_text, quantile_text

    lines = [f"{'probe':>5}  {'load':>12}  {'quantile':<26}  {'late':>9}  answer"]
    for probe in search["probes"]:
        lower, upper = probe["quantile_lower_ns"], probe["quantile_upper_ns"]
        quantile = quantile_text(None if lower is None else TimeBounds(lower, upper))
        late = "" if probe["late_share"] is None else f"{100 * probe['late_share']:.3f} %"
        words = probe["words"] or "being measured"
        lines.append(
            f"{probe['step']:>5}  {load_text(probe['load_per_s']):>12}  {quantile:<26}  {late:>9}  {words}"
        )
    lines.append(str(search["text"]))
    if search["passed_per_s"] is not None and search["failed_per_s"] is not None:
        ends = [
            "open" if search[name] is None else load_text(search[name])
            for name in ("surely_passed_per_s", "surely_failed_per_s")
        ]
        lines.append(f"  beyond the scatter of its probes: {ends[0]} to {ends[1]}")
    for change in search["changes"]:
        what = "hysteresis" if change["is_hysteresis"] else "the server changed"
        load = load_text(change["load_per_s"])
        lines.append(f"  {what}: {load} was {change['before']}, later {change['after']}")
    lines += [
        f"  {load_text(load)} held as well, above a load that failed"
        for load in search["passes_above_failure"]
    ]
    return lines


def exit_code(search: Mapping[str, Any]) -> ExitCode:
    """Return FINE if a load holds, FAILED if none holds, UNDECIDED if no load is decided."""
    if search["passed_per_s"] is not None:
        return ExitCode.FINE
    return ExitCode.UNDECIDED if search["failed_per_s"] is None else ExitCode.FAILED


def baseline_lines(earlier: Mapping[str, Any], effect: str) -> list[str]:
    """Return two lines: the bracket of the earlier search, and the effect (a value of BracketEffect)."""
    from tailroom.domain.rating.load_search import BracketEffect
    from tailroom.evidence.load_search import EFFECT_TEXTS

    return [f"baseline: {earlier['text']}", EFFECT_TEXTS[BracketEffect(effect)]]


def effect_on(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return the BracketEffect between two searches. End the command if their objectives differ."""
    from tailroom.domain.rating.load_search import LoadBracket, effect_of

    if before["objective"] != after["objective"]:
        stop(f"the baseline is about “{before['objective']}”, not “{after['objective']}”")

    def bracket_of(search: Mapping[str, Any]) -> LoadBracket:
        return LoadBracket(
            surely_passed_per_s=search["surely_passed_per_s"],
            surely_failed_per_s=search["surely_failed_per_s"],
        )

    return effect_of(bracket_of(before), bracket_of(after)).value
