"""The model "en": English words and numbers, learnt from Wikipedia. manifest.json describes it."""
