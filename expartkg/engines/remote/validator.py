"""The validator of the remote engine: forced decoding where the server gives log-probabilities."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Iterable

from expartkg.engines.remote.chat import Reply, reply
from expartkg.engines.remote.failures import RefusedError
from expartkg.engines.remote.messages import Messages, chat_messages
from expartkg.engines.remote.server import Server
from expartkg.errors import EngineError
from expartkg.records import Prompt, StopFlag, Verdict

log = logging.getLogger(__name__)

TEXT_TOKENS = 16
"""How much a model may write where True or False has to be read from its text."""

TRUE_OR_FALSE = re.compile(r"\b(true|false)\b", re.IGNORECASE)

Alternatives = Iterable[tuple[str, float]]


class RemoteValidator:
    """Judges with the language model of a server, in one of two ways.

    `forced`: the log-probabilities of "True" and "False" as the first token are compared.
    `text`: the first of the two words that the model writes counts; if it writes neither, the
    verdict is False, as it is for any other answer that is not True. This way is taken where a
    server gives no log-probabilities, which is noticed once and remembered, and where neither word
    is among the likeliest tokens.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._gives_logprobs = True

    def judge(self, prompt: Prompt, answer: str, stop: StopFlag) -> Verdict:
        """Raises `EngineError`, also if `stop` is set before there is a verdict."""
        messages = chat_messages(prompt)
        likeliest = self._likeliest(messages, stop) if self._gives_logprobs else ()
        forced = compared(likeliest)
        if forced:
            return forced
        verdict = read(self._ask(messages, TEXT_TOKENS, stop).text)
        if self._gives_logprobs and not likeliest:
            self._gives_logprobs = False
            log.warning(
                "The server at %s gives no log-probabilities: verdicts are read from its text.",
                self._server.host,
            )
        return verdict

    def _likeliest(self, messages: Messages, stop: StopFlag) -> tuple[tuple[str, float], ...]:
        try:
            return self._ask(messages, 1, stop, logprobs=True).likeliest
        except RefusedError:
            # Either it does not know the option or it takes no such prompt; without the option
            # it will say which.
            return ()

    def _ask(
        self, messages: Messages, max_tokens: int, stop: StopFlag, *, logprobs: bool = False
    ) -> Reply:
        said = reply(self._server, messages, max_tokens, stop, logprobs=logprobs)
        if said is None:
            raise EngineError("The run was stopped before there was a verdict.")
        return said


def compared(likeliest: Alternatives) -> Verdict | None:
    """P("True") against P("False"), normalised over the two; equal means False (Section 2, step 4).

    Tokens that differ from a word in white space alone are added to it; a word that is not among
    the tokens has probability 0. None if both are missing.
    """
    p_true, p_false = _probability("True", likeliest), _probability("False", likeliest)
    mass = p_true + p_false
    if not mass > 0:
        return None
    return Verdict(p_true > p_false, p_true / mass, min(mass, 1.0), "forced")


def read(text: str) -> Verdict:
    """The first True or False in a text, in any case; a text without either is False."""
    word = TRUE_OR_FALSE.search(text)
    return Verdict(word is not None and word[0].casefold() == "true", None, None, "text")


def _probability(word: str, likeliest: Alternatives) -> float:
    return sum(math.exp(min(logprob, 0.0)) for token, logprob in likeliest if token.strip() == word)
