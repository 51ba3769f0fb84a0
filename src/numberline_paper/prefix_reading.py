"""Digits and a network → the same hidden states as lstm.read gives, each shared prefix read once.

187.3 and 1872 are one number up to their third digit. A CPU needs half the time for the prefixes of
a batch; a GPU is faster with all digits, since it has a kernel for that.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from numberline_paper.digits import SYMBOLS, Digits


class Prefixes(NamedTuple):
    """Distinct prefixes of one length."""

    parents: Tensor  # [prefixes] index of what they continue, among prefixes that are one shorter
    symbols: Tensor  # [prefixes] by which symbol


def read_prefixes(network: nn.LSTM, digits: Digits) -> Tensor:
    """Return the hidden state after the last digit of each number: [numbers, dim]."""
    levels, ends = prefixes_of(digits)
    from_symbols = network.weight_ih_l0.T + (network.bias_ih_l0 + network.bias_hh_l0)
    hidden = cell = from_symbols.new_zeros(1, network.hidden_size)  # after no digit
    states = []
    for parents, symbols in levels:
        gates = torch.addmm(from_symbols.index_select(0, symbols), hidden.index_select(0, parents), network.weight_hh_l0.T)
        enter, keep, candidate, leave = gates.chunk(4, dim=1)
        cell = keep.sigmoid() * cell.index_select(0, parents) + enter.sigmoid() * candidate.tanh()
        hidden = leave.sigmoid() * cell.tanh()
        states.append(hidden)
    return torch.cat(states).index_select(0, ends)


def prefixes_of(digits: Digits) -> tuple[list[Prefixes], Tensor]:
    """Return prefixes by length; and for each number its index among all of them."""
    levels, count = [], 0
    prefix = np.zeros(len(digits), np.int64)  # of each number, as far as it has been read
    ends = np.zeros(len(digits), np.int64)
    unread: npt.NDArray[np.int64] = np.arange(len(digits))
    for length in range(1, digits.codes.shape[1] + 1):
        steps = len(SYMBOLS) * prefix[unread] + digits.codes[unread, length - 1]
        distinct, prefix[unread] = np.unique(steps, return_inverse=True)
        parents, symbols = np.divmod(distinct, len(SYMBOLS))
        levels.append(Prefixes(torch.from_numpy(parents), torch.from_numpy(symbols)))
        is_end = digits.lengths[unread] == length
        ends[unread[is_end]] = count + prefix[unread[is_end]]
        unread, count = unread[~is_end], count + len(distinct)
    return levels, torch.from_numpy(ends)
