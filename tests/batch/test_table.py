"""Tables of works as spreadsheets really save them."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from expartkg.batch.table import MOST_BYTES, TableError, Works, image_beside, read_works

HERE = image_beside(Path("/nowhere"))


def read(content: bytes) -> Works:
    return read_works(content, HERE)


def titles(works: Works) -> list[str | None]:
    return [row.title for row in works.rows]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ],
)
def test_any_delimiter_and_byte_order_mark(delimiter: str, mark: bytes, encoding: str) -> None:
    lines = ("Artist, Title ,year", "Klimt,Der Kuß,1908", '"da Vinci, Leonardo",Mona Lisa,1503')
    text = "\r\n".join(
        line.replace(",", delimiter).replace(f"Vinci{delimiter}", "Vinci,") for line in lines
    )
    works = read(mark + text.encode(encoding))
    assert titles(works) == ["Der Kuß", "Mona Lisa"]
    assert works.rows[1].artist == "da Vinci, Leonardo"
    assert not works.bad
    assert not works.notes


def test_windows_1252_is_guessed_and_said() -> None:
    works = read("title\nLes Très Riches Heures\n".encode("cp1252"))
    assert titles(works) == ["Les Très Riches Heures"]
    assert "Windows-1252" in works.notes[0]


def test_bad_rows_are_said_by_their_line_and_the_others_stay() -> None:
    long = "x" * 301
    works = read(
        f'title,artist,image\nGuernica,,\n\n,Klimt,\nA,,missing.jpg\n"two\nlines",,\n{long},,\n'
        "nul\x00l,,\nLast,,\n".encode()
    )
    assert titles(works) == ["Guernica", "two lines", "Last"]
    assert [(row.number, row.reason.split(",")[0]) for row in works.bad] == [
        (4, "it has neither a title nor an image nor an artwork's id"),
        (5, "there is no image /nowhere/missing.jpg"),
        (8, "its title has more than 300 characters; is a quotation mark left open?"),
        (9, "its title has characters that nobody can read: 'nul\\x00l'"),
    ]


def test_a_quotation_mark_that_is_left_open_takes_one_row_at_most() -> None:
    works = read(b'title\n"open\n' + b"word\n" * 40_000)
    assert len(works.bad) >= 1
    assert "line contains" in works.bad[0].reason or "field larger" in works.bad[0].reason


def test_a_quotation_mark_that_is_left_open_in_the_first_line() -> None:
    with pytest.raises(TableError, match=r"first line cannot be read .*quotation mark left open"):
        read(b'title,"artist\n' + b"word\n" * 40_000)


def test_an_image_whose_name_no_file_can_have_is_not_there() -> None:
    name = "x" * 299
    works = read(f"title,image\nA,{name}\nB,\n".encode())
    assert titles(works) == ["B"]
    assert works.bad[0].reason == f"there is no image /nowhere/{name}"


def test_images_are_looked_for_beside_the_table(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"any")
    works = read_works(b"image,artwork\nphoto.jpg,\n,Q12418\n", image_beside(tmp_path))
    assert [(row.name, row.image) for row in works.rows] == [
        ("photo.jpg", tmp_path / "photo.jpg"),
        ("Q12418", None),
    ]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"Mona Lisa\nGuernica\n", b"artist\nKlimt\n"])
def test_a_table_without_its_columns_says_which_they_are(content: bytes) -> None:
    with pytest.raises(TableError, match="first line has to name its columns: title, artist"):
        read(content)


def test_a_table_that_is_too_large() -> None:
    with pytest.raises(TableError, match="larger than 20 MB"):
        read(b" " * (MOST_BYTES + 1))
