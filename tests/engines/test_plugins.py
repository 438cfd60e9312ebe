"""Engines and rankings of other packages: one really installed, and many that are wrong."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path

import pytest

from expartkg.engines import load_engine
from expartkg.errors import EngineError, ExpArtError, UsageError
from expartkg.plugins import ENGINE_PLUGINS, RANKING_PLUGINS, load_plugin, plugin_names
from expartkg.records import PairCount, RankedTriple
from expartkg.retrieval.other_rankings import other_ranking
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import Graph
from expartkg.settings import Settings
from tests.engines.fault_server import ANSWER, serving

# The package of the README.
PYPROJECT = """\
[project]
name = "my-guide"
version = "1.0"

[project.entry-points]
"expartkg.engines" = { brief = "my_guide:brief_engine" }
"expartkg.rankings" = { rare = "my_guide:rare_first" }
"""
MODULE = '''\
from expartkg.engines.remote import remote_engine


def brief_engine(settings):
    """An Engine; here the remote one, with answers of 200 tokens at most."""
    return remote_engine(settings.replace(max_new_tokens=200))


def rare_first(candidate, statistics):
    """The score of a triple: the fewer entities are linked to its other end, the higher."""
    return statistics.N / candidate.n_t.q
'''

NUMBERS = itertools.count()
EDGES = [
    ("Q1", "P170", "Q2"),
    ("Q1", "P276", "Q3"),
    ("Q1", "P180", "Q2"),
    ("Q4", "P276", "Q3"),
    ("Q5", "P276", "Q3"),
]
LABELS = {"Q1": "Mona Lisa", "Q2": "Leonardo da Vinci", "Q3": "Louvre Museum"}
Install = Callable[..., str]
Expartkg = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def graph(make_graph: Callable[..., Graph]) -> Graph:
    return make_graph(EDGES, LABELS, {"Q1": "Artwork"})


def test_it_is_the_package_of_the_readme(root: Path) -> None:
    readme = (root / "README.md").read_text(encoding="utf-8")
    assert f"```toml\n{PYPROJECT}```" in readme
    assert f"```python\n{MODULE}```" in readme


class TestInstalled:
    @pytest.fixture(scope="class")
    @staticmethod
    def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
        """A folder into which pip has installed the package of the README."""
        package, site = tmp_path_factory.mktemp("my-guide"), tmp_path_factory.mktemp("site")
        (package / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
        (package / "my_guide.py").write_text(MODULE, encoding="utf-8")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        alone = ["--no-build-isolation", "--no-deps", "--no-index"]
        subprocess.run([*pip, *alone, "--target", str(site), str(package)], check=True)
        return site

    @pytest.fixture
    @staticmethod
    def expartkg(site: Path, root: Path, graph: Graph, tmp_path: Path) -> Expartkg:
        """The command line, with the package installed."""

        def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                [sys.executable, "-m", "expartkg", *arguments],
                cwd=root,
                env={
                    **os.environ,
                    "PYTHONPATH": str(site),
                    "EXPARTKG_KG": str(tmp_path / graph.name),
                    "NO_PROXY": "127.0.0.1",
                    **variables,
                },
                capture_output=True,
                text=True,
                check=False,
            )

        return run

    def test_its_ranking_ranks(self, expartkg: Expartkg) -> None:
        result = expartkg("rank", "--entity", "Q1", "--ranking", "rare", "--json")
        assert result.returncode == 0, result.stderr
        facts = json.loads(result.stdout)["facts"]
        # N = 5; Q2 is a neighbour of one entity and Q3 of three.
        assert [(fact["object"], fact["score"]) for fact in facts] == [
            ("Q2", 5.0),
            ("Q2", 5.0),
            ("Q3", pytest.approx(5 / 3)),
        ]
        assert [fact["predicate"] for fact in facts] == ["P170", "P180", "P276"]
        assert facts[0]["f"] == {"p": 1, "q": 2}
        assert facts[2]["n_t"] == {"p": 4, "q": 3}

    def test_its_engine_explains(
        self, expartkg: Expartkg, check_run: Callable[[object], None]
    ) -> None:
        with serving() as server:
            arguments = ["--engine", "brief", "--ranking", "rare", "--title", "mona lisa"]
            result = expartkg("explain", *arguments, "--json", EXPARTKG_REMOTE_URL=server.url)
        assert result.returncode == 0, result.stderr
        run = json.loads(result.stdout)
        check_run(run)
        assert (run["status"], run["answer"]) == ("accepted", ANSWER)
        assert run["settings"]["ranking"] == "rare"
        assert run["engine"]["package"] == "my-guide 1.0"
        assert server.chats[0].body["max_tokens"] == 200

    @pytest.mark.parametrize(
        ("option", "names"),
        [
            ("--engine", "auto, qwen, remote, preview, brief"),
            ("--ranking", "pid, qid, pid-qid, rare"),
        ],
    )
    def test_an_unknown_name_lists_what_there_is(
        self, expartkg: Expartkg, option: str, names: str
    ) -> None:
        result = expartkg("explain", "--title", "mona lisa", option, "better")
        assert (result.returncode, result.stdout) == (2, "")
        assert f"must be one of {names}, not 'better'" in result.stderr


class TestWrong:
    @pytest.fixture
    @staticmethod
    def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
        """Puts a package on the path as pip would: a module and what it declares."""
        monkeypatch.syspath_prepend(str(tmp_path))

        def write(package: str, code: str, group: str, name: str) -> str:
            # No two modules of one name: Python would not import the second.
            module = f"plugin_{next(NUMBERS)}"
            (tmp_path / f"{module}.py").write_text(code, encoding="utf-8")
            folder = tmp_path / f"{package.replace('-', '_')}-2.1.dist-info"
            folder.mkdir()
            metadata = f"Metadata-Version: 2.1\nName: {package}\nVersion: 2.1\n"
            (folder / "METADATA").write_text(metadata, encoding="utf-8")
            entry = f"[{group}]\n{name} = {module}:it\n"
            (folder / "entry_points.txt").write_text(entry, encoding="utf-8")
            return module

        yield write
        other_ranking.cache_clear()

    @pytest.mark.parametrize(
        ("code", "reason"),
        [
            ("", "AttributeError"),
            ("import no_such_package", "ModuleNotFoundError: No module named 'no_such_package'"),
            ("raise RuntimeError('no licence')", "RuntimeError: no licence"),
        ],
    )
    @pytest.mark.parametrize("group", [ENGINE_PLUGINS, RANKING_PLUGINS])
    def test_what_cannot_be_imported(
        self, install: Install, code: str, reason: str, group: str
    ) -> None:
        install("bad-package", code, group, "bad")
        with pytest.raises(ExpArtError, match=f"package bad-package 2.1 cannot .*: {reason}"):
            load_plugin(group, "bad")

    @pytest.mark.parametrize(
        ("code", "reason"),
        [
            ("it = lambda settings: None", "is no Engine, but None"),
            ("it = lambda: None", "cannot start: TypeError"),
            ("it = 7", "cannot start: TypeError"),
            ("def it(settings): raise OSError('no GPU')", "cannot start: OSError: no GPU"),
        ],
    )
    def test_engines(self, install: Install, code: str, reason: str) -> None:
        install("my-models", code, ENGINE_PLUGINS, "mine")
        with pytest.raises(EngineError, match=f"engine mine of the package my-models 2.1 {reason}"):
            load_engine(Settings(engine="mine"))

    def test_an_engine_may_say_itself_what_is_wrong(self, install: Install) -> None:
        code = (
            "from expartkg.errors import EngineError\n"
            "def it(settings): raise EngineError('Buy a GPU.')\n"
        )
        install("my-models", code, ENGINE_PLUGINS, "mine")
        with pytest.raises(EngineError, match=r"^Buy a GPU\.$"):
            load_engine(Settings(engine="mine"))

    @pytest.mark.parametrize(
        ("code", "reason"),
        [
            ("it = 7", "is no function, but 7"),
            ("it = lambda candidate, statistics: float('nan')", "gave nan as a score"),
            ("it = lambda candidate, statistics: 1e999", "gave inf as a score"),
            ("it = lambda candidate, statistics: None", "failed: TypeError"),
            ("it = lambda candidate, statistics: 1 / 0", "failed: ZeroDivisionError"),
            ("it = lambda candidate: 1.0", "failed: TypeError"),
        ],
    )
    def test_rankings(self, install: Install, graph: Graph, code: str, reason: str) -> None:
        install("my-scores", code, RANKING_PLUGINS, "odd")
        with pytest.raises(ExpArtError, match=f"ranking odd of the package my-scores 2.1 {reason}"):
            _rank(graph, "odd")

    def test_two_packages_of_one_name(self, install: Install, graph: Graph) -> None:
        for number in "12":
            install(f"rival-{number}", "it = len", RANKING_PLUGINS, "best")
        with pytest.raises(ExpArtError, match=r"by rival-1 2\.1 and rival-2 2\.1; uninstall"):
            _rank(graph, "best")

    def test_a_built_in_name_stays_built_in(self, install: Install, graph: Graph) -> None:
        install("my-scores", "it = 7", RANKING_PLUGINS, "qid")
        assert plugin_names(RANKING_PLUGINS) == ("qid",)
        assert len(_rank(graph, "qid")) == 3

    def test_none_at_all(self, graph: Graph) -> None:
        with pytest.raises(UsageError, match=r"No installed package has 'odd' .*; there is none"):
            _rank(graph, "odd")

    def test_what_a_ranking_is_given(self, install: Install, graph: Graph) -> None:
        code = (
            "seen = []\n"
            "def it(candidate, statistics):\n"
            "    seen.append(candidate)\n"
            "    return -len(seen)\n"
        )
        module = install("my-scores", code, RANKING_PLUGINS, "seen")
        ranked = _rank(graph, "seen")
        given = import_module(module)
        assert [fact.score for fact in ranked] == [-1.0, -2.0, -3.0]
        assert {candidate.triple for candidate in given.seen} == {fact.triple for fact in ranked}
        for candidate in given.seen:
            assert candidate.anchor.id == "Q1"
            assert candidate.length == 3
            expected = PairCount(1, 1 if candidate.triple.object.id == "Q3" else 2)
            assert candidate.f == expected


def _rank(graph: Graph, ranking: str) -> Sequence[RankedTriple]:
    return Retriever(graph).ranker.rank(graph.entity("Q1"), ranking, 10)
