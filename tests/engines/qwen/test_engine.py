"""The whole engine: a run on the shipped graph, what the run records, and how little is read."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, cast

import pytest
import torch
from PIL import Image

from expartkg.engines.base import Engine
from expartkg.engines.preview import preview_engine
from expartkg.engines.qwen import engine as engine_module
from expartkg.engines.qwen import qwen_engine
from expartkg.engines.qwen.chat import Chat
from expartkg.engines.qwen.device import Device
from expartkg.engines.qwen.engine import warm_up
from expartkg.engines.qwen.judging import QwenValidator
from expartkg.engines.qwen.model import VisionLanguageModel
from expartkg.engines.qwen.pictures import PictureReader
from expartkg.engines.qwen.session import QwenExplainer
from expartkg.errors import EngineError
from expartkg.loop import explain
from expartkg.prompts import SYSTEM_WITH_GRAPH
from expartkg.records import Answer, Artwork, Prompt, Run
from expartkg.retrieval import Retriever
from expartkg.runs import run_from_json, run_to_json
from expartkg.settings import Settings
from tests.engines.qwen.conftest import IMAGE_TOKENS, NEW_TOKENS, noise

RunOf = Callable[[Iterable[object]], Run]


@pytest.fixture(scope="module")
def run(
    shipped: Retriever, engine: Engine, tiny_settings: Settings, photo: Image.Image, run_of: RunOf
) -> Run:
    settings = tiny_settings.replace(method="loop", max_iterations=2)
    artwork = Artwork(title="Mona Lisa", image=photo)
    return run_of(explain(artwork, retriever=shipped, engine=engine, settings=settings))


def test_a_whole_run(run: Run, check_run: Callable[[object], None]) -> None:
    assert (run.status, run.error) == ("exhausted", None)
    assert len(run.iterations) == 2
    for iteration in run.iterations:
        assert iteration.facts
        assert iteration.answer.tokens == NEW_TOKENS
        assert iteration.answer.seconds > 0
        assert iteration.verdict is not None
        assert iteration.verdict.method == "forced"
    document = run_to_json(run)
    check_run(document)
    assert run_to_json(run_from_json(document)) == document


def test_the_run_records_the_engine_and_no_folder(run: Run, tiny_settings: Settings) -> None:
    assert run.engine["name"] == "qwen"
    assert run.engine["explainer"] == "tiny-vl"
    assert run.engine["validator"] == "tiny-lm"
    assert run.engine["quantization"] == "nf4, double"
    assert run.engine["decoding"] == "eager"
    assert run.engine["device"] == "cpu"
    assert run.engine["sees_pictures"] is True
    assert run.engine["image_tokens"] == IMAGE_TOKENS
    assert {"torch", "transformers", "bitsandbytes"} <= set(
        cast(dict[str, str], run.engine["packages"])
    )
    assert "/" not in str({**run.engine})


def test_five_iterations_read_at_most_six_tenths(
    shipped: Retriever,
    explainer: QwenExplainer,
    tiny_settings: Settings,
    change_pictures: Callable[[int], QwenExplainer],
    run_of: RunOf,
) -> None:
    """Counted with the facts of a real run, as many as any work of the graph has, and a picture of
    the size at which the paper's model sees it.
    """
    settings = Settings(method="loop")
    artwork = Artwork(title="Las Meninas")
    real = run_of(explain(artwork, retriever=shipped, engine=preview_engine(), settings=settings))
    prompts = [iteration.prompt for iteration in real.iterations]
    assert len(prompts) == 5
    assert {prompt.system for prompt in prompts} == {SYSTEM_WITH_GRAPH}
    session = change_pictures(settings.image_tokens).session(noise(1500, 2000, seed=2))
    for prompt in prompts:
        list(session.answer(prompt, threading.Event()))
    picture = cast(dict[str, int], session.description["picture"])["tokens"]
    chat = Chat(explainer.tokenizer, picture=True)
    without = sum(
        len(chat.before(prompt.system, picture)) + len(chat.after(prompt.text))
        for prompt in prompts
    )
    ratio = session.prefilled.tokens / without
    print(f"read {session.prefilled.tokens} of {without} tokens: {ratio:.2f}")
    assert picture > 1200
    assert session.prefilled.image_tokens == picture
    assert ratio <= 0.6


@pytest.fixture
def change_pictures(
    explainer: QwenExplainer, change: Callable[..., QwenExplainer]
) -> Callable[[int], QwenExplainer]:
    """The explainer that sees pictures at so many tokens, and says one word."""
    folder = Path(str(explainer.model.loaded.config.name_or_path))
    return lambda tokens: change(pictures=PictureReader(folder, tokens), max_new_tokens=1)


def test_warming_up_leaves_nothing_behind(
    engine: Engine, prompts: list[Prompt], say: Callable[..., Answer]
) -> None:
    before = say(engine.explainer.session(None), prompts[0])
    warm_up(engine)
    assert say(engine.explainer.session(None), prompts[0]).text == before.text


def test_loading_tells_how_far_it_is(
    tiny_settings: Settings, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The models are loaded once for all tests; what is left is what goes on around that."""
    explainer = cast(QwenExplainer, engine.explainer)
    monkeypatch.setattr(engine_module, "load_explainer", lambda *_: explainer.model.loaded)
    monkeypatch.setattr(engine_module, "load_validator", lambda *_: validator_model(engine))
    monkeypatch.setattr(engine_module, "load_tokenizer", lambda *_: explainer.tokenizer)
    monkeypatch.setattr(Device, "is_gpu", property(lambda _: True))
    monkeypatch.setattr(Device, "free_memory", lambda _: 10**12)
    monkeypatch.setattr(Device, "model_name", "a card")
    warmed: list[Engine] = []
    monkeypatch.setattr(engine_module, "warm_up", warmed.append)
    told: list[str] = []
    loaded = qwen_engine(tiny_settings.replace(decoding="eager"), told.append)
    assert told == ["Loading tiny-vl in 4 bits", "Loading tiny-lm in 4 bits", "Warming up"]
    assert warmed == [loaded]
    assert loaded.description["device"] == "a card"
    monkeypatch.setenv("SPACES_ZERO_GPU", "true")
    told.clear()
    qwen_engine(tiny_settings, told.append)
    assert told == ["Loading tiny-vl in 4 bits", "Loading tiny-lm in 4 bits"]


