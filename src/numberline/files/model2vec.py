"""Words and their vectors → a folder that model2vec and sentence-transformers read.

tokenizer.json      splits texts nearly as numberline does, but knows only the listed tokens
model.safetensors   embeddings: float32 [tokens, dim], in the order of the tokenizer's ids
config.json         the settings of model2vec
modules.json        the module of sentence-transformers that reads the folder
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from numberline.arrays import Array
from numberline.errors import VectorsError
from numberline.files.tensors import write_tensors
from numberline.files.whole_folder import FolderKind, replace_folder

TOKENIZER, TENSORS, CONFIG, MODULES = (
    "tokenizer.json",
    "model.safetensors",
    "config.json",
    "modules.json",
)
UNKNOWN = "[UNK]"  # its row is zero; model2vec leaves it out of the mean
# Digits with points and commas between them; words, which may hold digits, hyphens and apostrophes;
# single signs.
TOKENS = (
    r"[0-9]+(?:[.,][0-9]+)*"
    r"|\p{L}[\p{L}\p{M}\p{N}_]*(?:'[\p{L}\p{N}_]+|-\p{N}[\p{L}\p{N}_]*)*"
    r"|[^\s\p{L}0-9]"
)


def write_model2vec(
    words: list[str], table: Array, folder: Path, lowercase: bool, overwrite: bool
) -> None:
    """Write the folder whole or not at all."""
    if UNKNOWN in words:
        raise VectorsError(f"{UNKNOWN} stands for unknown words in model2vec; leave it out")
    rows = np.concatenate([np.zeros((1, table.shape[1]), np.float32), table])
    ids = {word: id for id, word in enumerate([UNKNOWN, *words])}
    config = {"model_type": "model2vec", "normalize": False, "hidden_dim": table.shape[1]}
    module = "sentence_transformers.models.StaticEmbedding"
    content = {
        TOKENIZER: tokenizer(ids, lowercase),
        CONFIG: config,
        MODULES: [{"idx": 0, "name": "0", "path": ".", "type": module}],
    }
    with replace_folder(folder, WRITTEN, overwrite) as unfinished:
        with (unfinished / TENSORS).open("wb") as file:
            write_tensors(file, {"embeddings": rows.astype(np.float32, copy=False)})
        for name, value in content.items():
            (unfinished / name).write_text(json.dumps(value), encoding="utf-8")


def tokenizer(ids: dict[str, int], lowercase: bool) -> dict[str, Any]:
    """Return a tokenizer of whole words in the format of Hugging Face's `tokenizers`."""
    steps: list[dict[str, Any]] = [
        {"type": "Replace", "pattern": {"String": "’"}, "content": "'"},
        *([{"type": "Lowercase"}] if lowercase else []),
    ]
    unknown = {"id": 0, "content": UNKNOWN, "special": True}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [unknown | flags],
        "normalizer": {"type": "Sequence", "normalizers": steps},
        "pre_tokenizer": {
            "type": "Split",
            "pattern": {"Regex": TOKENS},
            "behavior": "Removed",
            "invert": True,
        },
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": ids, "unk_token": UNKNOWN},
    }


def holds_model2vec(folder: Path) -> bool:
    return all((folder / name).is_file() for name in (TOKENIZER, TENSORS, CONFIG, MODULES))


WRITTEN = FolderKind(
    "a model2vec model", frozenset({TOKENIZER, TENSORS, CONFIG, MODULES}), holds_model2vec
)
