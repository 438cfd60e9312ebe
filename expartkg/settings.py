"""All settings in one frozen record: the paper's values, then the environment, then the caller's.

`VARIABLES` are the environment variables, as the README lists them.
"""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from expartkg.errors import UsageError
from expartkg.plugins import ENGINE_PLUGINS, RANKING_PLUGINS, plugin_names
from expartkg.records import Method, Source

METHODS: tuple[Method, ...] = get_args(Method)
SOURCES: tuple[Source, ...] = get_args(Source)
RANKINGS = ("pid", "qid", "pid-qid")
ENGINES = ("auto", "qwen", "remote", "preview")
DEVICES = ("cuda", "cpu")
DECODINGS = ("auto", "compiled", "eager")
MCP = ("auto", "on", "off")
LANGUAGES = ("auto", "en", "ja")
RECOGNITION = ("ask", "use", "off")

VARIABLES: Mapping[str, tuple[str, str]] = {
    "EXPARTKG_ENGINE": ("engine", "Engine: auto, qwen, remote, preview, or another package's"),
    "EXPARTKG_KG": ("kg", "Graph: the name of a shipped graph, a file, or an Oxigraph directory"),
    "EXPARTKG_LVLM": ("lvlm", "Vision-language model that writes the explanation"),
    "EXPARTKG_VALIDATOR": ("validator", "Language model that judges it"),
    "EXPARTKG_REMOTE_URL": ("remote_url", "Base URL of an OpenAI-compatible server"),
    "EXPARTKG_REMOTE_KEY": ("remote_key", "Its key; never shown and never stored in a Run"),
    "EXPARTKG_VALIDATOR_URL": ("validator_url", "Another server for the validator"),
    "EXPARTKG_VALIDATOR_KEY": ("validator_key", "The key of that server"),
    "EXPARTKG_DEVICE": ("device", "Where the engine qwen computes: cuda or cpu"),
    "EXPARTKG_DECODING": ("decoding", "How it writes a token: auto, compiled or eager"),
    "EXPARTKG_MAX_NEW_TOKENS": ("max_new_tokens", "Tokens of an answer at most"),
    "EXPARTKG_IMAGE_TOKENS": ("image_tokens", "Tokens of a picture at most, of 32×32 pixels each"),
    "EXPARTKG_SPARQL_SECONDS": ("sparql_seconds", "Seconds that a SPARQL query may take"),
    "EXPARTKG_MCP": ("mcp", "Tools for assistants (MCP): on, off, or auto: if mcp is installed"),
    "EXPARTKG_LANGUAGE": ("language", "Language of the page: en, ja, or auto: both, with a link"),
    "EXPARTKG_RECOGNITION": ("recognition", "A picture that the page recognises: ask, use or off"),
    "EXPARTKG_ENCODER": ("encoder", "What pictures are recognised by; the index has to be its own"),
    "EXPARTKG_LOGIN": ("login", "Who may use the page: name:password, several with commas between"),
    "EXPARTKG_CONTACT": ("contact", "Address of who runs the guide, for Wikimedia to write to"),
    "EXPARTKG_CACHE": ("cache", "Folder for what is downloaded or computed once"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run, an engine and a graph are set to. Defaults are the paper's where it has one.

    `facts_budget` is in tokens, estimated as one for every four characters of the facts' text;
    `time_limit` is in seconds for a whole run, and a `~` in `cache` is the home folder. An answer
    has `max_new_tokens` at most, and a picture is shown to a model with `image_tokens` at most (a
    token for every 32×32 pixels). When the page recognises a picture, `recognition` says whether
    the visitor is asked, the work is used at once, or no picture is looked up at all; `encoder` is
    what makes vectors of pictures (`recognition.encoders`). `login` is
    `name:password`, several of them with commas between, and is never shown. `for_run()` gives
    what a Run records.
    """

    method: Method = "validate"
    ranking: str = "qid"
    top_k: int = 10
    max_iterations: int = 5
    source: Source = "answer"
    facts_budget: int = 4000
    validator_facts: bool = False
    time_limit: float = 600.0
    engine: str = "auto"
    kg: str = "artworks"
    lvlm: str = "Qwen/Qwen3-VL-8B-Instruct"
    validator: str = "Qwen/Qwen3-4B-Instruct-2507"
    remote_url: str | None = None
    remote_key: str | None = dataclasses.field(default=None, repr=False)
    validator_url: str | None = None
    validator_key: str | None = dataclasses.field(default=None, repr=False)
    max_new_tokens: int = 1024
    image_tokens: int = 1280
    device: str = "cuda"
    decoding: str = "auto"
    sparql_seconds: int = 20
    mcp: str = "auto"
    language: str = "auto"
    recognition: str = "ask"
    encoder: str = "efficientnet-lite0"
    login: str | None = dataclasses.field(default=None, repr=False)
    contact: str | None = None
    cache: Path = Path("~/.cache/expartkg")

    def __post_init__(self) -> None:
        _require_one_of("method", self.method, METHODS)
        _require_known("ranking", self.ranking, RANKINGS, RANKING_PLUGINS)
        _require_one_of("source", self.source, SOURCES)
        _require_known("engine", self.engine, ENGINES, ENGINE_PLUGINS)
        _require_one_of("mcp", self.mcp, MCP)
        _require_one_of("language", self.language, LANGUAGES)
        _require_one_of("recognition", self.recognition, RECOGNITION)
        _require_at_least("top-k", self.top_k, 1)
        _require_at_least("max-iterations", self.max_iterations, 1)
        _require_at_least("facts-budget", self.facts_budget, 1)
        _require_at_least("max-new-tokens", self.max_new_tokens, 1)
        _require_at_least("image-tokens", self.image_tokens, 1)
        _require_at_least("sparql-seconds", self.sparql_seconds, 1)
        _require_one_of("device", self.device, DEVICES)
        _require_one_of("decoding", self.decoding, DECODINGS)
        if not 0 < self.time_limit < math.inf:
            raise UsageError(
                f"time-limit must be a number of seconds above 0, not {self.time_limit}."
            )
        if not self.kg:
            raise UsageError("The graph has no name; give a shipped graph, a file or a directory.")
        _parse_accounts(self.login)

    @property
    def rounds(self) -> int:
        """How many answers a run has at most."""
        return 1 if self.method == "baseline" else self.max_iterations

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """The defaults, with the variables of `VARIABLES` that are set and not empty."""
        environ = os.environ if environ is None else environ
        found: dict[str, str] = {
            name: environ[variable]
            for variable, (name, _) in VARIABLES.items()
            if environ.get(variable)
        }
        cache = Path(found.pop("cache", cls().cache))
        numbers = {name: _whole_number(name, found.pop(name)) for name in _NUMBERS & found.keys()}
        return cls(cache=cache, **numbers, **found)  # type: ignore[arg-type]  # these are strings

    def replace(self, **changes: object) -> Settings:
        """A copy with these fields changed. Raises `UsageError` for a value out of range."""
        return dataclasses.replace(self, **changes)  # type: ignore[arg-type]

    @property
    def accounts(self) -> Mapping[str, str]:
        """Who may use the page, each with a password; empty if everybody may."""
        return _parse_accounts(self.login)

    def for_run(self) -> dict[str, object]:
        """The settings that shape a run, as a Run records them: no keys, no folders."""
        return {name: getattr(self, name) for name in _RUN_FIELDS}


_NUMBERS = {"max_new_tokens", "image_tokens", "sparql_seconds"}
_RUN_FIELDS = (
    "method",
    "ranking",
    "top_k",
    "max_iterations",
    "source",
    "facts_budget",
    "validator_facts",
    "time_limit",
)


def _whole_number(name: str, text: str) -> int:
    if not text.isdecimal():
        raise UsageError(f"{name.replace('_', '-')} must be a whole number, not {text!r}.")
    return int(text)


def _require_one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UsageError(f"{name} must be one of {', '.join(allowed)}, not {value!r}.")


def _require_known(name: str, value: str, built_in: tuple[str, ...], plugins: str) -> None:
    """Other packages are only asked for names that are not built in: that takes a while."""
    if value not in built_in:
        _require_one_of(name, value, (*built_in, *plugin_names(plugins)))


def _require_at_least(name: str, value: int, least: int) -> None:
    if value < least:
        raise UsageError(f"{name} must be {least} or more, not {value}.")


def _parse_accounts(login: str | None) -> dict[str, str]:
    """Passwords by name. Raises `UsageError`, in which no password stands."""
    accounts: dict[str, str] = {}
    for number, account in enumerate(login.split(",") if login else (), start=1):
        name, _, password = (part.strip() for part in account.partition(":"))
        if not name or not password:
            raise UsageError(
                f"EXPARTKG_LOGIN is not name:password (account {number}). Several accounts have a "
                "comma between them, so no password can have one."
            )
        if name in accounts:
            raise UsageError(f"EXPARTKG_LOGIN has two accounts of one name (account {number}).")
        accounts[name] = password
    return accounts
