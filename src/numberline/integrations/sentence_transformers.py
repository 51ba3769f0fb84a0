"""A model → an input module of sentence-transformers: texts → vectors, in its pipelines.

    encoder = SentenceTransformer(modules=[Numberline("shop-model")])
    encoder.encode(["I am 187.3 cm tall"])
    encoder.save("shop-encoder")
    SentenceTransformer("shop-encoder", trust_remote_code=True)

sentence-transformers imports modules of other packages only with trust_remote_code=True; what is
then imported is this installed module, and the folder holds no code.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from numberline.errors import HubError, MissingExtraError
from numberline.integrations.arguments import as_texts
from numberline.integrations.torch import NumberlineEmbedding
from numberline.integrations.torch_batch import TokenBatch
from numberline.integrations.with_torch import Tensor, torch
from numberline.model.embeddings import Embeddings

try:
    from sentence_transformers.base.modules.input_module import InputModule
except ImportError as error:
    raise MissingExtraError("sentence_transformers", "sentence-transformers", error) from error

__all__ = ["Numberline"]

MODEL_FOLDER = "numberline"  # in the folder of the module
NUMERALS = "numerals_"  # keys of features: the tensors that compose the numerals


class Numberline(InputModule):  # type: ignore[misc]  # it has no types
    """Reads texts as the model does; their vectors are the means of words and numerals.

    It returns sentence_embedding, in which frequent words count less, and token_embeddings with
    their attention_mask, for modules that pool tokens in their own way.

    - model: an Embeddings, or the path of a model folder
    - freeze: whether training leaves the vectors as they are
    """

    config_keys: ClassVar[list[str]] = ["freeze"]
    modalities: ClassVar[list[str]] = ["text"]

    def __init__(self, model: Embeddings | str | Path, *, freeze: bool = True) -> None:
        super().__init__()
        self.freeze = freeze
        self.embedding = NumberlineEmbedding(model, freeze=freeze, unknown="zero")
        weights = torch.from_numpy(self.embedding.model.keep_probabilities)
        self.register_buffer("word_weights", weights, persistent=False)

    def preprocess(
        self, inputs: Sequence[str], prompt: str | None = None, **_: Any
    ) -> dict[str, Tensor]:
        """Return texts as ids, and what composes their numerals."""
        lookup = self.embedding.model.lookup
        texts = as_texts(inputs)
        batch = self.embedding.collate([lookup.tokens((prompt or "") + text) for text in texts])
        numerals = {f"{NUMERALS}{index}": one for index, one in enumerate(batch.numerals)}
        return {"input_ids": batch.ids, "attention_mask": batch.mask.long(), **numerals}

    def forward(self, features: dict[str, Tensor], **_: Any) -> dict[str, Tensor]:
        """Add the vectors of tokens and texts."""
        count = sum(key.startswith(NUMERALS) for key in features)
        numerals = tuple(features[f"{NUMERALS}{index}"] for index in range(count))
        ids = features["input_ids"]
        rows = self.embedding(TokenBatch(ids, numerals))
        weights = self._weights(ids).unsqueeze(-1)
        totals = weights.sum(dim=-2)
        mean = (weights * rows).sum(dim=-2) / torch.where(totals > 0, totals, 1)
        features.update(token_embeddings=rows, sentence_embedding=mean)
        return features

    def _weights(self, ids: Tensor) -> Tensor:
        """Return how much each token counts in the mean: [texts, tokens]."""
        words = len(self.word_weights)
        weights = (ids >= words).to(self.word_weights.dtype)
        is_word = (ids >= 0) & (ids < words)
        weights[is_word] = self.word_weights[ids[is_word]]
        return weights

    @property
    def max_seq_length(self) -> float:
        """There is no limit."""
        return float("inf")

    @property
    def tokenizer(self) -> None:
        """The model itself reads texts."""

    def get_embedding_dimension(self) -> int:
        """Return the length of the vectors."""
        return self.embedding.embedding_dim

    def save(self, output_path: str, *_: Any, **__: Any) -> None:
        """Write the model as it is now, and the settings of the module, into a folder."""
        self.embedding.to_model().save(Path(output_path, MODEL_FOLDER), overwrite=True)
        self.save_config(output_path)

    @classmethod
    def load(cls, model_name_or_path: str, subfolder: str = "", **options: Any) -> Self:
        """Return the module of a folder, or of a repository of the Hugging Face Hub."""
        names = ("token", "cache_folder", "revision", "local_files_only")
        hub = {name: options[name] for name in names if name in options}
        config = cls.load_config(model_name_or_path, subfolder, **hub)
        inner = Path(subfolder, MODEL_FOLDER).as_posix()
        folder = cls.load_dir_path(model_name_or_path, inner, **hub)
        if folder is None:
            raise HubError(f"{model_name_or_path} holds no model in {inner}")
        return cls(folder, freeze=config.get("freeze", True))
