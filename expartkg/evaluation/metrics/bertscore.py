"""BERTScore (Zhang et al., 2020): F1 of greedy matching between contextual token embeddings.

Our own, since the package `bert-score` has stood still since 2023 and fails under transformers 5;
a test holds values that it gave under transformers 4. Not rescaled, without idf weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from expartkg.errors import EngineError, UsageError

if TYPE_CHECKING:
    from torch import Tensor

LAYERS: Mapping[str, int] = {
    "roberta-large": 17,
    "roberta-base": 10,
    "roberta-large-mnli": 19,
    "distilroberta-base": 5,
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "bert-base-multilingual-cased": 9,
    "distilbert-base-uncased": 5,
}
"""The layer of each model that agrees best with people, as the authors of BERTScore found."""

PAIRS_AT_ONCE = 32
_BLANK_BEFORE_FIRST_WORD = ("roberta", "gpt2")


class BertScore:
    """BERTScore with one model, on the GPU if there is one."""

    def __init__(self, model: str) -> None:
        """`model` is a name of the hub or a folder, with `:LAYER` behind it where `LAYERS` has
        none. Raises `UsageError` for a model without a layer, `EngineError` if it cannot be loaded.
        """
        name, layer = _name_and_layer(model)
        self._tokenizer, self._model = _load(name, layer)
        self._device = next(self._model.parameters()).device
        self._most_tokens = _most_tokens(self._tokenizer, self._model.config)
        self.signature = (
            f"{name}|layer:{layer}|idf:no|rescaled:no|"
            f"transformers:{version('transformers')}|torch:{version('torch')}"
        )

    def __call__(self, generated: Sequence[str], references: Sequence[str]) -> list[float]:
        """F1 of every pair, at most 1; 0 where a text has no token."""
        scores = [0.0] * len(generated)
        for places in _batches(generated, references):
            texts = [generated[place] for place in places] + [references[place] for place in places]
            embedded = dict(zip(texts, self._embed(texts), strict=True))
            for place in places:
                scores[place] = _f1(embedded[generated[place]], embedded[references[place]])
        return scores

    def _embed(self, texts: Sequence[str]) -> Iterator[tuple[Tensor, Tensor]]:
        """For each text its unit vectors (tokens × width) and which tokens count (tokens)."""
        import torch

        batch = self._tokenizer(
            [text.strip() for text in texts],
            truncation=True,
            max_length=self._most_tokens,
            padding=True,
            return_tensors="pt",
        ).to(self._device)
        with torch.inference_mode():
            hidden = self._model(**batch).last_hidden_state
        vectors = torch.nn.functional.normalize(hidden, dim=-1)
        special = torch.tensor(
            [self._tokenizer.cls_token_id, self._tokenizer.sep_token_id], device=self._device
        )
        counts = ~torch.isin(batch["input_ids"], special)
        for row, mask in enumerate(batch["attention_mask"].bool()):
            yield vectors[row][mask], counts[row][mask]


def _f1(generated: tuple[Tensor, Tensor], reference: tuple[Tensor, Tensor]) -> float:
    """Every token is matched with the most similar one of the other text.

    The marks of beginning and end can be matched with, but are not averaged over.
    """
    (vectors, counts), (others, others_count) = generated, reference
    if not counts.any() or not others_count.any():
        return 0.0
    similarity = vectors @ others.T
    precision = float(similarity.amax(dim=1)[counts].mean())
    recall = float(similarity.amax(dim=0)[others_count].mean())
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0


def _batches(generated: Sequence[str], references: Sequence[str]) -> Iterator[list[int]]:
    """Pairs of about the same length together, so that little is padded."""
    places = sorted(
        range(len(generated)), key=lambda place: len(generated[place]) + len(references[place])
    )
    for start in range(0, len(places), PAIRS_AT_ONCE):
        yield places[start : start + PAIRS_AT_ONCE]


def _name_and_layer(model: str) -> tuple[str, int]:
    explicit = re.fullmatch(r"(.+):(\d+)", model)
    if explicit:
        return explicit[1], int(explicit[2])
    layer = LAYERS.get(model.removeprefix("FacebookAI/"))
    if layer is None:
        raise UsageError(
            f"No layer is known for {model}; give one as {model}:LAYER, or use one of "
            f"{', '.join(LAYERS)}."
        )
    return model, layer


def _load(name: str, layer: int) -> tuple[Any, Any]:
    """The tokenizer, and the model up to `layer`; what lies above it is not even loaded."""
    try:
        import torch
        import transformers
    except ImportError as error:
        raise EngineError(
            f"BERTScore needs torch and transformers ({error}); pip install torch transformers."
        ) from error
    device = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        config = transformers.AutoConfig.from_pretrained(name)
        _check_layer(name, layer, config.num_hidden_layers)
        config.num_hidden_layers = layer
        blank = {"add_prefix_space": True} if config.model_type in _BLANK_BEFORE_FIRST_WORD else {}
        tokenizer = transformers.AutoTokenizer.from_pretrained(name, **blank)
        with _quietly(transformers.utils.logging):
            model = transformers.AutoModel.from_pretrained(name, config=config, dtype=torch.float32)
    except (OSError, ValueError) as error:
        raise EngineError(
            f"The model {name} for BERTScore cannot be loaded ({error}); let it be downloaded "
            "once with internet, or give a folder that has it."
        ) from error
    return tokenizer, model.to(device).eval()


@contextmanager
def _quietly(logging: Any) -> Iterator[None]:
    """Without the list of all weights above the layer, which are left out on purpose."""
    verbosity = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)


def _check_layer(name: str, layer: int, layers: int) -> None:
    if not 1 <= layer <= layers:
        raise UsageError(f"{name} has the layers 1 to {layers}, not {layer}.")


def _most_tokens(tokenizer: Any, config: Any) -> int:
    """How many tokens a text may have. RoBERTa counts positions from behind its padding's."""
    positions: int = config.max_position_embeddings
    if config.model_type == "roberta":
        positions -= config.pad_token_id + 1
    return min(positions, int(tokenizer.model_max_length))
