"""Reads what a Tailroom installation knows. Numbers are those of its API; none is calculated here."""

from tailroom_client.client import Client, Refused
from tailroom_client.models import (
    Comparison,
    Curve,
    Figure,
    Figures,
    Gain,
    Headline,
    MissingFromRun,
    OperationFigures,
    Pair,
    QuantilePoint,
    Run,
    RunSummary,
    Trend,
    TrendPoint,
    Verdict,
    VerdictWord,
    Watch,
)

__all__ = [
    "Client",
    "Comparison",
    "Curve",
    "Figure",
    "Figures",
    "Gain",
    "Headline",
    "MissingFromRun",
    "OperationFigures",
    "Pair",
    "QuantilePoint",
    "Refused",
    "Run",
    "RunSummary",
    "Trend",
    "TrendPoint",
    "Verdict",
    "VerdictWord",
    "Watch",
]
