"""Makes the saved explanations that come with the guide, with an engine of this project.

    python assets/runs/make.py [ENGINE]

They are shown at a click, labelled with the engine that made them. Without a GPU that is the
preview; run again with `qwen` where there is one.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from expartkg.engines import load_engine  # noqa: E402  # after the path
from expartkg.exports import export_run  # noqa: E402
from expartkg.loop import explain  # noqa: E402
from expartkg.records import Artwork, Finished  # noqa: E402
from expartkg.retrieval import Retriever, open_graph  # noqa: E402
from expartkg.settings import Settings  # noqa: E402

EXAMPLES: dict[str, tuple[str, dict[str, object]]] = {
    "mona-lisa": ("Q12418", {}),
    "las-meninas": ("Q208758", {"method": "loop", "ranking": "pid", "max_iterations": 3}),
    "black-square": ("Q1170315", {"method": "baseline"}),
}
"""By the name of the file: the work, and the settings that are not the paper's."""


def main(engine_name: str) -> None:
    settings = Settings(engine=engine_name)
    retriever = Retriever(open_graph(settings.kg))
    engine = load_engine(settings)
    for name, (id, changes) in EXAMPLES.items():
        events = explain(
            Artwork(id),
            retriever=retriever,
            engine=engine,
            settings=settings.replace(**changes),
        )
        (run,) = [event.run for event in events if isinstance(event, Finished)]
        export_run(run, HERE / f"{name}.json")
        print(f"{name}: {run.status} after {len(run.iterations)} iteration(s)")


if __name__ == "__main__":
    main(*sys.argv[1:] or ["preview"])
