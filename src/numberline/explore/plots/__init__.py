"""A model → figures, each in a module of its name."""
