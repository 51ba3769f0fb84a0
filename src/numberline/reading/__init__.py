"""Text → tokens → vocabulary and ids: the first stage, and the only one that reads text."""
