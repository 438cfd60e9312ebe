"""Starting the page, for `python app.py` and `python -m expartkg serve`."""

from __future__ import annotations

import ctypes
import ipaddress
import os
import signal
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
)
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expartkg.commands.printing import log_to_terminal, say, tell
from expartkg.commons import Commons
from expartkg.engines.selection import choose_engine, load_engine
from expartkg.errors import ExpArtError, UsageError
from expartkg.pictures import MAX_BYTES
from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings
from expartkg.ui import fast_gradio, lent_gpu
from expartkg.ui.bridge import MOST_IN_LINE
from expartkg.ui.guide import House
from expartkg.ui.loading import Loading

if TYPE_CHECKING:
    import gradio as gr

    from expartkg.ui.mcp_server import McpServer

LOOPBACK = "127.0.0.1"
MOST_CONNECTIONS = 10_000
M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8
"""Of malloc.h: from how many bytes on memory is had from the system, and pools for threads."""


def serve(settings: Settings, host: str, port: int) -> None:
    """Serves the page until the process is interrupted or told to end.

    Raises `ExpArtError` if the graph or the engine cannot be had, or the port is taken.
    """
    log_to_terminal()
    # Being told to end is as good as Ctrl+C: the uploads are deleted.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with _private_uploads():
        prepare_gradio(host)
        with ThreadPoolExecutor(1) as pool:
            graph = pool.submit(open_graph, settings.kg)
            engine = _engine(settings)
            import expartkg.ui.page  # noqa: F401 - takes seconds, which the graph takes too
        retriever = Retriever(graph.result())
        if lent_gpu.is_on():
            lent_gpu.prepare(retriever, engine.engine(threading.Event()))
        commons = Commons(settings.cache, contact=settings.contact)
        page, url = open_guide(House(retriever, engine, settings, commons), host, port)
        # No daemon: an end in the middle of it would be an abort in code that is not Python's.
        threading.Thread(target=retriever.warm_up, name="warm up").start()
        if warning := open_to_all(host, settings.accounts):
            tell(warning)
        say(_greeting(url, retriever, engine.name), flush=True)
        page.block_thread()


def _engine(settings: Settings) -> Loading:
    """Models take their time, and the page opens meanwhile; all else is there at once.

    On a GPU that is lent by the call, the models have to be there before the page, and in this
    thread. Raises `ExpArtError` if an engine that is quick cannot start.
    """
    name = choose_engine(settings)
    if name == "qwen" and not lent_gpu.is_on():
        return Loading.begin(name, partial(load_engine, settings))
    return Loading.done(load_engine(settings))


@contextmanager
def _private_uploads() -> Iterator[None]:
    """A folder for uploads that nobody else on this machine can read, and that goes at the end.

    gradio's own is shared with every gradio page of the machine, and stays.
    """
    parent = os.environ.get("GRADIO_TEMP_DIR") or None
    if parent:
        Path(parent).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(
        prefix="expartkg-", dir=parent, ignore_cleanup_errors=True
    ) as folder:
        os.environ["GRADIO_TEMP_DIR"] = folder
        yield


def prepare_gradio(host: str = LOOPBACK) -> None:
    """To be called before gradio is imported: it is to be quick, and to tell nobody."""
    fast_gradio.install()
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    # Nor is it to count, after every event again, the last 10,000 for a page that nobody can see.
    os.environ["GRADIO_ANALYTICS_MAX_EVENTS"] = "1"
    os.environ["GRADIO_ANALYTICS_CACHE_FREQUENCY"] = str(sys.maxsize)
    # When it starts, gradio asks its own page whether it is there; no proxy knows the answer.
    direct = os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or ""
    os.environ["no_proxy"] = os.environ["NO_PROXY"] = ",".join(
        filter(None, (direct, "localhost", LOOPBACK, host))
    )


def open_guide(house: House, host: str, port: int) -> tuple[gr.Blocks, str]:
    """Serves the page, the pages of the graph and the tools in the background.

    Returns the page and its address. Raises `ExpArtError`.
    """
    from expartkg.ui.browse import browse_routes
    from expartkg.ui.page import build_page

    _allow_many_connections()
    _give_memory_back()
    page = build_page(house)
    routes = browse_routes(house.retriever, house.settings, house.commons)
    tools = _tools(house)
    if tools:
        routes += tools.routes
    beside = {"routes": routes, "lifespan": _lifespan(tools)}
    return page, open_page(page, host, port, house.settings, beside)


