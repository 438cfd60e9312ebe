"""What all tests share: graphs, the data folder, and models that are made once for all."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import jsonschema
import pytest

from expartkg.engines.base import Engine
from expartkg.engines.scripted import scripted_engine
from expartkg.loop import explain
from expartkg.recognition import Encoder, load_encoder
from expartkg.records import Artwork, Entity, Finished, Run
from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import Graph
from expartkg.settings import Settings

if TYPE_CHECKING:
    from tests.engines.tiny_models import ModelFolders

ROOT = Path(__file__).resolve().parents[1]
WD = "http://www.wikidata.org/entity/"
WDT = "http://www.wikidata.org/prop/direct/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

# How long an example takes says more of the machine than of the code.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")

MakeGraph = Callable[..., Graph]


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def data() -> Path:
    """The data folder, for the tests that cannot do without real questions."""
    folder = os.environ.get("EXPARTKG_DATA")
    if not folder:
        pytest.skip("EXPARTKG_DATA is not set: it names the folder with the real data")
    return Path(folder)


@pytest.fixture(scope="session")
def shipped() -> Retriever:
    """Retrieval over the graph that the page opens."""
    return Retriever(open_graph("artworks"))


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    """The one of recognition that needs no hub."""
    return load_encoder()


@pytest.fixture
def make_graph(tmp_path: Path) -> MakeGraph:
    """Writes a graph of Wikidata's IRIs as N-Triples and opens it.

    `edges` are triples of short ids; `labels` default to "Label of ID"; `kinds` may be left out.
    """

    def make(
        edges: Iterable[tuple[str, str, str]] = (),
        labels: dict[str, str] | None = None,
        kinds: dict[str, str] | None = None,
        isolated: Iterable[str] = (),
    ) -> Graph:
        edges = list(edges)
        ids = {end for s, _, o in edges for end in (s, o)} | set(isolated) | set(labels or {})
        lines = [f"<{WD}{s}> <{WDT}{p}> <{WD}{o}> ." for s, p, o in edges]
        for id in sorted(ids):
            label = (labels or {}).get(id, f"Label of {id}")
            lines.append(f"<{WD}{id}> <{LABEL}> {json.dumps(label)}@en .")
        for id, kind in (kinds or {}).items():
            lines.append(f"<{WD}{id}> <{TYPE}> <urn:expartkg:{kind}> .")
        path = tmp_path / "graph.nt"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return open_graph(str(path))

    return make


@pytest.fixture(scope="session")
def check_run() -> Callable[[object], None]:
    """Asserts that a document is a Run by its schema."""
    schema = json.loads((ROOT / "tests/schema/run.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)

    def check(document: object) -> None:
        validator.validate(document)

    return check


@pytest.fixture(scope="session")
def run_of() -> Callable[[Iterable[object]], Run]:
    """The Run that a finished stream of events ends with."""

    def run(events: Iterable[object]) -> Run:
        *_, last = events
        assert isinstance(last, Finished)
        return last.run

    return run


@pytest.fixture(scope="session")
def ids() -> Callable[[Iterable[Entity]], list[str]]:
    return lambda entities: [entity.id for entity in entities]


@pytest.fixture(scope="session")
def tiny_models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelFolders]:
    """Tiny Qwen models, for which one thread is fastest: more would wait for each other."""
    import torch

    from tests.engines.tiny_models import make_tiny_models

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield make_tiny_models(tmp_path_factory.mktemp("models"))
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def tiny_settings(tiny_models: ModelFolders) -> Settings:
    """What loads the tiny models, to show them small pictures and to have short answers."""
    return Settings(
        engine="qwen",
        device="cpu",
        lvlm=str(tiny_models.explainer),
        validator=str(tiny_models.validator),
        image_tokens=64,
        max_new_tokens=12,
    )


@pytest.fixture(scope="session")
def tiny_qwen(tiny_settings: Settings) -> Engine:
    """The engine qwen as it is, NF4 and all, with the tiny models on the CPU."""
    from expartkg.engines.qwen import qwen_engine

    return qwen_engine(tiny_settings)


HOSTILE_LABELS = {
    "Q1": 'A <b>"bold"</b> | title',
    "Q2": "Painter* [1]",
    "Q3": "# Museum\u202e",
    "Q4": "Twin",
    "Q5": "Twin",
}
HOSTILE_EDGES = [
    ("Q1", "P170", "Q2"),
    ("Q1", "P195", "Q3"),
    ("Q4", "P170", "Q2"),
    ("Q1", "P1", "Q1"),
]


@pytest.fixture
def make_run(
    make_graph: MakeGraph, run_of: Callable[[Iterable[object]], Run]
) -> Callable[..., Run]:
    """Makes a Run of a work whose graph has labels like markup, with a scripted engine."""
    retriever = Retriever(make_graph(HOSTILE_EDGES, HOSTILE_LABELS, {"Q1": "Artwork"}))

    def make(
        answers: Iterable[str | Exception] = ("By Painter* [1]. Twin.", "Again Twin.\n\n# x"),
        p_true: Iterable[float] = (0.25, 0.9),
        artwork: Artwork | None = None,
        **settings: object,
    ) -> Run:
        return run_of(
            explain(
                artwork or Artwork(id="Q1"),
                retriever=retriever,
                engine=scripted_engine(list(answers), list(p_true)),
                settings=Settings().replace(**settings),
            )
        )

    return make
