"""Vectors and labelled sentences → a tagger: BiLSTM and conditional random field."""
