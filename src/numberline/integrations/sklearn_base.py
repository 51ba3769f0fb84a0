"""What both transformers have in common: a model as parameter, which clones share."""

from __future__ import annotations

import copy
from typing import Any, Self

from numberline.errors import MissingExtraError

try:
    from sklearn.base import BaseEstimator, TransformerMixin
except ImportError as error:
    raise MissingExtraError("scikit-learn", "sklearn") from error


class ModelTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # sklearn has no types
    model: Any

    def __sklearn_clone__(self) -> Self:
        """The model is not copied: it never changes, and its tables are large."""
        without_model = copy.copy(self)
        without_model.model = None
        clone: Self = BaseEstimator.__sklearn_clone__(without_model)
        clone.model = self.model
        return clone
