"""Ids → how often each two of them occur near each other, counted once for many trainings."""
