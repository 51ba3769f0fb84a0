"""A model and evaluation sets → tables of how good its vectors are: the paper's experiments."""
