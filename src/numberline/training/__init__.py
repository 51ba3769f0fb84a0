"""Ids and an encoder → vectors of words and numerals: the third stage."""
