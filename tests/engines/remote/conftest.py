from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from expartkg.engines.remote.explainer import RemoteExplainer
from expartkg.engines.remote.server import Server, explainer_server, validator_server
from expartkg.engines.remote.validator import RemoteValidator
from expartkg.prompts import explainer_prompt, validator_prompt
from expartkg.records import Verdict
from expartkg.retrieval.store import Graph
from expartkg.settings import VARIABLES, Settings
from tests.engines.conftest import Collected, collected_from
from tests.engines.fault_server import FaultServer, serving

QUESTION = 'Explain the artwork "Mona Lisa".'
LABELS = {"Q1": "Mona Lisa", "Q2": "Leonardo da Vinci", "Q3": "Louvre Museum", "Q4": "Paris"}
EDGES = [("Q1", "P170", "Q2"), ("Q1", "P276", "Q3"), ("Q3", "P131", "Q4")]
OTHERS = ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID")

Say = Callable[..., Collected]
Judge = Callable[..., Verdict]
MakeServer = Callable[..., Server]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings, no proxy, and keys for other servers that must not be sent to ours."""
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
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
def graph(make_graph: Callable[..., Graph]) -> Graph:
    """What the server's answer tells of, so that the second iteration retrieves from it."""
    return make_graph(EDGES, LABELS, {"Q1": "Artwork"})


@pytest.fixture
def graph_file(graph: Graph, tmp_path: Path) -> str:
    return str(tmp_path / graph.name)


@pytest.fixture
def make_explainer(settings: Settings) -> MakeServer:
    """The explainer's server; it is asked once and given up soon, unless a test says otherwise."""

    def make(*, retries: int = 0, silence: float = 20.0, **changes: object) -> Server:
        found = explainer_server(settings.replace(**changes))
        return dataclasses.replace(found, retries=retries, silence=silence)

    return make


@pytest.fixture
def say(make_explainer: MakeServer) -> Say:
    """`collected_from` a session with the question alone."""

    def run(
        found: Server | None = None, stop_after: int | None = None, max_new_tokens: int = 100
    ) -> Collected:
        explainer = RemoteExplainer(found or make_explainer(), 1280, max_new_tokens)
        return collected_from(explainer.session(None), explainer_prompt(QUESTION, ()), stop_after)

    return run


@pytest.fixture
def validator(settings: Settings) -> RemoteValidator:
    return RemoteValidator(dataclasses.replace(validator_server(settings), retries=0))


@pytest.fixture
def judge(validator: RemoteValidator) -> Judge:
    def run(answer: str = "By Leonardo.") -> Verdict:
        return validator.judge(validator_prompt(QUESTION, answer), answer, threading.Event())

    return run
