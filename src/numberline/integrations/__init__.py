"""A model → what other tools take; each tool is an extra."""
