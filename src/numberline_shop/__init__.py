"""A seed → chat of an apparel shop, full of numbers; shop.py holds the entry points."""
