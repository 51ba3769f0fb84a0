"""Rows of vectors → scores of labels (BiLSTM) → their likelihood, and the best ones (CRF).

All unknown words have one row. It is learnt from the unknown words of the training sentences; if
there are none, it stays zero.
"""

from __future__ import annotations

from numberline.integrations.with_torch import Tensor, nn, torch
from numberline.tagging.crf import LinearChainCrf
from numberline.tagging.settings import TaggerSettings

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
        """Return [batch, length, labels] for rows [batch, length, dim]."""
        rows = self.dropout(rows + is_unknown.unsqueeze(-1) * self.unknown)
        # Packed, so that the second direction begins at the last token and not in the padding.
        lengths = mask.sum(dim=1)
        packed = nn.utils.rnn.pack_padded_sequence(
            rows, lengths, batch_first=True, enforce_sorted=False
        )
        hidden, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        scores: Tensor = self.to_labels(self.dropout(hidden))
        return scores

    def loss(self, scores: Tensor, labels: Tensor, mask: Tensor) -> Tensor:
        """Return the sum over sentences, as in NCRF++: its learning rates assume a sum."""
        return -self.crf.log_likelihood(scores, labels, mask).sum()
