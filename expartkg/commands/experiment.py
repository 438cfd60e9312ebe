"""`evaluate` (table): the experiment of Section 4, begun or gone on with, and its report."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from tqdm import tqdm

from expartkg.commands.encoder import encoder_for
from expartkg.commands.options import evaluation_settings
from expartkg.commands.printing import say, tell
from expartkg.commands.scorer import signed_scorer
from expartkg.commands.stopping import stop_on_ctrl_c
from expartkg.commons import Commons
from expartkg.engines import Engine, load_engine
from expartkg.errors import UsageError
from expartkg.evaluation.dictionaries import graph_dictionary
from expartkg.evaluation.experiment import Experiment, Unreachable, arms_for
from expartkg.evaluation.folder import ExperimentFolder, conditions_of
from expartkg.evaluation.hub import find_questions
from expartkg.evaluation.pictures import Pictures
from expartkg.evaluation.report.results import Results, results_of
from expartkg.evaluation.report.table import text_table
from expartkg.evaluation.report.writing import report_document, write_report
from expartkg.evaluation.rows import rows_for
from expartkg.evaluation.selection import Counts, Selection, select
from expartkg.evaluation.trajectories import Trajectories, Trajectory
from expartkg.files import locked
from expartkg.recognition import Recogniser
from expartkg.recognition.opening import open_recogniser
from expartkg.retrieval import Retriever, open_graph
from expartkg.runs import to_text
from expartkg.settings import Settings

COMMONS_SECONDS = 300.0
BAR_SECONDS = 0.5
LOG_SECONDS = 60.0


def experiment_command(options: argparse.Namespace) -> int:
    if not options.questions or not options.out:
        raise UsageError("evaluate needs --questions and --out.")
    settings = evaluation_settings(options)
    retriever = Retriever(open_graph(settings.kg))
    selection = select(
        find_questions(options.questions),
        retriever.names.dictionary,
        share=1.0 if options.sample is None else options.sample,
        seed=options.seed,
    )
    # Loading the engine takes minutes, and is in vain where another process is at work.
    with locked(options.out):
        return _experiment(options, settings, retriever, selection)


def _experiment(
    options: argparse.Namespace, settings: Settings, retriever: Retriever, selection: Selection
) -> int:
    engine = load_engine(settings)
    if engine.notice:
        tell(engine.notice)
    recogniser = _recogniser(options, engine, retriever, settings)
    experiment = Experiment(
        selection.questions,
        inputs=options.inputs,
        arms=arms_for(options.methods, options.rankings),
        retriever=retriever,
        engine=engine,
        settings=settings,
        pictures=_pictures(options, engine, retriever, settings),
        recognise=recogniser.work_in if recogniser else None,
    )
    folder = ExperimentFolder(options.out)
    conditions = conditions_of(
        selection,
        seed=options.seed,
        graph=retriever.graph,
        engine=engine,
        settings=settings,
        recognition=recogniser.signature if recogniser else None,
    )
    folder.prepare(selection, conditions)
    runs = folder.trajectories()
    if not _run(experiment, runs, options.workers):
        tell(f"Stopped. Start the same command again to go on in {folder.path}.")
        return 130
    _report(experiment, runs, folder, selection.counts, options)
    return 0


def _pictures(
    options: argparse.Namespace, engine: Engine, retriever: Retriever, settings: Settings
) -> Pictures | None:
    needed = "recognised" in options.inputs or engine.description.get("sees_pictures", True)
    if options.no_images or not needed:
        return None
    # Nobody waits for one picture here, and Commons asks for pauses when many are fetched.
    commons = Commons(settings.cache, contact=settings.contact, patience=COMMONS_SECONDS)
    return Pictures(options.images, retriever.graph, commons)


def _recogniser(
    options: argparse.Namespace, engine: Engine, retriever: Retriever, settings: Settings
) -> Recogniser | None:
    if "recognised" not in options.inputs:
        return None
    if options.no_images:
        raise UsageError("Works are recognised by their pictures; leave --no-images out.")
    return open_recogniser(settings.cache, retriever.graph, encoder_for(settings, engine))


def _run(experiment: Experiment, runs: Trajectories, workers: int) -> bool:
    """Makes what is missing, with a bar that shows how far it is. False if it was stopped."""
    keys = [key for question in experiment.questions for key in experiment.keys(question)]
    done = sum(runs.get(key) is not None for key in keys)
    unreachable: list[Unreachable] = []
    with stop_on_ctrl_c() as stop, _bar(len(keys), done) as bar:
        cost = _Cost()
        for outcome in experiment.run(runs, workers=workers, stop=stop):
            if isinstance(outcome, Unreachable):
                unreachable.append(outcome)
                continue
            cost.add(outcome)
            bar.set_postfix_str(str(cost), refresh=False)
            bar.update()
        stopped = stop.is_set()
    if unreachable:
        tell(
            f"{len(unreachable)} questions are left out, since their pictures cannot be had; "
            f"the first: {unreachable[0].reason}"
        )
    return not stopped


class _Cost:
    """What has been spent since the start, for the bar."""

    def __init__(self) -> None:
        self.written = self.tokens = self.failed = 0

    def add(self, run: Trajectory) -> None:
        """One more run has ended."""
        self.written += run.written
        self.tokens += run.tokens
        self.failed += not run.is_complete

    def __str__(self) -> str:
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{self.written:,} answers, {self.tokens:,} tokens{failed}"


def _bar(total: int, done: int) -> tqdm[Any]:
    """On a terminal a bar, elsewhere a line a minute."""
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    return tqdm(
        total=total,
        initial=done,
        unit="run",
        desc="Runs",
        mininterval=BAR_SECONDS if is_terminal else LOG_SECONDS,
        file=sys.stderr,
        disable=sys.stderr is None,
    )


def _report(
    experiment: Experiment,
    runs: Trajectories,
    folder: ExperimentFolder,
    counts: Counts,
    options: argparse.Namespace,
) -> None:
    scorer, signed = signed_scorer(graph_dictionary(experiment.retriever), options)
    results = results_of(
        experiment.questions,
        runs,
        rows_for(options.methods, options.rankings, experiment.inputs),
        scorer,
        most_iterations=experiment.settings.max_iterations,
        seed=options.seed,
    )
    document = report_document(results, counts, signed, folder.conditions())
    files = write_report(folder.path / "report", results, counts, document)
    if options.json:
        say(to_text(document))
    else:
        _print(results, counts, files)


def _print(results: Results, counts: Counts, files: list[Path]) -> None:
    cost = results.cost
    say(text_table(results))
    say(
        f"Questions: {counts.raw} in the set, {counts.naming} with a reference that names an "
        f"entity, {counts.filtered} of them usable without the title, {counts.sampled} sampled, "
        f"{results.evaluated} evaluated."
    )
    say(
        f"Answers: {cost.written:,} written, {cost.written_alone:,} if every row were run on its "
        f"own; {cost.tokens:,} tokens. Failed runs: {cost.failed}."
    )
    if found := results.recognition:
        say(
            f"Recognised by their pictures: {found.recognised} works of {found.questions}; of "
            f"{found.checked} that can be checked {found.right} are the right ones."
        )
    say(f"Report: {', '.join(file.name for file in files)} in {files[0].parent}")
