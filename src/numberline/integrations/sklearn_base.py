"""The base of both transformers: a model is a parameter, which clones share."""

from __future__ import annotations

import copy
from typing import Any, Self

from numberline.errors import MissingExtraError

try:
    from sklearn.base import BaseEstimator, TransformerMixin
except ImportError as error:
    raise MissingExtraError("scikit-learn", "sklearn") from error


class ModelTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # sklearn has no types
    """A transformer whose clones have the same model, not a copy."""

    model: Any

    def __sklearn_clone__(self) -> Self:
        """Return an unfitted copy. The model is not copied: it never changes, and is large."""
        without_model = copy.copy(self)
        without_model.model = None
        clone: Self = BaseEstimator.__sklearn_clone__(without_model)
        clone.model = self.model
        return clone
