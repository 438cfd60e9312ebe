"""Weights saved in 4 bits, once: every later start reads a third as much and quantizes nothing."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import torch
from safetensors import SafetensorError
from transformers import PreTrainedModel

from expartkg.engines.base import Progress
from expartkg.engines.qwen.checkpoints import ORIGIN, Checkpoint, find_checkpoint
from expartkg.engines.qwen.device import Device
from expartkg.engines.qwen.loading import bytes_in_nf4, load_explainer, load_validator
from expartkg.errors import EngineError
from expartkg.settings import Settings

BESIDE_WEIGHTS = ("*token*", "vocab.json", "merges.txt", "*.jinja", "*processor*", "chat*.json")
"""What a model needs beside its weights and what is saved with them."""


def quantize(settings: Settings, out: Path, progress: Progress) -> tuple[Checkpoint, Checkpoint]:
    """Both models in NF4, each in a folder of `out` that `EXPARTKG_LVLM` and `EXPARTKG_VALIDATOR`
    take. A GPU is used if there is one; the CPU does as well, in minutes.

    Raises `EngineError` if a model cannot be had or a folder cannot be written.
    """
    # What stays in 16 bits is saved in the type that the models come in.
    device = Device("cuda" if torch.cuda.is_available() else "cpu", torch.bfloat16)
    return (
        _quantize(settings.lvlm, load_explainer, out, device, progress),
        _quantize(settings.validator, load_validator, out, device, progress),
    )


def _quantize(
    model: str,
    load: Callable[[Checkpoint, Device], PreTrainedModel],
    out: Path,
    device: Device,
    progress: Progress,
) -> Checkpoint:
    source = find_checkpoint(model, progress)
    folder = out / source.name.split("/")[-1]
    _check_room(source, folder)
    progress(f"Quantizing {source.name}")
    try:
        _save(load(source, device), source, folder)
    except (OSError, RuntimeError, SafetensorError) as error:
        raise EngineError(f"{folder} cannot be written: {error}. Choose another --out.") from error
    device.release()
    return Checkpoint(source.name, source.revision, folder)


def _check_room(source: Checkpoint, folder: Path) -> None:
    if folder.exists():
        raise EngineError(f"{folder} exists already; delete it, or choose another --out.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    needed, free = bytes_in_nf4(source), shutil.disk_usage(folder.parent).free
    if free < needed:
        raise EngineError(
            f"{source.name} takes {needed / 1e9:.1f} GB in 4 bits, and the disk of {folder.parent} "
            f"has {free / 1e9:.1f} GB left; free some space, or choose another --out."
        )


def _save(model: PreTrainedModel, source: Checkpoint, folder: Path) -> None:
    """Writes beside `folder` and renames, so that half a model never looks like one."""
    aside = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    try:
        model.save_pretrained(aside)
        for pattern in BESIDE_WEIGHTS:
            for file in source.folder.glob(pattern):
                shutil.copy(file, aside)
        origin = {"name": source.name, "revision": source.revision}
        (aside / ORIGIN).write_text(json.dumps(origin), encoding="utf-8")
        os.replace(aside, folder)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
