"""Digits and a network → the hidden states that vectors.read returns, faster on a CPU.

187.3 and 1872 are the same up to their third digit; such a prefix is read once. On a CPU that
halves the time of a batch; on a GPU it takes longer, since torch has a kernel for all digits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from numberline_paper.lstm.digits import SYMBOLS, Digits
from numberline_paper.lstm.vectors import PARAMETERS


class Prefixes(NamedTuple):
    """Distinct prefixes of one length."""

    parents: Tensor  # [prefixes] index of the prefix without the last symbol, one level up
    symbols: Tensor  # [prefixes] index of the last symbol


def read_prefixes(network: nn.LSTM, digits: Digits) -> Tensor:
    """Return the hidden state after the last digit of each number: [numbers, dim]."""
    levels, ends = prefixes_of(digits)
    of_symbols, of_hidden, *biases = map(network.get_parameter, PARAMETERS)
    from_symbols = of_symbols.T + (biases[0] + biases[1])  # [symbols, 4 dim]
    hidden = cell = from_symbols.new_zeros(1, network.hidden_size)  # after no digit
    states = []
    for parents, symbols in levels:
        gates = torch.addmm(
            from_symbols.index_select(0, symbols),
            hidden.index_select(0, parents),
            of_hidden.T,
        )
        enter, keep, candidate, leave = gates.chunk(4, dim=1)
        kept = keep.sigmoid() * cell.index_select(0, parents)
        cell = kept + enter.sigmoid() * candidate.tanh()
        hidden = leave.sigmoid() * cell.tanh()
        states.append(hidden)
    return torch.cat(states).index_select(0, ends)


def prefixes_of(digits: Digits) -> tuple[list[Prefixes], Tensor]:
    """Return the prefixes, level by level, and the index of each number among all of them."""
    levels, count = [], 0
    prefix = np.zeros(len(digits), np.int64)  # [numbers] index among prefixes of this length
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
