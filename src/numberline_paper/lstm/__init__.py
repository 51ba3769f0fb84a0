"""D-LSTM, a baseline of the paper: an LSTM reads digits, its last hidden state is the vector.

It is the one encoder that is no row of weights over prototypes, so it has a trainer of its own:
training.py, from a corpus to a model, by the steps of fit.py. Only what needs torch imports it.
"""

from numberline_paper.lstm.encoder import Lstm

__all__ = ["Lstm"]
