"""A model on a server: how it is reached, and what must be kept secret."""

from __future__ import annotations

import base64
import dataclasses
from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, urlsplit

from expartkg.errors import EngineError
from expartkg.settings import Settings

SILENCE_SECONDS = 180.0
RETRIES = 3

URL, KEY, MODEL = "EXPARTKG_REMOTE_URL", "EXPARTKG_REMOTE_KEY", "EXPARTKG_LVLM"
VALIDATOR_URL, VALIDATOR_KEY = "EXPARTKG_VALIDATOR_URL", "EXPARTKG_VALIDATOR_KEY"
VALIDATOR_MODEL = "EXPARTKG_VALIDATOR"

EXAMPLE = "a base URL such as http://127.0.0.1:8000/v1"
DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Variables:
    """The environment variables that set a server, for messages about it."""

    url: str
    key: str
    model: str


@dataclass(frozen=True, slots=True)
class Server:
    """A model and the base URL of its server, which has no credentials in it.

    `authorization` is the header of that name. The server is given up after `silence` seconds
    without a sign of life. What it refuses because it is busy (429) or has failed (5xx), or what
    does not reach it, is sent again up to `retries` times, later each time.
    """

    url: str
    model: str
    variables: Variables
    authorization: str | None = field(default=None, repr=False)
    silence: float = SILENCE_SECONDS
    retries: int = RETRIES

    @property
    def host(self) -> str:
        """Name and port, as in the URL."""
        return urlsplit(self.url).netloc

    def without_secrets(self, text: str) -> str:
        """A text of the server, which may quote what it was sent."""
        for secret in (self.authorization or "").split()[1:]:
            text = text.replace(secret, "…")
        return text


def explainer_server(settings: Settings) -> Server:
    """The server of the vision-language model. Raises `EngineError` if it is set wrongly."""
    if not settings.remote_url:
        raise EngineError(f"The engine remote needs a server: set {URL} to {EXAMPLE}.")
    variables = Variables(URL, KEY, MODEL)
    return _server(settings.remote_url, settings.remote_key, settings.lvlm, variables)


def validator_server(settings: Settings) -> Server:
    """The server of the validator: the explainer's, unless another is set.

    The explainer's key goes to the explainer's server only. Raises `EngineError`.
    """
    explainer = explainer_server(settings)
    url = settings.validator_url or settings.remote_url or ""
    variables = Variables(
        VALIDATOR_URL if settings.validator_url else URL, VALIDATOR_KEY, VALIDATOR_MODEL
    )
    server = _server(url, settings.validator_key, settings.validator, variables)
    if server.authorization or _origin(server.url) != _origin(explainer.url):
        return server
    variables = dataclasses.replace(variables, key=KEY)
    return dataclasses.replace(server, authorization=explainer.authorization, variables=variables)


def _server(url: str, key: str | None, model: str, variables: Variables) -> Server:
    parts = _split(url.strip(), variables.url)
    plain = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path.rstrip('/')}"
    return Server(plain, model, variables, _authorization(parts, (key or "").strip(), variables))


def _split(url: str, variable: str) -> SplitResult:
    # The URL is not repeated in the message: it may have a password in it.
    try:
        parts = urlsplit(url)
        usable = parts.scheme in DEFAULT_PORTS and parts.hostname and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable or parts.query or parts.fragment:
        raise EngineError(f"{variable} is no address of a server: give {EXAMPLE}.")
    return parts


def _authorization(parts: SplitResult, key: str, variables: Variables) -> str | None:
    """The key as a bearer token; without one, what stands before the host's name in the URL."""
    if key:
        if not (key.isascii() and key.isprintable() and " " not in key):
            raise EngineError(
                f"{variables.key} is no key: it has blanks, line breaks or letters with accents "
                "in it. Copy it again."
            )
        return f"Bearer {key}"
    if parts.username is None:
        return None
    credentials = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return "Basic " + base64.b64encode(credentials.encode()).decode("ascii")


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or DEFAULT_PORTS[parts.scheme]
