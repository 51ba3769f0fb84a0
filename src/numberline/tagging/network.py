"""Rows of vectors → scores of labels (BiLSTM) → their likelihood, and the best ones (CRF).

An unknown word has a row that is learnt, from those that the training sentences hold; where they
hold none, it stays what it is at the start: zeros.
"""

from __future__ import annotations

from numberline.errors import MissingExtraError
from numberline.tagging.settings import TaggerSettings

try:
    import torch
    from torch import Tensor, nn
    from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
except ImportError as error:
    raise MissingExtraError("torch", "torch") from error

from numberline.tagging.crf import LinearChainCrf

DROPOUT = 0.5  # fraction of inputs and hidden units, as in the paper


class TaggingNetwork(nn.Module):
    def __init__(self, dim: int, labels: int, settings: TaggerSettings) -> None:
        super().__init__()
        self.unknown = nn.Parameter(torch.zeros(dim))
        self.dropout = nn.Dropout(DROPOUT)
        width = settings.hidden // 2
        self.lstm = nn.LSTM(dim, width, batch_first=True, bidirectional=True)
        self.to_labels = nn.Linear(2 * width, labels)
        self.crf = LinearChainCrf(labels)

    def scores(self, rows: Tensor, is_unknown: Tensor, mask: Tensor) -> Tensor:
        """Rows [batch, length, dim] → [batch, length, labels]."""
        rows = self.dropout(rows + is_unknown.unsqueeze(-1) * self.unknown)
        # Packed, the second direction begins at the last token and not in the padding.
        lengths = mask.sum(dim=1)
        packed = pack_padded_sequence(rows, lengths, batch_first=True, enforce_sorted=False)
        hidden, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        scores: Tensor = self.to_labels(self.dropout(hidden))
        return scores

    def loss(self, scores: Tensor, labels: Tensor, mask: Tensor) -> Tensor:
        """Summed over sentences, as in NCRF++: its learning rates are made for that."""
        return -self.crf.log_likelihood(scores, labels, mask).sum()
