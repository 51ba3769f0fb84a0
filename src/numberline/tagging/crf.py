"""Scores of labels per token → the likelihood of a label sequence, and the likeliest sequence.

A sequence y of labels has the score

    first[y_1] + sum of scores[t, y_t] + sum of transitions[y_(t-1), y_t] + last[y_n]

and its likelihood is exp(score), divided by the sum of exp(score) over all sequences. That sum and
the likeliest sequence are computed from left to right, for all sentences of a batch at once.
"""

from __future__ import annotations

from numberline.integrations.with_torch import Tensor, nn, torch

LARGEST_INITIAL_SCORE = 0.1  # of a transition


class LinearChainCrf(nn.Module):
    """A mask is True for tokens and False for the padding after them; no sentence is empty."""

    def __init__(self, labels: int) -> None:
        super().__init__()
        self.first = nn.Parameter(torch.empty(labels))
        self.last = nn.Parameter(torch.empty(labels))
        self.transitions = nn.Parameter(torch.empty(labels, labels))  # [from, to]
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -LARGEST_INITIAL_SCORE, LARGEST_INITIAL_SCORE)

    def log_likelihood(self, scores: Tensor, labels: Tensor, mask: Tensor) -> Tensor:
        """Return one per sentence, from scores [batch, length, labels], labels [batch, length]."""
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
        """Return the log of the sum of exp(score) over all label sequences.

        `reached` is that sum up to a token, for sequences that end in each label. A step is a
        product with exp(transitions), in a quarter of the time of a logsumexp over pairs of labels.
        What it loses is below single precision: e^-87 of the best label.
        """
        highest = self.transitions.detach().max()
        odds = (self.transitions - highest).exp()
        tiny = torch.finfo(scores.dtype).tiny
        reached = self.first + scores[:, 0]
        for token in range(1, scores.shape[1]):
            largest = reached.detach().amax(dim=1, keepdim=True)
            sums = (reached - largest).exp() @ odds
            following = sums.clamp_min(tiny).log() + largest + highest + scores[:, token]
            reached = torch.where(mask[:, token, None], following, reached)
        return torch.logsumexp(reached + self.last, dim=1)

    @torch.no_grad()
    def best(self, scores: Tensor, mask: Tensor) -> list[list[int]]:
        """Return the likeliest labels of each sentence (Viterbi)."""
        reached = self.first + scores[:, 0]
        itself = torch.arange(len(self.first)).expand_as(reached)
        came_from = []
        for token in range(1, scores.shape[1]):
            following, before = (reached.unsqueeze(2) + self.transitions).max(dim=1)
            is_token = mask[:, token, None]
            reached = torch.where(is_token, following + scores[:, token], reached)
            came_from.append(torch.where(is_token, before, itself))
        label = (reached + self.last).argmax(dim=1, keepdim=True)
        path = [label]
        for before in reversed(came_from):
            label = before.gather(1, label)
            path.append(label)
        paths = torch.cat(path[::-1], dim=1).tolist()
        return [row[:length] for row, length in zip(paths, mask.sum(dim=1).tolist(), strict=True)]
