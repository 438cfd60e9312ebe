"""BERTScore with a tiny RoBERTa whose weights are computed by a formula."""

from __future__ import annotations

from pathlib import Path

import pytest

from expartkg.errors import EngineError, UsageError
from expartkg.evaluation.metrics.bertscore import LAYERS, BertScore

torch = pytest.importorskip("torch", reason="BERTScore needs torch, which is not installed")
transformers = pytest.importorskip("transformers", reason="BERTScore needs transformers")

PAIRS = [
    ("The Mona Lisa, by Leonardo.", "Leonardo da Vinci painted the Mona Lisa."),
    ("A man on a horse", "A woman with a fan stands in a room, and looks."),
    ("x", "x"),
    ("Élan vital — 漢字", "Something else entirely"),
    ("", "y"),
    # longer than the 128 tokens that the model reads
    (" a long word" * 30, "The long word " * 20),
    ("y", " "),
]
# What bert-score 0.3.13 gives under transformers 4.57.1 and torch 2.13.0 for the same model:
# BERTScorer(model_type=folder, num_layers=2).score(generated, references).
BY_BERT_SCORE = [
    0.9791154861450195,
    0.22489725053310394,
    0.9999999403953552,
    0.9902520775794983,
    0.0,
    0.9997687935829163,
    0.0,
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three layers, one token a byte. Parameter i at place k is the fraction of a wild sine."""
    from tokenizers.pre_tokenizers import ByteLevel

    path = tmp_path_factory.mktemp("roberta")
    tokens = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *sorted(ByteLevel.alphabet())]
    vocabulary = {token: number for number, token in enumerate(tokens)}
    tokenizer = transformers.RobertaTokenizerFast(vocab=vocabulary, merges=[], model_max_length=128)
    tokenizer.save_pretrained(path)
    config = transformers.RobertaConfig(
        vocab_size=len(tokens),
        hidden_size=16,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=130,
    )
    model = transformers.RobertaModel(config, add_pooling_layer=False)
    for i, (name, parameter) in enumerate(sorted(model.named_parameters())):
        k = torch.arange(parameter.numel(), dtype=torch.float64)
        values = torch.frac(torch.sin(k * 12.9898 + i * 78.233) * 43758.5453)
        values = 1 + 0.2 * values if "LayerNorm.weight" in name else values
        parameter.data.copy_(values.reshape(parameter.shape))
    model.save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def score(folder: Path) -> BertScore:
    return BertScore(f"{folder}:2")


def test_it_is_that_of_the_package_of_its_authors(score: BertScore) -> None:
    generated, references = zip(*PAIRS, strict=True)
    assert score(generated, references) == pytest.approx(BY_BERT_SCORE, abs=2e-6)


def test_the_other_pairs_of_a_batch_change_nothing(score: BertScore) -> None:
    alone = [score([generated], [reference])[0] for generated, reference in PAIRS]
    assert alone == pytest.approx(BY_BERT_SCORE, abs=2e-6)


def test_the_signature_names_model_layer_and_versions(score: BertScore, folder: Path) -> None:
    assert score.signature.startswith(f"{folder}|layer:2|idf:no|rescaled:no|transformers:")


def test_another_layer_gives_other_scores(folder: Path) -> None:
    generated, reference = PAIRS[1]
    assert BertScore(f"{folder}:3")([generated], [reference])[0] != pytest.approx(BY_BERT_SCORE[1])


@pytest.mark.parametrize("layer", [0, 4])
def test_a_layer_that_the_model_does_not_have(folder: Path, layer: int) -> None:
    with pytest.raises(UsageError, match="has the layers 1 to 3"):
        BertScore(f"{folder}:{layer}")


def test_a_model_without_a_known_layer(folder: Path) -> None:
    with pytest.raises(UsageError, match=":LAYER"):
        BertScore(str(folder))


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="cannot be loaded"):
        BertScore(f"{tmp_path}:2")


def test_the_papers_layer() -> None:
    assert LAYERS["roberta-large"] == 17