def _allow_many_connections() -> None:
    """A window holds a few of them. Most systems let a process have 1,024 files and connections
    unless it asks for more, and beyond that the page would let nobody in.
    """
    try:
        import resource
    except ModuleNotFoundError:  # Windows has no such limit
        return
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS if most == resource.RLIM_INFINITY else min(most, MOST_CONNECTIONS)
    if now != resource.RLIM_INFINITY and now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _give_memory_back() -> None:
    """glibc would keep what was freed, such as pictures, for each of many threads; musl does not,
    and other systems' C libraries are not asked.
    """
    if sys.platform == "linux" and hasattr(c := ctypes.CDLL(None), "mallopt"):
        c.mallopt(M_MMAP_THRESHOLD, 2**18)
        c.mallopt(M_ARENA_MAX, 2)


def _lifespan(tools: McpServer | None) -> Callable[[Any], AbstractAsyncContextManager[None]]:
    """What lasts as long as the page's FastAPI application."""
    from expartkg.ui.page import UPLOADS_KEPT_SECONDS
    from expartkg.ui.sessions import few_sessions

    @asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[None]:
        async with (
            few_sessions(app, timedelta(seconds=UPLOADS_KEPT_SECONDS)),
            AsyncExitStack() as rest,
        ):
            if tools:
                await rest.enter_async_context(tools.lifespan(app))
            yield

    return lifespan


def _tools(house: House) -> McpServer | None:
    """The tools for assistants, if they are wanted and the package `mcp` is installed."""
    if house.settings.mcp == "off":
        return None
    try:
        from expartkg.ui.mcp_server import McpServer
    except ModuleNotFoundError as error:
        if house.settings.mcp == "on":
            raise UsageError(
                f"EXPARTKG_MCP is on, but {error.name} is not there: pip install 'mcp>=1.30,<2'"
            ) from error
        return None
    from expartkg.ui.api import Api

    return McpServer(Api(house))


def open_page(
    page: gr.Blocks,
    host: str,
    port: int,
    settings: Settings,
    beside: Mapping[str, Any],
) -> str:
    """Serves a page in the background and returns its address. Raises `ExpArtError`.

    If the settings have accounts, only they are let in. `beside` are arguments of the FastAPI
    application: other routes, and what lasts as long as it.
    """
    from expartkg.ui.guesses import MOST_GUESSES, WHILE_SECONDS
    from expartkg.ui.security import login, middleware
    from expartkg.ui.text import languages_of
    from expartkg.ui.theme import STYLE_SHEETS, theme

    accounts, languages = settings.accounts, languages_of(settings.language).values()
    minutes = round(WHILE_SECONDS / 60)
    notes = (words.guesses.format(most=MOST_GUESSES, minutes=minutes) for words in languages)
    page.queue(max_size=MOST_IN_LINE)
    try:
        _, url, _ = page.launch(
            server_name=host,
            server_port=port,
            theme=theme(),
            css_paths=STYLE_SHEETS,
            # A little more than the guide takes, so that the guide can say why it does not.
            max_file_size=2 * MAX_BYTES,
            auth=login(accounts) if accounts else None,
            auth_message="<br>".join(notes),
            app_kwargs={"middleware": middleware(), **beside},
            footer_links=[],
            run_history=False,
            # gradio's other processes for files would have none of the middleware.
            num_workers=0,
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


def open_to_all(host: str, accounts: Mapping[str, str]) -> str | None:
    """A warning if others than the people at this machine can use the page."""
    if accounts or os.environ.get("SPACE_ID") or _is_loopback(host):
        return None
    return (
        f"Anybody who can reach this machine ({host}) can use the page. To let in only those who "
        "have a password, set EXPARTKG_LOGIN=name:password."
    )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _greeting(url: str, retriever: Retriever, engine: str) -> str:
    graph = retriever.graph
    return (
        f"The museum guide is at {url} (graph {graph.name}, {len(graph):,} entities; "
        f"engine {engine}). Press Ctrl+C to end it."
    )
