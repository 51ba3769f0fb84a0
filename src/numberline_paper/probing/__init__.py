"""Vectors of numerals → what small networks can read from them.

probes.py  the networks and their training, in torch
task.py    the task `probing` of numberline evaluate
"""
