"""The command line: what every command takes. What each does is in `commands`.

Exit codes: 0 done; 2 the call is wrong; 1 anything else, with a one-line reason on stderr.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from expartkg import __version__
from expartkg.commands import find_command
from expartkg.commands.printing import log_to_terminal, tell
from expartkg.errors import ExpArtError, UsageError
from expartkg.settings import ENGINES, METHODS, RANKINGS, SOURCES, Settings

PAPER_INPUTS = ("with-title", "without-title")
INPUTS = (*PAPER_INPUTS, "recognised")

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]
    Options = argparse.ArgumentParser | argparse._ArgumentGroup


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code, all output being written.

    argparse itself exits with 2.
    """
    try:
        return _run(arguments)
    except UsageError as error:
        return _complain(error, 2)
    except ExpArtError as error:
        return _complain(error, 1)
    except BrokenPipeError:
        # Whoever read our output has had enough; Python must not complain of it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        return _complain(ExpArtError(f"Reading or writing failed: {error}."), 1)
    except KeyboardInterrupt:
        return 130


def _run(arguments: Sequence[str] | None) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that cannot show a character shows its number.
        sys.stdout.reconfigure(errors="backslashreplace")
    log_to_terminal()
    options = _parser().parse_args(arguments)
    code = find_command(options.command)(options)
    if sys.stdout is not None:
        sys.stdout.flush()
    return code