def test_both_models_have_to_fit(tiny_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "free_memory", lambda _: 50_000_000)
    with pytest.raises(EngineError, match=r"tiny-vl and tiny-lm need 0\.1 GB"):
        qwen_engine(tiny_settings)


def validator_model(engine: Engine) -> object:
    assert isinstance(engine.validator, QwenValidator)
    return engine.validator._model


@pytest.mark.parametrize(("place", "turn"), [("read", 1), ("read", 3), ("see", 1), ("judge", 2)])
def test_a_run_that_runs_out_of_memory_is_told_and_the_next_is_well(
    run: Run,
    shipped: Retriever,
    engine: Engine,
    tiny_settings: Settings,
    photo: Image.Image,
    run_of: RunOf,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    turn: int,
) -> None:
    """Wherever it happens, and whichever time; what had been written is kept."""
    owner, name = _where(engine, place)
    plain, calls = getattr(owner, name), itertools.count(1)

    def fails(*arguments: Any, **named: Any) -> Any:
        if next(calls) == turn:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")
        return plain(*arguments, **named)

    monkeypatch.setattr(owner, name, fails)
    settings = tiny_settings.replace(method="loop", max_iterations=2)
    artwork = Artwork(title="Mona Lisa", image=photo)
    failed, after = (
        run_of(explain(artwork, retriever=shipped, engine=engine, settings=settings))
        for _ in range(2)
    )
    assert failed.status == "failed"
    assert "set EXPARTKG_IMAGE_TOKENS or --facts-budget lower" in str(failed.error)
    whole = [iteration.answer.text for iteration in run.iterations]
    judged = [iteration.answer.text for iteration in failed.iterations if iteration.verdict]
    assert judged == whole[: len(judged)]
    assert [iteration.answer.text for iteration in after.iterations] == whole


def _where(engine: Engine, place: str) -> tuple[Any, str]:
    """The model of the explainer has methods of its own; that of the validator is called."""
    if place == "judge":
        return type(cast(QwenValidator, engine.validator)._model), "forward"
    return VisionLanguageModel, place
