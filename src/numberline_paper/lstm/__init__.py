"""D-LSTM, a baseline of the paper: an LSTM reads digits, its last hidden state is the vector.

It is no row of weights over prototypes, so it has a trainer of its own. Read `digits.py`,
`vectors.py`, `batches.py`, `step.py`, `trainer.py`, `train.py`. Only those that need torch import
it.
"""

from numberline_paper.lstm.encoder import Lstm

__all__ = ["Lstm"]
