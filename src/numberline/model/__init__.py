"""Vocabulary, numerals and tables → a model that answers: vectors, neighbours, predict, check."""
