"""What the remote explainer sends, and what it makes of the stream that comes back."""

from __future__ import annotations

import base64
import io
import itertools
import threading
from collections.abc import Callable

import pytest
from PIL import Image

from expartkg.engines.remote.explainer import RemoteExplainer
from expartkg.engines.remote.server import Server
from expartkg.prompts import explainer_prompt
from expartkg.records import Answer, RankedTriple
from tests.engines.fault_server import ANSWER, FaultServer, sends, silent, silent_after

Said = tuple[list[str], Answer]
Say = Callable[..., Said]
MakeServer = Callable[..., Server]
WAIT = 20.0


def test_the_answer_streams_in(server: FaultServer, say: Say) -> None:
    said, answer = say()
    assert len(said) == len(ANSWER.split())
    assert "".join(said) == answer.text == ANSWER
    assert (answer.finish_reason, answer.tokens) == ("stop", len(said))
    assert answer.seconds > 0


def test_decoding_is_greedy_and_bounded(server: FaultServer, say: Say) -> None:
    say(max_new_tokens=77)
    (request,) = server.chats
    assert request.body["model"] == "Qwen/Qwen3-VL-8B-Instruct"
    assert (request.body["temperature"], request.body["max_tokens"]) == (0, 77)


def test_the_prompt_goes_out_word_for_word(
    server: FaultServer, make_explainer: MakeServer, mona_lisa: list[RankedTriple]
) -> None:
    prompt = explainer_prompt("Who made it?", mona_lisa)
    list(RemoteExplainer(make_explainer(), 1280, 9).session(None).answer(prompt, threading.Event()))
    assert server.chats[0].messages == [
        {"role": "system", "content": prompt.system},
        {"role": "user", "content": prompt.text},
    ]


def test_the_picture_comes_first_and_is_encoded_once(
    server: FaultServer, make_explainer: MakeServer
) -> None:
    explainer = RemoteExplainer(make_explainer(), 1280, 9)
    session = explainer.session(Image.new("RGB", (64, 48), "olive"))
    prompts = [explainer_prompt(question, ()) for question in ("First?", "Second?")]
    for prompt in prompts:
        list(session.answer(prompt, threading.Event()))
    pictures = []
    for request, prompt in zip(server.chats, prompts, strict=True):
        picture, text = request.messages[1]["content"]
        assert text == {"type": "text", "text": prompt.text}
        pictures.append(picture["image_url"]["url"])
    assert pictures[0] == pictures[1]
    assert _opened(pictures[0]).size == (64, 48)


@pytest.mark.parametrize("size", [(2048, 1536), (2048, 90), (1000, 2048)])
def test_a_picture_is_shrunk_to_its_tokens(
    server: FaultServer, make_explainer: MakeServer, size: tuple[int, int]
) -> None:
    session = RemoteExplainer(make_explainer(), 100, 9).session(Image.new("RGB", size))
    list(session.answer(explainer_prompt("What?", ()), threading.Event()))
    width, height = _opened(server.chats[0].messages[1]["content"][0]["image_url"]["url"]).size
    assert 0.9 * 100 * 32 * 32 < width * height <= 100 * 32 * 32
    assert width / height == pytest.approx(size[0] / size[1], rel=0.05)


def _opened(url: str) -> Image.Image:
    kind, _, data = url.partition(";base64,")
    assert kind == "data:image/jpeg"
    return Image.open(io.BytesIO(base64.b64decode(data, validate=True)))


@pytest.mark.parametrize(
    ("reason", "finish"), [("stop", "stop"), ("length", "length"), ("tool_calls", "stop")]
)
def test_reasons_to_finish(server: FaultServer, say: Say, reason: str, finish: str) -> None:
    server.script.finish_reason = reason
    assert say()[1].finish_reason == finish


def test_an_empty_answer_is_an_answer(server: FaultServer, say: Say) -> None:
    server.script.answer = ""
    said, answer = say()
    assert (said, answer.text, answer.finish_reason) == ([], "", "stop")


def test_a_stream_without_a_count_of_tokens(server: FaultServer, say: Say) -> None:
    server.expect(sends('{"choices":[{"delta":{"content":null},"finish_reason":"stop"}]}', after=2))
    said, answer = say()
    assert (len(said), answer.finish_reason, answer.tokens) == (2, "stop", 0)


def test_endless_repetition_is_cut(server: FaultServer, say: Say) -> None:
    server.script.answer = "It is, it is, it is so. " * 500
    server.script.seconds_per_word = 0.001
    said, answer = say()
    assert answer.finish_reason == "repetition"
    assert "".join(said) == answer.text
    assert len(answer.text) < 2000
    assert server.left.wait(WAIT)


@pytest.mark.parametrize("pieces", [1, 5])
def test_stop_closes_the_connection(server: FaultServer, say: Say, pieces: int) -> None:
    server.script.seconds_per_word = 0.05
    said, answer = say(stop_after=pieces)
    assert (len(said), answer.finish_reason) == (pieces, "stopped")
    assert "".join(said) == answer.text
    assert server.left.wait(WAIT)


@pytest.mark.parametrize("words", [0, 2])
def test_stop_is_obeyed_while_the_server_says_nothing(
    server: FaultServer, make_explainer: MakeServer, words: int
) -> None:
    server.expect(silent_after(words) if words else silent())
    stop = threading.Event()
    stream = (
        RemoteExplainer(make_explainer(), 1280, 9)
        .session(None)
        .answer(explainer_prompt("What?", ()), stop)
    )
    said = list(itertools.islice(stream, words))
    server.stop_on_arrival(stop)
    (answer,) = stream
    assert isinstance(answer, Answer)
    assert (answer.text, answer.finish_reason) == ("".join(map(str, said)), "stopped")
    assert server.left.wait(WAIT)


def test_an_abandoned_answer_closes_the_connection(
    server: FaultServer, make_explainer: MakeServer
) -> None:
    server.script.seconds_per_word = 0.05
    session = RemoteExplainer(make_explainer(), 1280, 9).session(None)
    stream = session.answer(explainer_prompt("What?", ()), threading.Event())
    next(stream)
    stream.close()
    assert server.left.wait(WAIT)


def test_nothing_is_sent_after_stop(server: FaultServer, make_explainer: MakeServer) -> None:
    stop = threading.Event()
    stop.set()
    session = RemoteExplainer(make_explainer(), 1280, 9).session(None)
    (answer,) = session.answer(explainer_prompt("What?", ()), stop)
    assert isinstance(answer, Answer)
    assert (answer.text, answer.finish_reason) == ("", "stopped")


def test_two_visitors_at_once_do_not_mix(server: FaultServer, make_explainer: MakeServer) -> None:
    server.script.seconds_per_word = 0.002
    explainer = RemoteExplainer(make_explainer(), 1280, 9)
    answers: dict[int, str] = {}

    def visit(number: int) -> None:
        prompt = explainer_prompt(f"Question {number}?", ())
        *_, answer = explainer.session(None).answer(prompt, threading.Event())
        assert isinstance(answer, Answer)
        answers[number] = answer.text

    threads = [threading.Thread(target=visit, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert answers == dict.fromkeys(range(6), ANSWER)
    assert len({request.messages[1]["content"] for request in server.chats}) == 6
