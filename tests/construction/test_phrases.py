"""Capitalised phrases."""

from __future__ import annotations

import pytest

from expartkg.construction.phrases import capitalised_phrases


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("a boat on a river", []),
        (
            "It was painted by Claude Monet in Paris.",
            ["Claude Monet in Paris", "Claude Monet", "Paris"],
        ),
        (
            "Liberty Leading the People hangs there",
            ["Liberty Leading the People", "Liberty Leading", "People"],
        ),
        ("The Scream is by Munch.", ["The Scream", "Scream", "Munch"]),
        ("In the Louvre", ["In the Louvre", "Louvre"]),
        ("by Vincent van Gogh, of Arles", ["Vincent van Gogh", "Vincent", "Gogh", "Arles"]),
        ("Fantin-Latour and Manet", ["Fantin-Latour and Manet", "Fantin-Latour", "Manet"]),
        ("the Arnolfini, Bruges", ["Arnolfini", "Bruges"]),
        ("in the Musée d'Orsay", ["Musée d'Orsay"]),
        ("The", []),
        ("", []),
    ],
)
def test_phrases(text: str, phrases: list[str]) -> None:
    assert list(capitalised_phrases(text)) == phrases
