"""`models fetch` and `models quantize` as scripts use them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expartkg.cli import main
from expartkg.engines.qwen.checkpoints import Checkpoint
from expartkg.settings import Settings

FILES = ("config.json", "tokenizer_config.json", "model.safetensors")


@pytest.fixture
def models(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders with all that a model has, by their names."""
    folders = tmp_path / "explainer", tmp_path / "validator"
    for folder in folders:
        folder.mkdir()
        for name in FILES:
            (folder / name).write_bytes(b"{}")
    return folders


def test_fetch_tells_where_the_models_are(
    models: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    explainer, validator = models
    arguments = ["--lvlm", str(explainer), "--validator", str(validator)]
    assert main(["models", "fetch", *arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "models": [
            {"name": folder.name, "revision": None, "path": str(folder), "bytes": 6}
            for folder in models
        ]
    }
    assert main(["models", "fetch", *arguments]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"{folder.name}: 0.00 GB in {folder}" for folder in models]


def test_fetch_obeys_the_environment(
    models: tuple[Path, Path],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EXPARTKG_LVLM", str(models[0]))
    monkeypatch.setenv("EXPARTKG_VALIDATOR", str(models[1]))
    assert main(["models", "fetch", "--json"]) == 0
    names = [model["name"] for model in json.loads(capsys.readouterr().out)["models"]]
    assert names == ["explainer", "validator"]


def test_fetch_fails_with_one_line(
    models: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    (models[0] / "model.safetensors").unlink()
    arguments = ["--lvlm", str(models[0]), "--validator", str(models[1])]
    assert main(["models", "fetch", *arguments, "--json"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("expartkg: explainer is not complete")
    assert err.count("\n") == 1


def test_quantize_tells_how_to_use_what_it_saved(
    tmp_path: Path,
    models: tuple[Path, Path],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[Settings, Path]] = []

    def quantize(settings: Settings, out: Path, progress: object) -> tuple[Checkpoint, Checkpoint]:
        asked.append((settings, out))
        return Checkpoint("a/explainer", "1" * 40, models[0]), Checkpoint("b", None, models[1])

    monkeypatch.setattr("expartkg.engines.qwen.quantizing.quantize", quantize)
    arguments = ["models", "quantize", "--lvlm", "a/explainer", "--out", str(tmp_path / "out")]
    assert main([*arguments, "--json"]) == 0
    out, err = capsys.readouterr()
    assert [settings.lvlm for settings, _ in asked] == ["a/explainer"]
    assert asked[0][1] == tmp_path / "out"
    assert [model["revision"] for model in json.loads(out)["models"]] == ["1" * 40, None]
    assert f"EXPARTKG_LVLM={models[0]} and EXPARTKG_VALIDATOR={models[1]}" in err
    assert main(arguments) == 0
    assert capsys.readouterr().out.startswith(f"a/explainer at {'1' * 40}: 0.00 GB in ")


def test_quantize_needs_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit:
        main(["models", "quantize"])
    assert exit.value.code == 2
    assert "--out" in capsys.readouterr().err
