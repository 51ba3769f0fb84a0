"""The model "en-full" of numberline: nl.load("en-full")."""
