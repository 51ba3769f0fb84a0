"""A trained model for the tools that people already use, each an extra."""
