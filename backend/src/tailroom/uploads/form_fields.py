"""The form of an upload: its fields besides the files."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from tailroom.importers.metric_choice import MOST_CHARACTERS, MetricChoiceInvalid
from tailroom.kit.errors import LocatedProblem, RequestInvalid
from tailroom.kit.outside_types import LINE, Line, Name, read_json
from tailroom.runs.publication import check_answers
from tailroom.uploads import service

LabelConditions = Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS), LINE]

FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["files"],
                    "properties": {
                        "files": {
                            "type": "array",
                            "items": {"type": "string", "format": "binary"},
                            "description": "result files of one or several runs, and their configurations; "
                            "gzip, zstd and zip are opened",
                        },
                        "visibility": {
                            "type": "string",
                            "enum": ["private", "public"],
                            "default": "private",
                        },
                        "join": {
                            "type": "boolean",
                            "default": False,
                            "description": "the files are of several clients of one test, which is one run",
                        },
                        "metric": {
                            **TypeAdapter(Line).json_schema(),
                            "description": "metric of a file of production histograms (Prometheus, "
                            "OpenTelemetry), with or without its unit; default: all metrics",
                        },
                        "match": {
                            **TypeAdapter(LabelConditions).json_schema(),
                            "description": "labels of the histograms, which are added up: "
                            '`route="/pay",method!="GET"`',
                        },
                        "answers": {
                            "type": "string",
                            "description": "JSON object: facts that the files do not state, by field",
                        },
                        "title": {
                            **TypeAdapter(Name).json_schema(),
                            "description": "of the runs, instead of their files'",
                        },
                        "labels": {
                            "type": "string",
                            "description": "JSON object of texts, stored in the plan: branch, commit …",
                        },
                    },
                }
            }
        },
    }
}


class FormFields(BaseModel):
    """The fields of the form besides the files.

    `answers`: facts that the files do not state, by field; `labels`: texts by name.
    """

    visibility: Literal["public", "private"] = "private"
    join: bool = False
    metric: Line | None = None
    match: LabelConditions | None = None
    answers: dict[str, str | int | float | bool | None] = Field({}, max_length=200)
    title: Name | None = None
    labels: dict[Name, Line] = Field({}, max_length=20)


def sender_options(fields: dict[str, str]) -> service.SenderOptions:
    """Return the options in the form fields. Raise RequestInvalid, or DisclosureInvalid for an answer."""
    values: dict[str, Any] = dict(fields)
    for name in values.keys() & {"answers", "labels"}:
        try:
            values[name] = read_json(values[name])
        except (ValueError, RecursionError) as error:
            raise _invalid([LocatedProblem(field=name, reason=str(error))]) from None
    try:
        checked = FormFields.model_validate(values)
    except ValidationError as error:
        raise _invalid(
            [
                LocatedProblem(field=".".join(map(str, problem["loc"])), reason=problem["msg"])
                for problem in error.errors()
            ]
        ) from None
    check_answers(checked.answers)
    options = checked.model_dump(exclude={"visibility"})
    return checked_options(service.SenderOptions(public=checked.visibility == "public", **options))


def _invalid(problems: list[LocatedProblem]) -> RequestInvalid:
    first = problems[0]
    return RequestInvalid(
        f"The field {first.field} does not have the documented form: {first.reason}.", problems
    )


def checked_options(options: service.SenderOptions) -> service.SenderOptions:
    """Return the options. Raise RequestInvalid if the conditions on labels (`match`) cannot be parsed."""
    try:
        options.choice()
    except MetricChoiceInvalid as error:
        raise RequestInvalid(
            "The labels in `match` cannot be understood.", [LocatedProblem(field="match", reason=str(error))]
        ) from None
    return options