def _complain(error: ExpArtError, code: int) -> int:
    tell(f"expartkg: {error}")
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m expartkg",
        description="Explains artworks with facts of a knowledge graph, checked step by step.",
    )
    parser.add_argument("--version", action="version", version=f"expartkg {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_explain(commands)
    _add_retrieval(commands)
    _add_graph(commands)
    _add_build(commands)
    _add_evaluation(commands)
    _add_pictures_and_models(commands)
    _add_serve(commands)
    return parser


def _add_explain(commands: Commands) -> None:
    parser = _new(commands, "explain", "explain one artwork, or many with --batch")
    work = parser.add_argument_group("the work")
    work.add_argument("--image", type=Path, metavar="FILE", help="picture of the artwork")
    work.add_argument("--title", help="its title, as a whole; case and accents are forgiven")
    work.add_argument("--artist", help="its artist")
    work.add_argument("--artwork", metavar="ID", help="the graph's entity itself, such as Q12418")
    work.add_argument(
        "--question", help="your own question; {title} and {artist} in it are filled in"
    )
    work.add_argument("--recognise", action="store_true", help="find the work by its picture")
    loop = parser.add_argument_group("the loop")
    _add_choice(loop, "--method", METHODS, "validate stops at True, loop never, baseline asks once")
    _add_ranking(loop)
    _add_choice(loop, "--source", SOURCES, "what later iterations retrieve from")
    loop.add_argument("--max-iterations", type=_positive, metavar="N", help="answers at most")
    loop.add_argument("--facts-budget", type=_positive, metavar="TOKENS", help="facts in a prompt")
    loop.add_argument(
        "--validator-facts", action="store_true", default=None, help="judge sees facts"
    )
    loop.add_argument("--time-limit", type=float, metavar="SECONDS", help="for the whole run")
    _add_engine(loop)
    output = parser.add_argument_group("output")
    output.add_argument(
        "--export", type=Path, metavar="FILE", help="also save as .json, .md, .html"
    )
    output.add_argument(
        "--batch", type=Path, metavar="WORKS.csv", help="title, artist, image a row"
    )
    output.add_argument("--out", type=Path, metavar="DIR", help="where the results of --batch go")


def _add_retrieval(commands: Commands) -> None:
    link = _new(commands, "link", "find the entities that a text names")
    retrieve = _new(commands, "retrieve", "find entities and select the facts about them")
    for parser in (link, retrieve):
        parser.add_argument("text", nargs="?", metavar="TEXT", help="stdin is read without it")
    rank = _new(commands, "rank", "rank the facts of one entity by TF-IDF (Eq. 1)")
    rank.add_argument("--entity", required=True, metavar="ID", help="short id or full IRI")
    for parser in (rank, retrieve):
        _add_ranking(parser)


def _add_graph(commands: Commands) -> None:
    kg = commands.add_parser("kg", help="look into a graph, query it, load one")
    parts = kg.add_subparsers(dest="part", required=True, metavar="info|sparql|load")
    _new(parts, "info", "count what a graph holds", command="kg info")
    sparql = _new(parts, "sparql", "run a read-only SPARQL query", command="kg sparql")
    sparql.add_argument("query", metavar="QUERY")
    sparql.add_argument("--time-limit", type=float, metavar="SECONDS", help="default: 20")
    load = _new(parts, "load", "make a store on disk from files", command="kg load", kg=False)
    load.add_argument("files", nargs="+", type=Path, metavar="FILE")
    load.add_argument("--store", required=True, type=Path, metavar="DIR")
    load.add_argument("--map", type=Path, metavar="M.toml", help="how foreign data becomes a graph")
    load.add_argument(
        "--bad-lines",
        choices=("stop", "skip"),
        default="stop",
        help="what happens at a line that cannot be read (default: stop)",
    )


def _add_build(commands: Commands) -> None:
    build = _new(commands, "build", "construct a graph (Section 3)", kg=False)
    build.add_argument(
        "--questions",
        required=True,
        metavar="SRC|all",
        help="a JSON or JSONL file, expart (the data set on the hub), or all: every artwork",
    )
    build.add_argument(
        "--knowledge",
        required=True,
        metavar="SOURCE",
        help="snapshot:DIR, wikidata[:URL], dump:FILE or graph:FILE",
    )
    build.add_argument("--out", required=True, type=Path, metavar="DIR")
    build.add_argument(
        "--keep-noise", nargs="+", default=[], metavar="P", help="noise properties to keep"
    )
    build.add_argument(
        "--concept-rules",
        nargs="*",
        metavar="RULE",
        help="what makes a name a general concept: list role subclass noun lower-case "
        "(default: all of them)",
    )


def _add_evaluation(commands: Commands) -> None:
    score = _new(commands, "score", "compute the metrics of Appendix A.5")
    score.add_argument("file", type=Path, metavar="FILE.jsonl", help="id, generated, reference")
    score.add_argument("--titles", type=Path, metavar="FILE", help="names instead of a graph")
    _add_bertscore(score)
    score.add_argument("--against", type=Path, metavar="FILE.jsonl", help="paired comparison")
    score.add_argument("--seed", type=int, default=0, help="of the bootstrap (default: 0)")
    evaluate = _new(commands, "evaluate", "run the experiments of Section 4")
    evaluate.add_argument(
        "part",
        nargs="?",
        default="table",
        choices=("table", "retrieval", "linking", "validator"),
        help="Table 1 and Figure 1 (default), or one step measured alone",
    )
    evaluate.add_argument(
        "--questions", metavar="SRC", help="a file of questions, or expart for the data set ExpArt"
    )
    evaluate.add_argument("--out", type=Path, metavar="DIR", help="resumed if it has been begun")
    evaluate.add_argument("--methods", nargs="+", choices=METHODS, default=METHODS)
    evaluate.add_argument("--rankings", nargs="+", choices=RANKINGS, default=RANKINGS)
    evaluate.add_argument("--inputs", nargs="+", choices=INPUTS, default=PAPER_INPUTS)
    evaluate.add_argument("--sample", type=float, metavar="SHARE", help="0.25 in the paper")
    evaluate.add_argument("--seed", type=int, default=0, help="of sample and bootstrap")
    evaluate.add_argument("--workers", type=_positive, default=1, help="questions at a time")
    evaluate.add_argument(
        "--images", type=Path, metavar="DIR", help="pictures, before Commons is asked"
    )
    evaluate.add_argument("--no-images", action="store_true", help="show the model none")
    evaluate.add_argument("--top-k", type=_positive, metavar="K", help="facts for each entity")
    evaluate.add_argument("--max-iterations", type=_positive, metavar="N", help="answers at most")
    _add_bertscore(evaluate)
    _add_engine(evaluate)


def _add_bertscore(parser: Options) -> None:
    parser.add_argument(
        "--bertscore",
        nargs="?",
        const="roberta-large",
        metavar="MODEL",
        help="also BERTScore; a hub's name or a folder, with :LAYER (default: roberta-large)",
    )


def _add_pictures_and_models(commands: Commands) -> None:
    pictures = commands.add_parser("pictures", help="the index by which a picture is recognised")
    parts = pictures.add_subparsers(dest="part", required=True, metavar="index|add")
    index = _new(parts, "index", "index the graph's pictures", command="pictures index")
    index.add_argument("--folder", type=Path, metavar="DIR", help="pictures with manifest.tsv")
    index.add_argument("--out", type=Path, metavar="FILE", help="instead of one in the cache")
    add = _new(parts, "add", "add a picture of one's own", command="pictures add")
    add.add_argument("--image", required=True, type=Path, metavar="FILE")
    add.add_argument("--artwork", required=True, metavar="ID")
    models = commands.add_parser("models", help="fetch or quantize the models beforehand")
    parts = models.add_subparsers(dest="part", required=True, metavar="fetch|quantize")
    fetch = _new(parts, "fetch", "download the weights", command="models fetch", kg=False)
    quantize = _new(parts, "quantize", "save 4-bit weights", command="models quantize", kg=False)
    quantize.add_argument("--out", required=True, type=Path, metavar="DIR")
    for parser in (fetch, quantize):
        for option in ("--lvlm", "--validator"):
            help = f"NAME, NAME@REVISION or a folder (default: {_default(option)})"
            parser.add_argument(option, metavar="MODEL", help=help)


def _add_serve(commands: Commands) -> None:
    serve = _new(commands, "serve", "open the page, as python app.py does")
    serve.add_argument("--host", default="127.0.0.1")
    serve.add_argument("--port", type=_positive, default=7860)
    _add_engine(serve)


def _new(
    commands: Commands, name: str, help: str, *, command: str | None = None, kg: bool = True
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=help, description=help.capitalize() + ".")
    parser.set_defaults(command=command or name)
    parser.add_argument("--json", action="store_true", help="print one JSON document to stdout")
    if kg:
        parser.add_argument(
            "--kg", metavar="GRAPH", help="shipped graph, file, store directory or http(s)://…"
        )
    return parser


def _add_ranking(parser: Options) -> None:
    _add_name(parser, "--ranking", RANKINGS, "terms are predicates, adjacent entities or both")
    parser.add_argument("--top-k", type=_positive, metavar="K", help="facts for each entity")


def _add_engine(parser: Options) -> None:
    _add_name(parser, "--engine", ENGINES, "what answers and judges")


def _add_name(parser: Options, option: str, built_in: Sequence[str], help: str) -> None:
    """A name that another package may have added; `Settings` checks it."""
    names = ", ".join(built_in)
    parser.add_argument(
        option,
        metavar="NAME",
        help=f"{help}: {names}, or what another package adds (default: {_default(option)})",
    )


def _add_choice(parser: Options, option: str, choices: Sequence[str], help: str) -> None:
    parser.add_argument(option, choices=choices, help=f"{help} (default: {_default(option)})")


def _default(option: str) -> object:
    """What an option is in `Settings`, whose field has its name."""
    return getattr(Settings(), option.removeprefix("--"))


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of 1 or more, not {text!r}")
    return number
