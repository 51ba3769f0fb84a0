"""scikit-learn: texts → vectors (NumberlineVectorizer), numbers → vectors (NumeralEncoder).

Both are transformers that can be cloned, pickled and used in a Pipeline or a ColumnTransformer.
"""

from __future__ import annotations

from numberline.integrations.sklearn_columns import NumeralEncoder
from numberline.integrations.sklearn_texts import NumberlineVectorizer

__all__ = ["NumberlineVectorizer", "NumeralEncoder"]
