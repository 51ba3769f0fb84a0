"""Labelled sentences and vectors → how well a tagger labels quantities.

sets.py            the sets, with two harder test sets of each: augmented.py and hard.py
task.py            taggers on frozen vectors: the task `tagging` of numberline evaluate
learnt_vectors.py  the same with vectors learnt from the sentences, as in the paper's tables
"""
