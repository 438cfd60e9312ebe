"""Starting the page, for `python app.py` and `python -m expartkg serve`."""

from __future__ import annotations

import logging
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from expartkg.engines.base import Engine
from expartkg.engines.selection import load_engine
from expartkg.errors import ExpArtError
from expartkg.pictures import MAX_BYTES
from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings
from expartkg.ui import fast_gradio
from expartkg.ui.bridge import MOST_IN_LINE

if TYPE_CHECKING:
    import gradio as gr

LOOPBACK = "127.0.0.1"


def serve(settings: Settings, host: str, port: int) -> None:
    """Serves the page until the process is interrupted.

    Raises `ExpArtError` if the graph or the engine cannot be had, or the port is taken.
    """
    logging.basicConfig(level=logging.WARNING)
    prepare_gradio(host)
    with ThreadPoolExecutor(2) as pool:
        graph = pool.submit(open_graph, settings.kg)
        engine = pool.submit(load_engine, settings)
        from expartkg.ui.page import build_page  # takes seconds, which the graph takes too
    retriever = Retriever(graph.result())
    page = build_page(retriever, engine.result(), settings)
    url = open_page(page, host, port)
    threading.Thread(target=retriever.warm_up, name="warm up", daemon=True).start()
    print(_greeting(url, retriever, engine.result()), flush=True)
    page.block_thread()


def prepare_gradio(host: str = LOOPBACK) -> None:
    """To be called before gradio is imported: it is to be quick, and to tell nobody."""
    fast_gradio.install()
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    # When it starts, gradio asks its own page whether it is there; no proxy knows the answer.
    direct = os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or ""
    os.environ["no_proxy"] = os.environ["NO_PROXY"] = ",".join(
        filter(None, (direct, "localhost", LOOPBACK, host))
    )


def open_page(page: gr.Blocks, host: str, port: int) -> str:
    """Serves a page in the background and returns its address. Raises `ExpArtError`."""
    from expartkg.ui.theme import STYLE_SHEET, theme

    page.queue(max_size=MOST_IN_LINE)
    try:
        _, url, _ = page.launch(
            server_name=host,
            server_port=port,
            theme=theme(),
            css_paths=STYLE_SHEET,
            # A little more than the guide takes, so that the guide can say why it does not.
            max_file_size=2 * MAX_BYTES,
            footer_links=[],
            run_history=False,
            share=False,
            ssr_mode=False,
            prevent_thread_lock=True,
            quiet=True,
        )
    except (OSError, OverflowError) as error:
        raise ExpArtError(
            f"The page cannot be opened at {host}:{port}: the port is taken, or the address is "
            "not this machine's. Choose another with --port, or GRADIO_SERVER_PORT."
        ) from error
    return url


def _greeting(url: str, retriever: Retriever, engine: Engine) -> str:
    graph = retriever.graph
    return (
        f"The museum guide is at {url} (graph {graph.name}, {len(graph):,} entities; "
        f"engine {engine.name}). Press Ctrl+C to end it."
    )
