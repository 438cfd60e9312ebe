"""A model's files: from a folder, from the hub, from the cache, or a word on why not."""

from __future__ import annotations

import errno
import json
import re
from collections.abc import Iterator
from pathlib import Path

import huggingface_hub.constants
import pytest

from expartkg.engines.qwen.checkpoints import ORIGIN, PINNED, find_checkpoint
from expartkg.errors import EngineError
from expartkg.settings import Settings
from tests.engines.qwen.conftest import raising
from tests.engines.qwen.fake_hub import COMMIT, FakeHub, serve

FILES = {
    "config.json": b"{}",
    "tokenizer_config.json": b"{}",
    "model.safetensors": b"w" * 1000,
    "README.md": b"not needed",
    "pytorch_model.bin": b"not wanted",
}
NAME = "painters/model"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


@pytest.fixture
def hub(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    with serve(FakeHub(FILES)) as hub:
        use(hub.address, monkeypatch)
        yield hub


def use(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    url = address + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(huggingface_hub.constants, "ENDPOINT", address)
    monkeypatch.setattr(huggingface_hub.constants, "HUGGINGFACE_CO_URL_TEMPLATE", url)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)


def reason(model: str) -> str:
    with pytest.raises(EngineError) as raised:
        find_checkpoint(model, print)
    message = str(raised.value)
    assert "\n" not in message
    return message


class TestFromTheHub:
    def test_is_downloaded_once_and_then_needs_no_hub(
        self, hub: FakeHub, cache: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("expartkg.engines.qwen.checkpoints._LARGE", 1000)
        told: list[str] = []
        found = find_checkpoint(f"{NAME}@{COMMIT}", told.append)
        assert (found.name, found.revision) == (NAME, COMMIT)
        assert found.folder.is_relative_to(cache)
        names = {file.name for file in found.folder.iterdir()}
        assert names == {"config.json", "tokenizer_config.json", "model.safetensors"}
        assert found.bytes == 1004
        assert told
        assert all(re.fullmatch(rf"Downloading {NAME}: \d+ % of 0\.0 GB", line) for line in told)
        asked = len(hub.requests)
        assert find_checkpoint(f"{NAME}@{COMMIT}", told.append) == found
        assert len(hub.requests) == asked
        monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
        assert find_checkpoint(f"{NAME}@{COMMIT}", told.append) == found

    def test_a_branch_is_resolved_to_its_commit(self, hub: FakeHub) -> None:
        assert find_checkpoint(NAME, print).revision == COMMIT
        assert any("/revision/main" in request for request in hub.requests)

    @pytest.mark.parametrize(
        ("refusal", "what", "remedy"),
        [
            ("gated", "is gated", "accept its terms at https://huggingface.co/painters/model"),
            ("missing", "has no model painters/model", "EXPARTKG_LVLM or EXPARTKG_VALIDATOR"),
            ("no revision", "has no revision v9", "leave @v9 out"),
        ],
    )
    def test_a_refusal_is_told(self, hub: FakeHub, refusal: str, what: str, remedy: str) -> None:
        hub.refusal = refusal
        message = reason(f"{NAME}@v9")
        assert what in message
        assert remedy in message

    def test_a_download_that_breaks_off_goes_on_later(
        self, hub: FakeHub, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("time.sleep", lambda _: None)
        hub.cut = {"model.safetensors"}
        message = reason(NAME)
        assert "broke off" in message
        assert "models fetch" in message
        hub.cut = set()
        assert find_checkpoint(NAME, print).bytes == 1004

    def test_a_full_disk_is_told(self, hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
        full = OSError(errno.ENOSPC, "No space left on device")
        monkeypatch.setattr("huggingface_hub.file_download.http_get", raising(full))
        assert "disk is full" in reason(NAME)
        assert "HF_HOME" in reason(NAME)

    def test_an_incomplete_repository_is_told(self, hub: FakeHub) -> None:
        hub.files = {name: FILES[name] for name in ("config.json", "tokenizer_config.json")}
        assert "has no model.safetensors" in reason(NAME)

    def test_without_a_hub_it_must_be_in_the_cache(
        self, cache: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        use("http://127.0.0.1:9", monkeypatch)
        # The hub's client tries again and again before it gives up.
        monkeypatch.setattr("time.sleep", lambda _: None)
        message = reason(f"{NAME}@{COMMIT}")
        assert "not in the local cache" in message
        assert "models fetch" in message
        monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
        assert "HF_HUB_OFFLINE" in reason(NAME)

    @pytest.mark.parametrize("model", ["no such/folder/at all", "a name"])
    def test_what_cannot_be_a_repository_is_told(self, cache: Path, model: str) -> None:
        assert "neither a folder nor the name of a repository" in reason(model)


def test_the_papers_models_are_pinned() -> None:
    settings = Settings()
    assert set(PINNED) == {settings.lvlm, settings.validator}
    assert all(re.fullmatch("[0-9a-f]{40}", revision) for revision in PINNED.values())


class TestFromAFolder:
    def test_is_taken_as_it_is(self, tmp_path: Path) -> None:
        write(tmp_path / "mine", *FILES)
        found = find_checkpoint(str(tmp_path / "mine"), print)
        assert (found.name, found.revision, found.folder) == ("mine", None, tmp_path / "mine")

    def test_knows_where_its_weights_are_from(self, tmp_path: Path) -> None:
        write(tmp_path, *FILES)
        origin = {"name": NAME, "revision": COMMIT}
        (tmp_path / ORIGIN).write_text(json.dumps(origin))
        found = find_checkpoint(str(tmp_path), print)
        assert (found.name, found.revision) == (NAME, COMMIT)

    @pytest.mark.parametrize("missing", ["config.json", "tokenizer_config.json"])
    def test_without_a_file_is_told(self, tmp_path: Path, missing: str) -> None:
        write(tmp_path, *(FILES.keys() - {missing}))
        assert f"has no {missing}" in reason(str(tmp_path))

    def test_without_a_shard_is_told(self, tmp_path: Path) -> None:
        write(tmp_path, "config.json", "tokenizer_config.json", "model-1.safetensors")
        shards = {"a": "model-1.safetensors", "b": "model-2.safetensors"}
        index = tmp_path / "model.safetensors.index.json"
        index.write_text(json.dumps({"weight_map": shards}))
        assert "has no model-2.safetensors" in reason(str(tmp_path))


def write(folder: Path, *names: str) -> None:
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_bytes(FILES.get(name, b"w"))
