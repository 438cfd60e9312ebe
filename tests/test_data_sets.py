"""Records of sets of questions, however their files are written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expartkg.data_sets import read_records, turns
from expartkg.errors import DataError

RECORDS = [{"id": 1, "text": "é"}, {"id": 2, "parts": [1, 2]}]


@pytest.mark.parametrize("name", ["set.json", "set.jsonl", "set"])
@pytest.mark.parametrize(
    ("content", "place"),
    [
        (json.dumps(RECORDS), "record 2"),
        (json.dumps(RECORDS, indent=1), "record 2"),
        (json.dumps({"train": RECORDS[:1], "test": RECORDS[1:]}), "record 2"),
        ("\ufeff" + "\n\n".join(map(json.dumps, RECORDS)), "line 3"),
        ("\r\n".join(map(json.dumps, RECORDS)) + "\r\n", "line 2"),
    ],
    ids=["list", "indented", "splits", "lines", "Windows"],
)
def test_a_list_splits_and_lines_are_the_same_records(
    tmp_path: Path, name: str, content: str, place: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content.encode())
    found = list(read_records(path, DataError))
    assert [record for _, record in found] == RECORDS
    assert found[1][0] == f"{path}, {place}"


def test_one_record_with_a_list_is_a_record(tmp_path: Path) -> None:
    (tmp_path / "set.json").write_text(json.dumps(RECORDS[1]), encoding="utf-8")
    assert [record for _, record in read_records(tmp_path / "set.json", DataError)] == RECORDS[1:]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"id": 1}\n\xff\n', "line 2 is not UTF-8"),
        (b'{"id": 1}\n{\n', "line 2 is not JSON"),
        (b"[{]", "begins as a list but is not JSON"),
        (b'{"id": 1}\n3\n', "line 2 is no object"),
        (b"[" * 100_000, "begins as a list but is not JSON"),
    ],
)
def test_what_is_no_record_is_said_with_its_place(
    tmp_path: Path, content: bytes, message: str
) -> None:
    (tmp_path / "set").write_bytes(content)
    with pytest.raises(DataError, match=message):
        list(read_records(tmp_path / "set", DataError))


def test_turns_of_both_sides_in_order() -> None:
    said = [
        {"from": "human", "value": "Who?"},
        {"role": "Assistant", "content": "Ada."},
        {"from": "system", "value": "Be kind."},
        {"from": "user", "value": 3},
        "odd",
    ]
    assert list(turns({"messages": said})) == [("question", "Who?"), ("reference", "Ada.")]


def test_a_conversation_that_is_none_has_no_turns() -> None:
    assert list(turns({"conversations": 5, "messages": "Who?"})) == []
