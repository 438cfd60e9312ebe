"""`explain`: one run, streamed to the terminal."""

from __future__ import annotations

import argparse
import dataclasses

from expartkg.commands.batch import explain_batch
from expartkg.commands.encoder import encoder_for
from expartkg.commands.marks import print_marks
from expartkg.commands.options import settings_from
from expartkg.commands.printing import line, print_facts, say, tell
from expartkg.commands.stopping import stop_on_ctrl_c
from expartkg.engines import Engine, load_engine
from expartkg.errors import UsageError
from expartkg.exports import check_export_path, export_run, verdict_line
from expartkg.files import sweep_beside
from expartkg.overdue import explain_in_time
from expartkg.pictures import open_picture
from expartkg.recognition.opening import open_recogniser
from expartkg.records import (
    AnswerDelta,
    Answered,
    Artwork,
    Event,
    Finished,
    Judged,
    PictureSource,
    Retrieved,
    Run,
    Started,
)
from expartkg.retrieval import Retriever, open_graph
from expartkg.retrieval.store import Graph
from expartkg.runs import run_to_json, to_text
from expartkg.settings import Settings


def explain_command(options: argparse.Namespace) -> int:
    if options.recognise and (not options.image or options.title or options.artwork):
        raise UsageError("--recognise needs --image, and neither --title nor --artwork.")
    if options.batch or options.out:
        return explain_batch(options)
    if options.export:
        check_export_path(options.export)
    if options.artist and not (options.title or options.artwork):
        tell("--artist is only used together with --title or --artwork.")
    settings = settings_from(options)
    image = open_picture(options.image) if options.image else None
    source = PictureSource("file") if image else None
    artwork = Artwork(options.artwork, options.title, options.artist, image, picture=source)
    retriever = Retriever(open_graph(settings.kg))
    engine = load_engine(settings, tell)
    if options.recognise:
        artwork = _recognised(artwork, retriever.graph, settings, engine)
    run = _run(artwork, retriever, engine, settings, options)
    if options.json:
        say(to_text(run_to_json(run)))
    if options.export:
        sweep_beside(options.export)
        export_run(run, options.export)
    if run.error:
        tell(f"expartkg: {run.error}")
    elif not run.answer.strip():
        tell(f"The last answer has no text: the engine {engine.name} wrote nothing. Try again.")
    return 0 if run.status in ("accepted", "exhausted") else 1


def _recognised(artwork: Artwork, graph: Graph, settings: Settings, engine: Engine) -> Artwork:
    """The work with the id by which the picture is recognised, or as it is if it is not known."""
    assert artwork.image is not None
    recogniser = open_recogniser(settings.cache, graph, encoder_for(settings, engine))
    found = recogniser.recognise(artwork.image)
    if found.work is None:
        tell(
            f"The picture is not one of the {found.known:,} works that are known by their "
            "pictures; the run goes on without a title."
        )
        return artwork
    tell(
        f"Recognised in the picture: {graph.entity(found.work.id).label} ({found.work.id}), "
        f"similarity {found.work.similarity:.2f}, {found.work.points} points agree."
    )
    return dataclasses.replace(artwork, id=found.work.id, found="recognised")


def _run(
    artwork: Artwork,
    retriever: Retriever,
    engine: Engine,
    settings: Settings,
    options: argparse.Namespace,
) -> Run:
    with stop_on_ctrl_c() as stop:
        for event in explain_in_time(
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
    raise AssertionError("the loop always ends with Finished")


def _tell_start(started: Started, engine: Engine) -> None:
    if engine.notice:
        tell(engine.notice)
    title = started.artwork.title
    if started.candidates:
        chosen, *others = started.candidates
        tell(f"The work is {chosen.label} ({chosen.id}).")
        if others:
            ids = ", ".join(entity.id for entity in others[:5])
            more = f" and {len(others) - 5} more" if len(others) > 5 else ""
            tell(
                f"The title stands for {len(others) + 1} works; the others are {ids}{more}. "
                "Choose one with --artwork, or name the --artist."
            )
    elif title:
        tell(f"The graph does not know the title {title!r}.")


def _print_event(event: Event) -> None:
    match event:
        case Started():
            say(line(event.question.text))
        case Retrieved():
            labels = [line(mention.entity.label) for mention in event.mentions]
            named = ", ".join(labels) or "no entity"
            say(f"\n— Iteration {event.number}: {named}; {len(event.facts)} facts")
            print_facts(event.facts)
            if event.facts_dropped:
                say(f"  {event.facts_dropped} more did not fit into the prompt.")
            say()
        case AnswerDelta():
            say(event.text, end="", flush=True)
        case Answered():
            say()
        case Judged():
            say(f"\n  Verdict: {verdict_line(event.verdict)}")
        case Finished():
            print_marks(event.run)
            say(f"\n{event.run.status} after {len(event.run.iterations)} iteration(s)")
