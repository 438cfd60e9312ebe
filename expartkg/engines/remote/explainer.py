"""The explainer of the remote engine: prompt and picture go out, the answer streams in."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING

from expartkg.engines.base import AnswerStream, Session
from expartkg.engines.remote.chat import stream_answer
from expartkg.engines.remote.failures import broken_off, withheld
from expartkg.engines.remote.messages import chat_messages
from expartkg.engines.remote.picture import data_url
from expartkg.engines.remote.server import Server
from expartkg.engines.repetition import RepetitionGuard
from expartkg.records import Answer, FinishReason, Prompt, StopFlag

if TYPE_CHECKING:
    from PIL.Image import Image


class RemoteExplainer:
    """Writes with the vision-language model of a server.

    A picture has `image_tokens` at most (32×32 pixels each), an answer `max_new_tokens`.
    """

    def __init__(self, server: Server, image_tokens: int, max_new_tokens: int) -> None:
        self._server = server
        self._image_tokens = image_tokens
        self._max_new_tokens = max_new_tokens

    def session(self, image: Image | None) -> RemoteSession:
        picture = data_url(image, self._image_tokens) if image else None
        return RemoteSession(self._server, picture, self._max_new_tokens)


class RemoteSession(Session):
    """One run. The picture is encoded once here, and once there if the server caches prefixes."""

    def __init__(self, server: Server, picture: str | None, max_new_tokens: int) -> None:
        self._server = server
        self._picture = picture
        self._max_new_tokens = max_new_tokens

    def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
        began = time.monotonic()
        said: list[str] = []
        finish: FinishReason | None = None
        tokens = 0
        guard = RepetitionGuard()
        messages = chat_messages(prompt, self._picture)
        with closing(stream_answer(self._server, messages, self._max_new_tokens, stop)) as pieces:
            for piece in pieces:
                tokens = piece.tokens or tokens
                finish = self._finish(piece.finish_reason) or finish
                if not piece.text:
                    continue
                said.append(piece.text)
                yield piece.text
                if guard.feed(piece.text):
                    finish = "repetition"
                    break
        if finish is None:
            if not stop.is_set():
                raise broken_off(self._server, begun=bool(said))
            finish = "stopped"
        yield Answer("".join(said), finish, tokens, time.monotonic() - began)

    def close(self) -> None:
        """Nothing is held."""

    def _finish(self, reason: str | None) -> FinishReason | None:
        """The protocol's reasons in our words; `stop` is the usual one, and what is unknown."""
        if reason == "content_filter":
            raise withheld(self._server)
        if reason == "length":
            return "length"
        return "stop" if reason else None
