"""Models that come with numberline, a folder each; tools/make_models.py makes them."""
