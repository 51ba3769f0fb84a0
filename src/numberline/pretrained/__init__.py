"""Models that come with numberline, each in a folder of its own; tools/make_models.py makes them."""
