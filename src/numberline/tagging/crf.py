"""Scores of labels per token → the likelihood of a label sequence, and the best one.

A sequence y of a sentence has the score

    first[y_1] + sum of scores[t, y_t] + sum of transitions[y_(t-1), y_t] + last[y_n]

and its likelihood is exp(score), divided by the sum of exp(score) over all sequences. Both that sum
and the best sequence are found from left to right, for all sentences of a batch at once.
"""

from __future__ import annotations

from numberline.errors import MissingExtraError

try:
    import torch
    from torch import Tensor, nn
except ImportError as error:
    raise MissingExtraError("torch", "torch") from error

LARGEST_START = 0.1  # of a transition before training


class LinearChainCrf(nn.Module):
    """A mask says what is a token and what padding behind the last; each sentence has a token."""

    def __init__(self, labels: int) -> None:
        super().__init__()
        self.first = nn.Parameter(torch.empty(labels))
        self.last = nn.Parameter(torch.empty(labels))
        self.transitions = nn.Parameter(torch.empty(labels, labels))  # [from, to]
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -LARGEST_START, LARGEST_START)

    def log_likelihood(self, scores: Tensor, labels: Tensor, mask: Tensor) -> Tensor:
        """Of labels [batch, length], given scores [batch, length, labels]; one per sentence."""
        return self._score(scores, labels, mask) - self._log_normaliser(scores, mask)

    def _score(self, scores: Tensor, labels: Tensor, mask: Tensor) -> Tensor:
        of_tokens = scores.gather(2, labels.unsqueeze(2)).squeeze(2)
        steps = self.transitions[labels[:, :-1], labels[:, 1:]]
        ends = labels.gather(1, mask.sum(dim=1, keepdim=True) - 1).squeeze(1)
        return (
            self.first[labels[:, 0]]
            + (of_tokens * mask).sum(dim=1)
            + (steps * mask[:, 1:]).sum(dim=1)
            + self.last[ends]
        )

    def _log_normaliser(self, scores: Tensor, mask: Tensor) -> Tensor:
        """`reached`: the log of the sum over all sequences up to here that end in each label.

        A step is a product with exp(transitions), in a quarter of the time of a logsumexp over
        pairs of labels. What is lost beside the best label is below single precision: e^-87.
        """
        most = self.transitions.detach().max()
        odds = (self.transitions - most).exp()
        tiny = torch.finfo(scores.dtype).tiny
        reached = self.first + scores[:, 0]
        for place in range(1, scores.shape[1]):
            largest = reached.detach().amax(dim=1, keepdim=True)
            sums = (reached - largest).exp() @ odds
            following = sums.clamp_min(tiny).log() + largest + most + scores[:, place]
            reached = torch.where(mask[:, place, None], following, reached)
        return torch.logsumexp(reached + self.last, dim=1)

    @torch.no_grad()
    def best(self, scores: Tensor, mask: Tensor) -> list[list[int]]:
        """The likeliest labels of each sentence (Viterbi)."""
        reached = self.first + scores[:, 0]
        itself = torch.arange(len(self.first)).expand_as(reached)
        came_from = []
        for place in range(1, scores.shape[1]):
            following, before = (reached.unsqueeze(2) + self.transitions).max(dim=1)
            is_token = mask[:, place, None]
            reached = torch.where(is_token, following + scores[:, place], reached)
            came_from.append(torch.where(is_token, before, itself))
        label = (reached + self.last).argmax(dim=1, keepdim=True)
        path = [label]
        for before in reversed(came_from):
            label = before.gather(1, label)
            path.append(label)
        found = torch.cat(path[::-1], dim=1).tolist()
        return [row[:length] for row, length in zip(found, mask.sum(dim=1).tolist(), strict=True)]
