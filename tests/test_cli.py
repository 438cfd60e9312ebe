"""The command line as scripts use it: documents on stdout, one line on stderr, exit codes."""

from __future__ import annotations

import io
import json
import math
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from expartkg.cli import main
from expartkg.construction import CONCEPT_RULES
from expartkg.engines.scripted import scripted_engine
from expartkg.settings import VARIABLES

Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs a command in this process: exit code, stdout, stderr."""

    def run(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            code = main(arguments)
        except SystemExit as exit:
            code = int(exit.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def graph(tmp_path: Path) -> str:
    path = tmp_path / "small.nt"
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    entity, direct = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
    lines = [
        f'<{entity}Q{n}> {label} "{name}"@en .' for n, name in ((1, "Ophelia"), (2, "Millais"))
    ]
    lines += [
        f"<{entity}Q1> <{direct}P170> <{entity}Q2> .",
        f'<{entity}P170> {label} "creator"@en .',
    ]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.fixture
def photo(tmp_path: Path) -> str:
    path = tmp_path / "photo.jpg"
    Image.new("RGB", (64, 96), "olive").save(path)
    return str(path)


def document(result: tuple[int, str, str]) -> Any:
    code, out, err = result
    assert code == 0, err
    return json.loads(out)


def fails(result: tuple[int, str, str], code: int) -> str:
    """Asserts a failure with nothing on stdout and, for exit code 1, one line on stderr."""
    assert result[:2] == (code, ""), result
    assert "Traceback" not in result[2]
    if code == 1:
        assert result[2].startswith("expartkg: ")
        assert result[2].count("\n") == 1
    return result[2]


class TestRetrieval:
    def test_link(self, cli: Cli, graph: str) -> None:
        linked = document(cli("link", "By Millais: Ophelia", "--kg", graph, "--json"))
        assert linked == {
            "mentions": [
                {"start": 3, "end": 10, "text": "Millais", "entity": "Q2", "label": "Millais",
                 "candidates": ["Q2"]},
                {"start": 12, "end": 19, "text": "Ophelia", "entity": "Q1", "label": "Ophelia",
                 "candidates": ["Q1"]},
            ]
        }  # fmt: skip

    @pytest.mark.parametrize(
        "text",
        [
            b"",
            b"\xff\xfe Ophelia",
            b"Ophelia \x00\x07",
            "عربي Ophelia 漢字 🖼".encode(),
            b"x" * 2**20,
        ],
        ids=["empty", "not UTF-8", "control", "scripts", "1 MB"],
    )
    def test_link_reads_anything_from_stdin(self, cli: Cli, graph: str, text: bytes) -> None:
        mentions = document(cli("link", "--kg", graph, "--json", stdin=text))["mentions"]
        decoded = text.decode("utf-8", "replace")
        assert len(mentions) == decoded.count("Ophelia")
        for mention in mentions:
            assert decoded[mention["start"] : mention["end"]] == mention["text"]

    def test_link_takes_lone_surrogates(self, cli: Cli, graph: str) -> None:
        mentions = document(cli("link", "\udcff Ophelia \ud83d", "--kg", graph, "--json"))
        assert mentions["mentions"][0]["start"] == 2

    def test_rank(self, cli: Cli, graph: str) -> None:
        ranked = document(cli("rank", "--entity", "Q1", "--kg", graph, "--json"))
        # log(1 + 1) · log((2 + 1) / (1 + 1)): one statement, one of two documents holds Q2.
        (fact,) = ranked.pop("facts")
        assert ranked == {"entity": "Q1", "label": "Ophelia", "N": 2}
        assert fact.pop("score") == pytest.approx(math.log(2) * math.log(3 / 2))
        assert fact == {
            "subject": "Q1", "predicate": "P170", "object": "Q2",
            "labels": ["Ophelia", "creator", "Millais"], "f": 1, "n_t": 1,
        }  # fmt: skip

    def test_rank_takes_a_full_iri_and_any_k(self, cli: Cli, graph: str) -> None:
        iri = "http://www.wikidata.org/entity/Q2"
        arguments = ["--ranking", "pid-qid", "--top-k", "10000", "--kg", graph, "--json"]
        (fact,) = document(cli("rank", "--entity", iri, *arguments))["facts"]
        assert (fact["f"], fact["n_t"]) == ({"p": 1, "q": 1}, {"p": 2, "q": 1})

    def test_retrieve(self, cli: Cli, graph: str) -> None:
        found = document(cli("retrieve", "Millais and Ophelia", "--kg", graph, "--json"))
        assert [mention["entity"] for mention in found["mentions"]] == ["Q2", "Q1"]
        assert [fact["anchor"] for fact in found["facts"]] == ["Q2"]

    def test_kg_info_of_the_shipped_graph_is_its_manifest(self, cli: Cli, root: Path) -> None:
        info = document(cli("kg", "info", "--json"))
        manifest = json.loads((root / "kg/artworks.json").read_text(encoding="utf-8"))
        assert info == {name: manifest[name] for name in info}

    def test_for_people(self, cli: Cli, graph: str) -> None:
        assert "Ophelia" in cli("link", "Ophelia", "--kg", graph)[1]
        assert "[Ophelia, creator, Millais]" in cli("rank", "--entity", "Q1", "--kg", graph)[1]
        assert "[Ophelia, creator, Millais]" in cli("retrieve", "Ophelia", "--kg", graph)[1]
        assert "2 entities" in cli("kg", "info", "--kg", graph)[1]


class TestExplain:
    def test_mona_lisa(self, cli: Cli, photo: str, check_run: Callable[[object], None]) -> None:
        run = document(cli("explain", "--title", "mona lisa", "--image", photo, "--json"))
        check_run(run)
        first = run["iterations"][0]
        assert [mention["entity"] for mention in first["mentions"]] == ["Q12418"]
        assert ("Q12418", "P170", "Q762") in {
            (fact["subject"], fact["predicate"], fact["object"]) for fact in first["facts"]
        }
        assert run["artwork"] == {
            "id": "Q12418", "title": "mona lisa", "artist": None, "found": "title",
        }  # fmt: skip
        assert run["answer"]

    def test_an_unknown_title_still_answers(
        self, cli: Cli, check_run: Callable[[object], None]
    ) -> None:
        code, out, err = cli("explain", "--title", "No such work 123", "--json")
        run = json.loads(out)
        check_run(run)
        assert code == 0
        assert run["artwork"]["found"] == "none"
        assert run["answer"]
        assert "does not know the title 'No such work 123'" in err

    def test_a_picture_without_a_title(self, cli: Cli, photo: str) -> None:
        run = document(cli("explain", "--image", photo, "--json"))
        assert run["question"] == {"text": "Explain this artwork.", "with_title": False}
        assert run["artwork"]["id"] is None

    def test_a_picked_work_and_the_loops_options(self, cli: Cli) -> None:
        options = "--method loop --ranking pid-qid --max-iterations 2 --top-k 3 --source both"
        run = document(cli("explain", "--artwork", "Q12418", *options.split(), "--json"))
        assert (run["status"], len(run["iterations"])) == ("exhausted", 2)
        assert run["artwork"]["found"] == "picked"
        assert run["settings"]["ranking"] == "pid-qid"
        assert len(run["iterations"][0]["facts"]) == 3

    def test_for_people(self, cli: Cli) -> None:
        code, out, err = cli("explain", "--title", "The Kiss", "--artist", "Gustav Klimt")
        assert code == 0
        assert out.startswith('Explain the artwork "The Kiss" by Gustav Klimt.\n')
        assert "Iteration 1: The Kiss" in out
        assert "Verdict: " in out
        assert "The title stands for" in err

    def test_export(self, cli: Cli, tmp_path: Path, check_run: Callable[[object], None]) -> None:
        path = tmp_path / "run.json"
        run = document(cli("explain", "--title", "Guernica", "--export", str(path), "--json"))
        check_run(json.loads(path.read_text(encoding="utf-8")))
        assert json.loads(path.read_text(encoding="utf-8")) == run

    def test_ctrl_c_stops_and_keeps_the_run(self, root: Path) -> None:
        command = [sys.executable, "-c", SLOW_EXPLAIN]
        process = subprocess.Popen(
            command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stderr
        while "The work is" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        assert process.returncode == 1
        assert json.loads(out)["status"] == "stopped"


SLOW_EXPLAIN = """
import sys
from expartkg.cli import main
from expartkg.construction import CONCEPT_RULES
from expartkg.commands import explain
from expartkg.engines.scripted import scripted_engine
explain.load_engine = lambda *_: scripted_engine(["word " * 9999], seconds_per_word=0.01)
sys.exit(main(["explain", "--title", "mona lisa", "--json"]))
"""


class TestWrongCalls:
    @pytest.mark.parametrize(
        "arguments",
        [
            "",
            "paint",
            "rank",
            "rank --entity Q1 --top-k 0",
            "rank --entity Q1 --top-k ten",
            "rank --entity Q1 --ranking bm25",
            "retrieve x --top-k -1",
            "explain --max-iterations 0",
            "explain --method guess",
            "explain --engine gpt",
            "explain --colour red",
            "explain --export run.pdf",
            "explain --time-limit 0",
            "explain --recognise",
            "explain --recognise --image f.jpg --title x",
            "kg sparql SELECT --time-limit 0",
            "kg",
            "serve --port 0",
            "evaluate everything",
        ],
    )
    def test_exit_2(self, cli: Cli, arguments: str) -> None:
        fails(cli(*arguments.split()), 2)

    def test_a_placeholder_that_nothing_fills(self, cli: Cli) -> None:
        assert "{title}" in cli("explain", "--question", "Who made {title}?", "--json")[2]

    @pytest.mark.parametrize(
        ("arguments", "reason"),
        [
            ("rank --entity Q0", "no entity Q0"),
            ("explain --artwork Q0", "no entity Q0"),
            ("explain --artwork Q296955", "Oil paint (Q296955) is a general concept"),
            ("link x --kg missing.nt", "no graph missing.nt"),
            ("kg sparql SELECT", "malformed"),
            ("kg sparql INSERT", "can be read and not changed"),
            ("kg sparql ASK{SERVICE<http://outside.test/>{}}", "SERVICE is refused"),
            ("explain --title x --image missing.jpg", "missing.jpg"),
            ("explain --engine remote --title x", "set EXPARTKG_REMOTE_URL"),
            ("explain --engine qwen --title x", "needs a CUDA device"),
        ],
    )
    def test_exit_1_with_one_line(self, cli: Cli, arguments: str, reason: str) -> None:
        assert reason in fails(cli(*arguments.split(), "--json"), 1)

    def test_an_engine_with_a_fault_is_no_traceback(
        self, cli: Cli, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        engine = scripted_engine([RuntimeError("two\nlines")])
        monkeypatch.setattr("expartkg.commands.explain.load_engine", lambda *_: engine)
        code, out, err = cli("explain", "--title", "Guernica", "--json")
        assert code == 1
        assert json.loads(out)["status"] == "failed"
        assert err.splitlines()[-1] == (
            "expartkg: The engine scripted failed: RuntimeError: two lines"
        )
        assert "Traceback" not in err

    def test_an_export_into_a_folder_is_told_before_the_run(self, cli: Cli, tmp_path: Path) -> None:
        folder = tmp_path / "folder.json"
        folder.mkdir()
        fails(cli("explain", "--title", "Guernica", "--export", str(folder), "--json"), 2)
        assert os.listdir(tmp_path) == ["folder.json"]

    @pytest.mark.parametrize("content", [b"", b"no picture at all", b"\xff\xd8\xff\xe0"])
    def test_what_is_no_picture(self, cli: Cli, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "photo.jpg"
        path.write_bytes(content)
        fails(cli("explain", "--title", "x", "--image", str(path), "--json"), 1)

    def test_an_empty_graph(self, cli: Cli, tmp_path: Path) -> None:
        path = tmp_path / "empty.nt"
        path.touch()
        assert "names no entity" in fails(cli("kg", "info", "--kg", str(path)), 1)

    def test_build_keeps_only_noise_that_is_on_the_list(self, cli: Cli, tmp_path: Path) -> None:
        arguments = ["build", "--questions", "all", "--knowledge", f"snapshot:{tmp_path}"]
        arguments += ["--out", str(tmp_path / "out")]
        assert "P170" in fails(cli(*arguments, "--keep-noise", "P170"), 2)
        assert str(tmp_path) in fails(cli(*arguments), 1)

    @pytest.mark.parametrize(
        ("arguments", "reason", "code"),
        [
            (
                "--questions all --knowledge snapshot",
                "snapshot:DIR, graph:FILE, dump:FILE or wikidata",
                2,
            ),
            (
                "--questions all --knowledge oracle:x",
                "snapshot:DIR, graph:FILE, dump:FILE or wikidata",
                2,
            ),
            ("--questions all --knowledge graph:x --concept-rules whim", "whim is none of list", 2),
            ("--questions all --knowledge wikidata", "give questions", 2),
            ("--questions none.jsonl --knowledge graph:x", "no file none.jsonl", 1),
            ("--questions all --knowledge graph:none.nt", "none.nt cannot be read", 1),
        ],
    )
    def test_build_says_what_it_takes(
        self, cli: Cli, tmp_path: Path, arguments: str, reason: str, code: int
    ) -> None:
        out = str(tmp_path / "out")
        assert reason in fails(cli("build", *arguments.split(), "--out", out), code)

    def test_build_offers_every_concept_rule(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            main(["build", "--help"])
        assert " ".join(CONCEPT_RULES) in " ".join(capsys.readouterr().out.split())


def test_build_from_the_snapshot(cli: Cli, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = [
        "build",
        "--questions",
        "all",
        "--knowledge",
        f"snapshot:{data}",
        "--out",
        str(out),
    ]
    manifest = document(cli(*arguments, "--json"))
    assert manifest == json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    info = document(cli("kg", "info", "--kg", str(out / "graph.nt.gz"), "--json"))
    assert (info["entities"], info["sha256"]) == (manifest["entities"], manifest["sha256"])


def test_a_closed_pipe_is_no_error(root: Path) -> None:
    command = f"{sys.executable} -m expartkg rank --entity Q90 --top-k 9999 --json | head -1"
    result = subprocess.run(
        ["bash", "-c", command], cwd=root, capture_output=True, text=True, check=True
    )
    assert (result.stdout, result.stderr) == ("{\n", "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8:strict"])
def test_a_terminal_that_cannot_show_a_character(root: Path, encoding: str) -> None:
    command = [sys.executable, "-m", "expartkg", "explain", "--title", "\udcff Guernica ✓"]
    result = subprocess.run(
        command,
        cwd=root,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    assert result.returncode == 0
    assert b"Traceback" not in result.stderr
    assert b"Iteration 1" in result.stdout


@pytest.mark.parametrize(
    ("command", "code"),
    [("link <&-", 2), ("link 'Mona Lisa' --json >&-", 0), ("rank --entity Q0 2>&-", 1)],
)
def test_closed_streams(root: Path, command: str, code: int) -> None:
    result = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m expartkg {command}"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stdout) == (code, "")
    assert "Traceback" not in result.stderr


def test_a_full_disk_is_told_in_one_line(root: Path) -> None:
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [sys.executable, "-m", "expartkg", "kg", "info"],
            cwd=root,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert result.returncode == 1
    assert result.stderr == (
        "expartkg: Reading or writing failed: [Errno 28] No space left on device.\n"
    )


def test_starting_needs_no_model_and_no_page(root: Path) -> None:
    code = (
        "import sys; from expartkg.cli import main; main(['link', 'Mona Lisa', '--json']);"
        "heavy = {'torch', 'transformers', 'gradio', 'numpy', 'pandas', 'rdflib', 'nltk'};"
        "sys.exit(f'imported: {heavy & set(sys.modules)}' if heavy & set(sys.modules) else 0)"
    )
    environment = {**os.environ, "PYTHONPATH": str(root)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, capture_output=True)
