"""A trained model: look it up, keep it in a folder: the fourth stage."""
