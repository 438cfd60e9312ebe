"""The addresses of the pages of the graph, and what is answered at each.

They go through the guide's gate (`ui.security`), which also asks for the login.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from urllib.parse import parse_qs

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from expartkg.commons import Commons, CommonsPicture
from expartkg.errors import CommonsError, ExpArtError, GraphError, UnknownEntityError
from expartkg.records import Entity
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.sparql import Limits, Queries
from expartkg.settings import Settings
from expartkg.ui.browse.catalogue import Catalogue
from expartkg.ui.browse.drawing import Drawing
from expartkg.ui.browse.entity import entity_page, group_page
from expartkg.ui.browse.querying import Desk, QueryPage, as_csv
from expartkg.ui.browse.style import style_sheet
from expartkg.ui.text import languages_of

PICTURE_PIXELS = 960
SCRIPT = Path(__file__).parent / "browse.js"
AN_HOUR = {"Cache-Control": "private, max-age=3600"}


def browse_routes(retriever: Retriever, settings: Settings, commons: Commons) -> list[BaseRoute]:
    """The routes in all languages of the page."""
    catalogue = Catalogue(retriever)
    desk = Desk(Queries(settings.kg, Limits(seconds=settings.sparql_seconds)))
    style, script = style_sheet(), SCRIPT.read_text(encoding="utf-8")
    routes: list[BaseRoute] = [
        Route("/browse/style.css", lambda _: Response(style, 200, AN_HOUR, "text/css")),
        Route("/browse/browse.js", lambda _: Response(script, 200, AN_HOUR, "text/javascript")),
        Route("/picture/{id:path}", partial(_picture, retriever, commons)),
    ]
    languages = languages_of(settings.language)
    for address, words in languages.items():
        others = {other: w for other, w in languages.items() if w is not words}
        pages = _Pages(Drawing(words, address, others), retriever, catalogue, desk, commons)
        before = f"/{address}" if address else ""
        routes += [
            Route(f"{before}/entity/{{id:path}}", pages.entity),
            Route(f"{before}/graph", pages.graph),
            Route(f"{before}/sparql", pages.sparql, methods=["GET", "POST"]),
        ]
    return routes


class _Pages:
    """The pages in one language. What is no coroutine is called in a thread of its own."""

    def __init__(
        self,
        drawing: Drawing,
        retriever: Retriever,
        catalogue: Catalogue,
        desk: Desk,
        commons: Commons,
    ) -> None:
        self._drawing = drawing
        self._retriever = retriever
        self._catalogue = catalogue
        self._desk = desk
        self._commons = commons

    def entity(self, request: Request) -> Response:
        id, asked = request.path_params["id"], request.query_params
        try:
            if property_id := asked.get("property"):
                incoming = asked.get("direction") == "in"
                group = group_page(self._retriever, id, property_id, not incoming, _page(request))
                if group:
                    return HTMLResponse(self._drawing.group(group))
            page = entity_page(self._retriever, id)
        except UnknownEntityError:
            return HTMLResponse(self._drawing.missing(id), 404)
        except GraphError as error:
            return _away(error)
        picture, problem = None, ""
        if page.has_picture and "picture" in asked:
            try:
                picture = _fetched(self._retriever, self._commons, page.entity).credit
            except ExpArtError as error:
                problem = str(error)
        return HTMLResponse(self._drawing.entity(page, picture, problem))

    def graph(self, request: Request) -> Response:
        kind = request.query_params.get("kind")
        if kind is not None and (page := self._catalogue.kind(kind, _page(request))):
            return HTMLResponse(self._drawing.kind(page))
        text = request.query_params.get("q", "").strip()
        try:
            return HTMLResponse(self._drawing.graph(self._catalogue.graph(text)))
        except GraphError as error:
            return _away(error)

    async def sparql(self, request: Request) -> Response:
        asked = await _asked(request)
        page = QueryPage(asked.get("query", ""))
        if page.query.strip():
            page = await self._desk.answer(page.query, request)
        # Thousands of rows take a while, in which nobody else is to wait.
        draw = _csv if asked.get("format") == "csv" else self._results
        return await to_thread.run_sync(draw, page)

    def _results(self, page: QueryPage) -> Response:
        html = self._drawing.sparql(page, self._desk.queries.limits, self._entity_of)
        return HTMLResponse(html, 422 if page.problem else 200)

    def _entity_of(self, iri: str) -> Entity | None:
        try:
            return self._retriever.graph.entity(iri)
        except UnknownEntityError:
            return None


def _away(error: GraphError) -> Response:
    """The graph is at an endpoint that cannot be asked just now."""
    return PlainTextResponse(str(error), 503)


def _csv(page: QueryPage) -> Response:
    if page.results is None:
        return PlainTextResponse(page.problem or "There is no query.", 422)
    name = {"Content-Disposition": 'attachment; filename="results.csv"'}
    return Response(as_csv(page.results), 200, name, "text/csv")


def _picture(retriever: Retriever, commons: Commons, request: Request) -> Response:
    """The picture itself, for the page that has fetched it."""
    try:
        entity = retriever.graph.entity(request.path_params["id"])
        return FileResponse(_fetched(retriever, commons, entity).path, headers=AN_HOUR)
    except ExpArtError as error:
        return PlainTextResponse(str(error), 404)


def _fetched(retriever: Retriever, commons: Commons, entity: Entity) -> CommonsPicture:
    """Raises `CommonsError`."""
    address = retriever.graph.image(entity)
    if address is None:
        raise CommonsError(f"The graph has no picture of {entity.label}.")
    return commons.picture(address, PICTURE_PIXELS)


async def _asked(request: Request) -> dict[str, str]:
    """The fields of the form, which a long query comes in, or those of the address."""
    if request.method != "POST":
        return dict(request.query_params)
    fields = parse_qs((await request.body()).decode("utf-8", "replace"))
    return {name: values[0] for name, values in fields.items()}


def _page(request: Request) -> int:
    number = request.query_params.get("page", "1")
    return int(number) if number.isdecimal() and len(number) < 9 else 1
