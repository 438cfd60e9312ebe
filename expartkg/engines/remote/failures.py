"""What went wrong with a server, as a message that says what to do. No message has a key in it."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator, Sequence

import openai

from expartkg.engines.remote.client import MOST_BYTES, FloodError
from expartkg.engines.remote.server import Server
from expartkg.errors import EngineError

MOST_CHARACTERS = 300
MOST_MODELS = 8
FAILURES = (openai.OpenAIError, OSError, ValueError, TypeError, AttributeError, LookupError)
"""All that the client raises, and what comes of reading an answer of the wrong shape."""


class RefusedError(EngineError):
    """The server did not like the request itself (400, 422, 501); another one may do."""


def explained(error: Exception, server: Server, offered: Sequence[str] = ()) -> EngineError:
    """An error of `FAILURES` for the person who set the server up.

    `offered` are the models that the server has, for one that it does not have.
    """
    refused = isinstance(error, openai.APIStatusError) and error.status_code in (400, 422, 501)
    message = server.without_secrets(_message(error, server, offered))
    return RefusedError(message) if refused else EngineError(message)


def broken_off(server: Server, *, begun: bool) -> EngineError:
    """An answer that ended without saying why, or that never began."""
    if begun:
        return EngineError(
            f"The server at {server.host} broke off in the middle of its answer. Try again; its "
            "log may say why."
        )
    return EngineError(
        f"The server at {server.host} sent no answer. Check {server.variables.url}: it mostly "
        "ends in /v1."
    )


def withheld(server: Server) -> EngineError:
    return EngineError(f"The server at {server.host} withheld its answer: a filter stopped it.")


def is_unknown_model(error: Exception) -> bool:
    """Whether the server was reached, but not the model; a wrong path is 404 too."""
    return isinstance(error, openai.NotFoundError) and "model" in _detail(error).casefold()


def _message(error: Exception, server: Server, offered: Sequence[str]) -> str:
    host = f"The server at {server.host}"
    match error:
        case FloodError():
            return (
                f"{host} sends and sends: {MOST_BYTES // 2**20} MB, and no end. See its log, and "
                f"check {server.variables.url}."
            )
        case TimeoutError():
            return (
                f"{host} said nothing for {server.silence:g} seconds: it is overloaded, or still "
                "loading its model. Try again later."
            )
        case openai.APITimeoutError():
            return f"{host} cannot be reached. Check {server.variables.url} and the network."
        case openai.APIConnectionError():
            return _connection(error, server)
        case openai.APIStatusError():
            return f"{host} {_status(error, server, offered)}"
        case openai.APIError():
            return f"{host} failed while it was answering{_quoted(error)}."
        case _:
            return (
                f"{host} sent something that is not the OpenAI protocol ({type(error).__name__}). "
                f"Check {server.variables.url}."
            )


def _connection(error: Exception, server: Server) -> str:
    host, url = server.host, server.variables.url
    causes = list(_causes(error))
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return f"There is no host of the name in {host}. Check {url}."
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return f"No server listens at {host}. Start it, or check {url}."
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return f"There is no secure connection to {host}: {causes[-1]}. Check {url}."
    return f"The connection to the server at {host} broke off. Try again; its log may say why."


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            yield from error.exceptions
        error = error.__cause__ or error.__context__


def _status(error: openai.APIStatusError, server: Server, offered: Sequence[str]) -> str:
    variables, detail = server.variables, _quoted(error)
    if error.status_code in (401, 403):
        wrong = "refused the key; check" if server.authorization else "wants a key; set"
        return f"{wrong} {variables.key}."
    if is_unknown_model(error):
        return f"has no model {server.model!r}{_offer(offered)}. Set {variables.model}."
    if error.status_code == 404:
        return f"has nothing at {server.url}. Check {variables.url}: it mostly ends in /v1."
    if error.status_code == 413 or "context" in detail.casefold():
        return (
            f"says that the prompt is too long for {server.model}{detail}. Start it with a longer "
            "context, or lower --facts-budget."
        )
    if error.status_code == 429:
        return f"is too busy, also after several tries{detail}. Try again later."
    if error.status_code >= 500:
        return f"failed with {error.status_code}, also after several tries{detail}. See its log."
    return f"refused the request with {error.status_code}{detail}."


def _offer(models: Sequence[str]) -> str:
    if not models:
        return ""
    more = f" and {len(models) - MOST_MODELS} more" if len(models) > MOST_MODELS else ""
    return f"; it has {', '.join(models[:MOST_MODELS])}{more}"


def _quoted(error: openai.APIError) -> str:
    detail = _detail(error)
    return f": {detail.rstrip('.')}" if detail else ""


def _detail(error: openai.APIError) -> str:
    """The server's own words, in one line; servers put them in different places."""
    words: object = error.body
    for key in ("error", "detail", "message"):
        if isinstance(words, dict) and key in words:
            words = words[key]
    if words is None:
        words = error.message
    if not isinstance(words, str) or words.lstrip().startswith("<"):
        return ""
    words = " ".join(words.split())
    return words if len(words) <= MOST_CHARACTERS else words[: MOST_CHARACTERS - 1] + "…"
