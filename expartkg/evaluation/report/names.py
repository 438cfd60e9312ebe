"""What rows and columns are called, as in the paper."""

from __future__ import annotations

from collections.abc import Mapping

from expartkg.evaluation.rows import Row
from expartkg.evaluation.trajectories import Input
from expartkg.records import Method

METHOD_NAMES: Mapping[Method, str] = {
    "loop": "RAG-Loop",
    "validate": "RAG-Validate",
    "baseline": "Baseline",
}
INPUT_NAMES: Mapping[Input, str] = {
    "with-title": "With Title",
    "without-title": "Without Title",
    "recognised": "Recognised (not in the paper)",
}
COLUMN_NAMES: Mapping[str, str] = {
    "bleu": "BLEU",
    "rouge1": "R-1",
    "rouge2": "R-2",
    "rougeL": "R-L",
    "bertscore": "BERTScore",
    "ec_exact": "EC exact",
    "ec_partial": "EC partial",
    "ef1": "EF1",
    "ecooc_0": "ECooc 0",
    "ecooc_1": "ECooc 1",
    "ecooc_2": "ECooc 2",
    "ecooc_inf": "ECooc ∞",
    "length": "Length",
}
PREFERRED_RANKING = "qid"
"""What is shown where there is room for one ranking: that of the paper's Figure 1."""


def method_name(row: Row, most_iterations: int) -> str:
    """RAG-Loop has its number of iterations in its name."""
    name = METHOD_NAMES[row.method]
    return f"{name}{most_iterations}" if row.method == "loop" else name


def ranking_name(row: Row) -> str:
    return row.ranking.upper() if row.ranking else "–"
