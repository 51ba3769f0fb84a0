"""Distinct numerals → prototypes, and a vector for any numeral: the second stage."""
