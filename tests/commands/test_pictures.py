"""`pictures index`, `pictures add` and `explain --recognise` as scripts use them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expartkg.cli import main
from expartkg.recognition.encoders import ENCODER
from expartkg.recognition.opening import own_index
from tests.recognition.painted import painted

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EXPARTKG_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def photo(tmp_path: Path) -> str:
    painted(1).save(tmp_path / "photo.png")
    return str(tmp_path / "photo.png")


def test_an_added_picture_is_recognised(own_cache: Path, photo: str, capsys: Capture) -> None:
    assert main(["explain", "--image", photo, "--recognise", "--json"]) == 0
    out, err = capsys.readouterr()
    artwork = json.loads(out)["artwork"]
    assert [artwork[name] for name in ("id", "title", "artist")] == [None, None, None]
    assert artwork["found"] == "none"
    assert "not one of the 37 works that are known by their pictures" in err

    assert main(["pictures", "add", "--image", photo, "--artwork", "Q12418", "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)
    assert (counts["pictures"], counts["works"]) == (1, 1)
    assert Path(counts["path"]).is_relative_to(own_cache)

    assert main(["explain", "--image", photo, "--recognise", "--json"]) == 0
    out, err = capsys.readouterr()
    run = json.loads(out)
    assert (run["artwork"]["id"], run["artwork"]["found"]) == ("Q12418", "recognised")
    facts = run["iterations"][0]["facts"]
    assert ("Q12418", "P170", "Q762") in {
        (fact["subject"], fact["predicate"], fact["object"]) for fact in facts
    }
    assert "Recognised in the picture: Mona Lisa (Q12418)" in err


def test_a_folder_is_indexed(tmp_path: Path, photo: str, capsys: Capture) -> None:
    (tmp_path / "manifest.tsv").write_text(
        "file\tqid_in_kg\nphoto.png\tQ12418\nnone.png\tQ12418\n", encoding="utf-8"
    )
    out = tmp_path / "out.pictures"
    assert main(["pictures", "index", "--folder", str(tmp_path), "--out", str(out)]) == 0
    printed, told = capsys.readouterr()
    assert f"{out}: 1 pictures of 1 works (efficientnet-lite0)" in printed
    assert "1 pictures could not be had" in printed
    assert "Q12418 is left out: There is no file none.png" in told


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("pictures add --image none.png --artwork Q12418", "There is no file none.png"),
        ("pictures add --image none.png --artwork Q0", "no entity Q0"),
        ("pictures index --folder nowhere", "has no manifest.tsv"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(
    arguments: str, reason: str, capsys: Capture
) -> None:
    assert main(arguments.split()) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert reason in err
    assert err.startswith("expartkg: ")


def test_a_damaged_index_is_told(own_cache: Path, photo: str, capsys: Capture) -> None:
    path = own_index(own_cache, "artworks", ENCODER)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"expartkg pictures 1 ")
    assert main(["explain", "--image", photo, "--recognise", "--json"]) == 1
    assert f"{path} is damaged" in capsys.readouterr().err
