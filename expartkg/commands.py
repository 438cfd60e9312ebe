"""What the commands of the command line do. Results go to stdout, messages to stderr."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from expartkg.cli import settings_from
from expartkg.engines import Engine, load_engine
from expartkg.errors import ExpArtError, NotBuiltError, UsageError
from expartkg.loop import explain
from expartkg.pictures import open_picture
from expartkg.records import (
    AnswerDelta,
    Answered,
    Artwork,
    Event,
    Finished,
    Judged,
    Mention,
    RankedTriple,
    Retrieved,
    Run,
    Started,
    Verdict,
)
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import open_graph
from expartkg.runs import (
    check_export_path,
    export_run,
    fact_to_json,
    mention_to_json,
    ranked_to_json,
    run_to_json,
    to_text,
)
from expartkg.settings import Settings


def explain_command(options: argparse.Namespace) -> int:
    if options.recognise:
        raise NotBuiltError("--recognise is not built yet; give --title or --artwork.")
    if options.batch or options.out:
        raise NotBuiltError("--batch is not built yet; explain one work at a time.")
    if options.export:
        check_export_path(options.export)
    settings = settings_from(options)
    image = open_picture(options.image) if options.image else None
    artwork = Artwork(options.artwork, options.title, options.artist, image)
    retriever = Retriever(open_graph(settings.kg))
    run = _run(artwork, retriever, settings, options)
    if options.json:
        print(to_text(run_to_json(run)))
    if options.export:
        export_run(run, options.export)
    if run.error:
        print(f"expartkg: {run.error}", file=sys.stderr)
    return 0 if run.status in ("accepted", "exhausted") else 1


def _run(
    artwork: Artwork, retriever: Retriever, settings: Settings, options: argparse.Namespace
) -> Run:
    stop = threading.Event()
    engine = load_engine(settings)
    before = signal.signal(signal.SIGINT, lambda *_: stop.set())
    try:
        for event in explain(
            artwork,
            retriever=retriever,
            engine=engine,
            settings=settings,
            question=options.question,
            stop=stop,
        ):
            if isinstance(event, Started):
                _tell_start(event, engine)
            if not options.json:
                _print_event(event)
            if isinstance(event, Finished):
                return event.run
    finally:
        signal.signal(signal.SIGINT, before)
    raise AssertionError("the loop always ends with Finished")


def _tell_start(started: Started, engine: Engine) -> None:
    if engine.notice:
        print(engine.notice, file=sys.stderr)
    title = started.artwork.title
    if started.candidates:
        chosen, *others = started.candidates
        print(f"The work is {chosen.label} ({chosen.id}).", file=sys.stderr)
        if others:
            ids = ", ".join(entity.id for entity in others[:5])
            more = f" and {len(others) - 5} more" if len(others) > 5 else ""
            print(
                f"The title stands for {len(others) + 1} works; the others are {ids}{more}. "
                "Choose one with --artwork, or name the --artist.",
                file=sys.stderr,
            )
    elif title:
        print(f"The graph does not know the title {title!r}.", file=sys.stderr)


def _print_event(event: Event) -> None:
    match event:
        case Started():
            print(event.question.text)
        case Retrieved():
            named = ", ".join(mention.entity.label for mention in event.mentions) or "no entity"
            print(f"\n— Iteration {event.number}: {named}; {len(event.facts)} facts")
            _print_facts(event.facts)
            if event.facts_dropped:
                print(f"  {event.facts_dropped} more did not fit into the prompt.")
            print()
        case AnswerDelta():
            print(event.text, end="", flush=True)
        case Answered():
            print()
        case Judged():
            print(f"\n  Verdict: {_verdict_text(event.verdict)}")
        case Finished():
            print(f"\n{event.run.status} after {len(event.run.iterations)} iteration(s)")


def _verdict_text(verdict: Verdict) -> str:
    p = "" if verdict.p_true is None else f", p = {verdict.p_true:.2f}"
    return f"{verdict.accepted} ({verdict.method}{p})"


def link_command(options: argparse.Namespace) -> int:
    retriever = Retriever(open_graph(settings_from(options).kg))
    mentions = retriever.names.find(_text(options))
    if options.json:
        print(to_text({"mentions": [mention_to_json(mention) for mention in mentions]}))
    else:
        _print_mentions(mentions)
    return 0


def retrieve_command(options: argparse.Namespace) -> int:
    settings = settings_from(options)
    retriever = Retriever(open_graph(settings.kg))
    mentions = retriever.names.find(_text(options))
    facts = retriever.facts(mentions, ranking=settings.ranking, top_k=settings.top_k)
    if options.json:
        document = {
            "mentions": [mention_to_json(mention) for mention in mentions],
            "facts": [fact_to_json(fact) for fact in facts],
        }
        print(to_text(document))
    else:
        _print_mentions(mentions)
        _print_facts(facts)
    return 0


def rank_command(options: argparse.Namespace) -> int:
    settings = settings_from(options)
    retriever = Retriever(open_graph(settings.kg))
    entity = retriever.graph.entity(options.entity)
    facts = retriever.ranker.rank(entity, settings.ranking, settings.top_k)
    if options.json:
        document = {
            "entity": entity.id,
            "label": entity.label,
            "N": len(retriever.graph),
            "facts": [ranked_to_json(fact) for fact in facts],
        }
        print(to_text(document))
    else:
        print(f"{entity.label} ({entity.id}), N = {len(retriever.graph)}")
        _print_facts(facts)
    return 0


def kg_info_command(options: argparse.Namespace) -> int:
    graph = open_graph(settings_from(options).kg)
    counts = Retriever(graph).ranker.statistics
    kinds = Counter(entity.kind or "(none)" for entity in graph.entities)
    info = {
        "name": graph.name,
        "entities": len(graph),
        "statements": counts.statements,
        "properties": len(counts.predicates),
        "kinds": dict(sorted(kinds.items())),
        "sha256": graph.sha256,
    }
    if options.json:
        print(to_text(info))
    else:
        kinds_line = ", ".join(f"{kind} {number:,}" for kind, number in kinds.most_common())
        print(f"{graph.name}: {len(graph):,} entities ({kinds_line})")
        print(f"{counts.statements:,} statements of {len(counts.predicates)} properties")
        print(f"sha256 {graph.sha256 or 'unknown: a store directory'}")
    return 0


def build_command(options: argparse.Namespace) -> int:
    kind, _, where = options.knowledge.partition(":")
    if options.questions != "all" or kind != "snapshot":
        raise NotBuiltError(
            "Only --questions all with --knowledge snapshot:DIR is built yet: every artwork of a "
            "snapshot."
        )
    if not where:
        raise UsageError("--knowledge snapshot:DIR needs the folder of the snapshot.")
    # Imported late: only this command reads the lists of the construction.
    from expartkg.construction import DEFAULT_NOISE, build_artworks

    kept = frozenset(options.keep_noise)
    if kept - DEFAULT_NOISE:
        wrong = ", ".join(sorted(kept - DEFAULT_NOISE))
        raise UsageError(f"--keep-noise: {wrong} is not on the list of noise properties.")
    try:
        manifest = build_artworks(Path(where), options.out, dropped_properties=DEFAULT_NOISE - kept)
    except OSError as error:
        raise ExpArtError(f"{options.out} cannot be written: {error.strerror or error}.") from error
    if options.json:
        print(to_text(manifest))
    else:
        entities, statements = manifest["entities"], manifest["statements"]
        print(f"{options.out}: {entities:,} entities, {statements:,} statements")
    return 0


def serve_command(options: argparse.Namespace) -> int:
    if options.json:
        raise UsageError("serve opens a page; it has no --json.")
    from expartkg.ui.launch import serve

    serve(settings_from(options), host=options.host, port=options.port)
    return 0


def _text(options: argparse.Namespace) -> str:
    if options.text is not None:
        return str(options.text)
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def _print_mentions(mentions: Sequence[Mention]) -> None:
    for mention in mentions:
        others = len(mention.candidates) - 1
        choice = f"  (one of {others + 1} of that name)" if others else ""
        entity = mention.entity
        print(f"{mention.start}-{mention.end}  {mention.text}  {entity.id} {entity.kind}{choice}")


def _print_facts(facts: Sequence[RankedTriple]) -> None:
    for fact in facts:
        print(f"  {fact.score:8.3f}  [{', '.join(fact.triple.labels)}]")


COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "explain": explain_command,
    "link": link_command,
    "rank": rank_command,
    "retrieve": retrieve_command,
    "kg info": kg_info_command,
    "build": build_command,
    "serve": serve_command,
}
