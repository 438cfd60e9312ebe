"""A small graph written by hand: two works by one painter, and a museum."""

from __future__ import annotations

LABELS = {
    "Q1": "Ophelia",
    "Q2": "John Everett Millais",
    "Q3": "Tate Britain",
    "Q4": "Mariana",
    "Q5": "Southampton",
    "Q6": "London",
}
EDGES = [
    ("Q1", "P170", "Q2"),
    ("Q1", "P195", "Q3"),
    ("Q4", "P170", "Q2"),
    ("Q2", "P19", "Q5"),
    ("Q3", "P131", "Q6"),
]
KINDS = {"Q1": "Artwork", "Q4": "Artwork", "Q2": "Artist", "Q3": "Museum"}
