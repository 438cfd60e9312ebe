"""The encoder that a command recognises pictures with."""

from __future__ import annotations

from expartkg.commands.printing import tell
from expartkg.engines import Engine, load_engine
from expartkg.recognition.encoders import TOWER, Encoder, load_encoder
from expartkg.settings import Settings


def encoder_for(settings: Settings, engine: Engine | None = None) -> Encoder:
    """That of the settings. `engine` is the one of the command, if it has loaded any.

    Raises `RecognitionError` or `EngineError`.
    """
    if settings.encoder == TOWER and engine is None:
        engine = load_engine(settings, tell)
    return load_encoder(settings.encoder, engine)
