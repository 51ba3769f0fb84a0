"""A trained gap model ↔ the arrays that a model folder keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np

from numberline.arrays import Array
from numberline.gap_model.calibration import OWNER, Calibration
from numberline.gap_model.contexts import WORD_SIZE, context_size
from numberline.gap_model.network import HIDDEN, JOINT, Parameters
from numberline.gap_model.numbers import PROJECTED, number_feature_size
from numberline.gap_model.projection import Projection
from numberline.numerals.state import refuse_others, required_array

PREFIX = "gap_model."  # marks its arrays among those of a model


@dataclass(frozen=True, eq=False)
class GapModel:
    """The trained arrays that turn the words around a gap into scores of numbers."""

    word_projection: Projection
    number_projection: Projection
    parameters: Parameters
    calibration: Calibration

    def state(self) -> dict[str, Array]:
        """Return its arrays by their names in a model folder."""
        arrays = {
            "word_projection": self.word_projection.matrix,
            "number_projection": self.number_projection.matrix,
            **self.parameters.arrays(),
            **self.calibration.state(),
        }
        return {PREFIX + name: np.asarray(array) for name, array in arrays.items()}


def is_gap_state(name: str) -> bool:
    return name.startswith(PREFIX)


def gap_model_from_state(arrays: Mapping[str, Array], dim: int) -> GapModel | None:
    """Return the gap model among the arrays of a model of this many dimensions, or None.

    Arrays of other shapes are refused.
    """
    state = {
        name.removeprefix(PREFIX): array for name, array in arrays.items() if is_gap_state(name)
    }
    if not state:
        return None
    # Exact sizes: a narrow table must not become a wide one that fills the memory.
    word_shape, number_shape = (dim, min(WORD_SIZE, dim)), (2 * dim, min(PROJECTED, 2 * dim))
    words = required_array(state, "word_projection", word_shape, OWNER)
    numbers = required_array(state, "number_projection", number_shape, OWNER)
    shapes = parameter_shapes(words.shape[1], numbers.shape[1])
    parameters = {name: required_array(state, name, shape, OWNER) for name, shape in shapes.items()}
    calibration = Calibration.from_state(state)
    model = GapModel(Projection(words), Projection(numbers), Parameters(**parameters), calibration)
    refuse_others(state, (name.removeprefix(PREFIX) for name in model.state()), OWNER)
    return model


def parameter_shapes(word_size: int, number_size: int) -> dict[str, tuple[int, ...]]:
    contexts, numbers = context_size(word_size), number_feature_size(number_size)
    shapes: dict[str, tuple[int, ...]] = {
        "hidden": (contexts, HIDDEN),
        "hidden_bias": (HIDDEN,),
        "context": (HIDDEN, JOINT),
        "context_bias": (JOINT,),
        "number": (numbers, JOINT),
        "number_bias": (JOINT,),
        "log_scale": (1,),
    }
    assert list(shapes) == [one.name for one in fields(Parameters)]
    return shapes
