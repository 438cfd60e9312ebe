from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterator

import pytest

from expartkg.engines.base import Session
from expartkg.engines.remote.explainer import RemoteExplainer
from expartkg.engines.remote.server import Server, explainer_server, validator_server
from expartkg.engines.remote.validator import RemoteValidator
from expartkg.prompts import explainer_prompt, validator_prompt
from expartkg.records import Answer, Verdict
from expartkg.settings import Settings
from tests.engines.fault_server import FaultServer, serving

QUESTION = 'Explain the artwork "Mona Lisa".'
OTHERS = ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID")

Said = tuple[list[str], Answer]
Say = Callable[..., Said]
Judge = Callable[..., Verdict]
MakeServer = Callable[..., Server]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy, and keys for other servers that must not be sent to ours."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    for variable in OTHERS:
        monkeypatch.setenv(variable, f"of-another-{variable.casefold()}")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "of-another-project")


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with serving() as server:
        yield server


@pytest.fixture
def settings(server: FaultServer) -> Settings:
    return Settings(engine="remote", remote_url=server.url)


@pytest.fixture
def make_explainer(settings: Settings) -> MakeServer:
    """The explainer's server; it is asked once and given up soon, unless a test says otherwise."""

    def make(*, retries: int = 0, silence: float = 20.0, **changes: object) -> Server:
        found = explainer_server(settings.replace(**changes))
        return dataclasses.replace(found, retries=retries, silence=silence)

    return make


@pytest.fixture
def say(make_explainer: MakeServer) -> Say:
    """The pieces and the answer of a session; `stop_after` pieces the stop flag is set."""

    def run(
        found: Server | None = None, stop_after: int | None = None, max_new_tokens: int = 100
    ) -> Said:
        explainer = RemoteExplainer(found or make_explainer(), 1280, max_new_tokens)
        return spoken(explainer.session(None), stop_after)

    return run


def spoken(session: Session, stop_after: int | None = None) -> Said:
    stop = threading.Event()
    said: list[str] = []
    for piece in session.answer(explainer_prompt(QUESTION, ()), stop):
        if isinstance(piece, Answer):
            return said, piece
        said.append(piece)
        if len(said) == stop_after:
            stop.set()
    raise AssertionError("no answer")


@pytest.fixture
def validator(settings: Settings) -> RemoteValidator:
    return RemoteValidator(dataclasses.replace(validator_server(settings), retries=0))


@pytest.fixture
def judge(validator: RemoteValidator) -> Judge:
    def run(answer: str = "By Leonardo.") -> Verdict:
        return validator.judge(validator_prompt(QUESTION, answer), answer, threading.Event())

    return run
