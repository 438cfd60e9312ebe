"""Step 1: which expressions are candidates, and what is counted."""

from __future__ import annotations

from expartkg.construction.candidates import Candidate, find_candidates
from expartkg.construction.questions import Passage

PASSAGES = [
    Passage("1", "question", "Explain The Red Boat."),
    Passage("1", "title", "The Red Boat"),
    Passage("1", "artist", "Ada Painter"),
    Passage("1", "reference", "The Red Boat is a Seascape; seascapes differ from this seascape."),
    Passage("2", "reference", "Nothing but The Red Boats and The  Red Boat"),
]


def test_a_candidate_says_where_and_how_often_it_was_seen() -> None:
    found = {c.name: c for c in find_candidates(PASSAGES, ["The Red Boat", "Seascape", "Red"])}
    assert found["The Red Boat"] == Candidate(
        "The Red Boat", {"question": 1, "reference": 2, "title": 1}, 0, ("1", "2")
    )
    assert found["The Red Boat"].count == 4


def test_lower_case_in_running_text_is_counted() -> None:
    found = {c.name: c for c in find_candidates(PASSAGES, ["Seascape"])}
    assert found["Seascape"].in_lower_case == 1
    assert found["Seascape"].seen == {"reference": 1}


def test_names_are_found_as_retrieval_finds_them() -> None:
    found = [c.name for c in find_candidates(PASSAGES[4:], ["The Red", "Red Boat", "Red"])]
    assert found == ["The Red"]  # leftmost-longest, whole words


def test_a_whole_title_or_artist_is_a_candidate_though_no_list_has_it() -> None:
    assert [c.name for c in find_candidates(PASSAGES, [])] == ["Ada Painter", "The Red Boat"]


def test_without_a_list_capitalised_phrases_are_candidates() -> None:
    names = [c.name for c in find_candidates(PASSAGES[3:4], None)]
    assert names == ["Red Boat", "Seascape", "The Red Boat"]


def test_candidates_survive_a_file() -> None:
    for candidate in find_candidates(PASSAGES, ["Seascape"]):
        assert Candidate.from_json(candidate.to_json()) == candidate
