"""The experiments of Jiang et al. (2020): for now, the baseline D-LSTM and how it is trained."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numberline_paper.lstm.training import train_lstm

__all__ = ["train_lstm"]


def __getattr__(name: str) -> Any:
    """Import what needs torch when it is asked for."""
    if name == "train_lstm":
        from numberline_paper.lstm.training import train_lstm

        return train_lstm
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
